import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { recogniseEvent } from './recognised.ts'

const SVELTEKIT = 'sentry.javascript.sveltekit'

interface Thrown {
  readonly file: string
  readonly sdk?: string
  readonly newest?: string
  readonly fingerprint?: readonly string[]
}

function hashOf({ file, sdk = SVELTEKIT, newest, fingerprint }: Thrown): string {
  const frame = (filename: string, name: string) => ({ filename, function: name, lineno: 2, in_app: true })
  const frames = [frame(file, 'GET'), ...(newest === undefined ? [] : [frame(newest, 'query')])]
  const event = aScrubbedEvent({
    platform: 'node',
    sdk: { name: sdk, version: '10.75.2' },
    exception: { values: [{ type: 'Error', value: 'no paper', stacktrace: { frames } }] },
    ...(fingerprint === undefined ? {} : { fingerprint }),
  })
  return recogniseEvent(event).grouping.hash
}

const SEEDS = 'app:///src/routes/api/seeds/+server.js'
const EXPORT = 'app:///src/routes/export.csv/+server.js'

describe('a failure in the file of a SvelteKit route', () => {
  it('is another issue than one in the file of another route', () => {
    assert.notEqual(hashOf({ file: SEEDS }), hashOf({ file: EXPORT }))
    assert.equal(hashOf({ file: SEEDS }), hashOf({ file: '/srv/garden/src/routes/api/seeds/+server.js' }))
  })

  it('is the same where the routes call what fails, and where the SDK says what it is', () => {
    const newest = 'app:///src/lib/database.js'
    assert.equal(hashOf({ file: SEEDS, newest }), hashOf({ file: EXPORT, newest }))
    const fingerprint = ['paper']
    assert.equal(hashOf({ file: SEEDS, fingerprint }), hashOf({ file: EXPORT, fingerprint }))
  })

  it('changes nothing for other SDKs', () => {
    const sdk = 'sentry.javascript.node'
    assert.equal(hashOf({ file: SEEDS, sdk }), hashOf({ file: EXPORT, sdk }))
  })
})
