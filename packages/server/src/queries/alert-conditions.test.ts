import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { momentsAtOnce } from '#alerts/rules/preview.ts'
import { HOUR_MS } from '#base/durations.ts'
import { anIssueRule } from '#testing/builders/alert-rule.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { openShop, type Shop, send } from '#testing/worlds/api.ts'

describe('the preview of a rule of issues', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    for (const level of ['error', 'warning'] as const)
      await send(
        shop,
        shop.dsn,
        anError({ level, exception: { values: [{ type: `A${level}`, value: level }] } }),
      )
  })
  after(() => shop.close())

  const fired = async (draft: Parameters<typeof anIssueRule>[1]) => {
    const rule = anIssueRule({ on: 'new' }, draft)
    const { firings, issues } = await shop.queries.alertPreview(await shop.people.owner.scope(), rule)
    return firings.map(({ issueId }) => issues[issueId ?? 0]?.title).toSorted()
  }
  const isError = { is: 'level', how: 'at least', level: 'error' } as const
  const isWarning = { is: 'level', how: 'exactly', level: 'warning' } as const

  for (const [match, conditions, titles] of [
    ['all', [isError], ['Aerror: error']],
    ['any', [isError, isWarning], ['Aerror: error', 'Awarning: warning']],
    ['none', [isError], ['Awarning: warning']],
    ['none', [isError, isWarning], []],
  ] as const)
    it(`takes ${match} of ${conditions.length} conditions as the rule does`, async () => {
      assert.deepEqual(await fired({ if: { match, conditions } }), titles)
    })

  it('counts what meets all moments at once', () => {
    const at = (issueId: number, hours: number) => ({ issueId, atMs: hours * HOUR_MS })
    const found = [
      [at(1, 5.5), at(2, 5)],
      [at(1, 5), at(2, 6), at(1, 9)],
    ]
    assert.deepEqual(momentsAtOnce(found), [at(1, 5.5)])
  })
})
