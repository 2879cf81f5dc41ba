import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MissingPlace } from '#wire/app-tables.ts'
import { missingAt } from './missing.server.ts'

function missing(pathname: string, more: Partial<MissingPlace> = {}) {
  return missingAt({ pathname, org: 'acme', isMember: true, isPage: true, ...more })
}

describe('a page that is not there', () => {
  const CASES: readonly (readonly [path: string, title: string, search: string])[] = [
    ['/acme/issues/SHOP-9999', 'Issue SHOP-9999 not found', '/acme/issues?query=SHOP-9999'],
    ['/acme/issues/SHOP-9999/activity', 'Issue SHOP-9999 not found', '/acme/issues?query=SHOP-9999'],
    ['/acme/releases/shop%401.0%2B5', 'Release shop@1.0+5 not found', '/acme/releases?query=shop%401.0%2B5'],
    ['/acme/issues/SHOP-9/events/0af1', 'Event 0af1 not found', '/acme/issues?query=0af1'],
    // An issue has both, so that it is the issue that is missing.
    ['/acme/issues/SHOP-9/events/latest', 'Issue SHOP-9 not found', '/acme/issues?query=SHOP-9'],
    ['/acme/issues/SHOP-9/events/oldest', 'Issue SHOP-9 not found', '/acme/issues?query=SHOP-9'],
    ['/acme/projects/web/settings/keys', 'Project web not found', '/acme/projects?query=web'],
    ['/acme/performance/web/route', 'Project web not found', '/acme/projects?query=web'],
    ['/acme/traces/abc', 'Trace abc not found', '/acme/traces?query=abc'],
    ['/acme/alerts/rules/12', 'Alert rule 12 not found', ''],
    ['/acme/alerts/channels/7', 'Channel 7 not found', ''],
    ['/acme/settings/trackers/3', 'Issue tracker 3 not found', ''],
    ['/acme/issues/%', 'Issue % not found', '/acme/issues?query=%25'],
    ['/acme/issues/%E2%80%AEx', 'Issue [U+202E]x not found', '/acme/issues?query=%E2%80%AEx'],
    [
      `/acme/issues/${'x'.repeat(81)}`,
      `Issue ${'x'.repeat(80)}… not found`,
      `/acme/issues?query=${'x'.repeat(81)}`,
    ],
  ]
  for (const [path, title, search] of CASES)
    it(`is named: ${path.slice(0, 60)}`, () => {
      const found = missing(path)
      assert.equal(found.title, title)
      assert.equal(found.search, search)
    })

  it('leads to the list in which it would be', () => {
    for (const [path, list] of [
      ['/acme/releases/1.0', '/acme/releases'],
      ['/acme/performance/web/route', '/acme/projects'],
      ['/acme/alerts/rules/12', '/acme/alerts'],
      ['/acme/alerts/channels/7', '/acme/alerts/channels'],
      ['/acme/settings/trackers/3', '/acme/settings/trackers'],
    ] as const)
      assert.equal(missing(path).list, list)
  })

  it('is named by its address where there is no such page, and looked for by what that ends with', () => {
    const found = missing('/acme/no%20such/page', { isPage: false })
    assert.equal(found.title, 'Page /acme/no such/page not found')
    assert.deepEqual([found.search, found.looksFor, found.list], ['/acme/issues?query=page', 'page', ''])
    const outside = missing('/no/such', { org: undefined, isMember: false, isPage: false })
    assert.deepEqual(outside, { title: 'Page /no/such not found', list: '', search: '', looksFor: '' })
    const nameless = missing('', { org: undefined, isMember: false, isPage: false })
    assert.equal(nameless.title, 'Page not found')
    assert.equal(missing('/system', { org: undefined, isMember: false }).title, 'Page /system not found')
  })

  it('is looked for by a name as long as a button is wide', () => {
    assert.equal(missing(`/acme/issues/${'x'.repeat(24)}`).looksFor, 'x'.repeat(24))
    assert.equal(missing(`/acme/issues/${'x'.repeat(25)}`).looksFor, `${'x'.repeat(24)}…`)
  })

  it('says nothing of what is in an organisation that is not the viewer’s', () => {
    const found = missing('/other/issues/SHOP-1', { org: 'other', isMember: false })
    assert.deepEqual(found, { title: 'Organisation other not found', list: '', search: '', looksFor: '' })
  })
})
