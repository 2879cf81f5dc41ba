import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingOf } from './missing.ts'

describe('a page that is not there', () => {
  const CASES: readonly (readonly [path: string, title: string, search: string | null])[] = [
    ['/acme/issues/SHOP-9999', 'Issue SHOP-9999 not found', '/acme/issues?query=SHOP-9999'],
    ['/acme/issues/SHOP-9999/activity', 'Issue SHOP-9999 not found', '/acme/issues?query=SHOP-9999'],
    ['/acme/releases/shop%401.0%2B5', 'Release shop@1.0+5 not found', '/acme/releases?query=shop%401.0%2B5'],
    ['/acme/issues/SHOP-9/events/0af1', 'Event 0af1 not found', '/acme/issues?query=0af1'],
    // An issue has both, so that it is the issue that is missing.
    ['/acme/issues/SHOP-9/events/latest', 'Issue SHOP-9 not found', '/acme/issues?query=SHOP-9'],
    ['/acme/issues/SHOP-9/events/oldest', 'Issue SHOP-9 not found', '/acme/issues?query=SHOP-9'],
    ['/acme/projects/web/settings/keys', 'Project web not found', '/acme/projects?query=web'],
    ['/acme/traces/abc', 'Trace abc not found', '/acme/traces?query=abc'],
    ['/acme/alerts/rules/12', 'Alert rule 12 not found', null],
    ['/acme/alerts/channels/7', 'Channel 7 not found', null],
    ['/acme/settings/trackers/3', 'Issue tracker 3 not found', null],
    ['/acme/settings/members', 'Page not found', null],
    ['/acme/nothing/here', 'Page not found', null],
    ['/acme/issues', 'Page not found', null],
    ['/other/issues/SHOP-1', 'Page not found', null],
    ['/acme/issues/%', 'Issue % not found', '/acme/issues?query=%25'],
    [`/acme/issues/${'x'.repeat(300)}`, `Issue ${'x'.repeat(80)}… not found`, null],
  ]
  for (const [path, title, search] of CASES)
    it(`is named: ${path.slice(0, 60)}`, () => {
      const missing = missingOf(path, 'acme')
      assert.equal(missing.title, title)
      if (path.length < 60) assert.equal(missing.search || null, search)
    })

  it('leads to the list in which it would be', () => {
    for (const [path, list] of [
      ['/acme/releases/1.0', '/acme/releases'],
      ['/acme/alerts/rules/12', '/acme/alerts'],
      ['/acme/alerts/channels/7', '/acme/alerts/channels'],
      ['/acme/settings/trackers/3', '/acme/settings/trackers'],
    ] as const)
      assert.equal(missingOf(path, 'acme').list, list)
  })

  const PAGES: readonly (readonly [path: string, title: string, search: string])[] = [
    ['/acme/nothing/he%20re', 'Page /acme/nothing/he%20re not found', '/acme/issues?query=he+re'],
    [
      '/acme/issues/SHOP-9/nothing',
      'Page /acme/issues/SHOP-9/nothing not found',
      '/acme/issues?query=nothing',
    ],
    ['/no/such', 'Page /no/such not found', '/acme/issues?query=such'],
    ['/no/such/', 'Page not found', ''],
  ]
  for (const [path, title, search] of PAGES)
    it(`is named by its address where no page has it: ${path}`, () => {
      const missing = missingOf(path, 'acme', true)
      assert.deepEqual([missing.title, missing.search, missing.list], [title, search, ''])
    })

  it('is not looked for by whoever is in no organisation', () => {
    assert.equal(missingOf('/no/such', undefined, true).search, '')
  })

  it('says nothing of an organisation that is not the viewer’s', () => {
    assert.equal(missingOf('/acme/issues/SHOP-1', undefined).title, 'Page not found')
  })
})
