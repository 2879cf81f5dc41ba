import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenReleases } from './chosen-releases.ts'

const aRelease = (version: string, sessions = 0, eventCount = 0) => ({
  ...{ version, sessions, projects: [{ eventCount }] },
})
const chosen = (...releases: ReturnType<typeof aRelease>[]) =>
  chosenReleases(releases, 3).map(({ version }) => version)

test('services deployed together do not hide the release that people meet', () => {
  assert.deepEqual(
    chosen(
      aRelease('billing@7'),
      aRelease('ledger@7', 0, 4),
      aRelease('orders@7', 0, 9),
      aRelease('shop@7', 50),
    ),
    ['shop@7', 'orders@7', 'ledger@7'],
  )
})

test('one package has its newest releases, newest first', () => {
  assert.deepEqual(
    chosen(aRelease('shop@4', 1), aRelease('shop@3', 99), aRelease('shop@2'), aRelease('shop@1')),
    ['shop@4', 'shop@3', 'shop@2'],
  )
  assert.deepEqual(chosen(aRelease('4'), aRelease('3', 9)), ['4', '3'])
})

test('packages that nobody used yet stand by age', () => {
  assert.deepEqual(chosen(aRelease('b@2'), aRelease('a@2'), aRelease('b@1')), ['b@2', 'a@2', 'b@1'])
})
