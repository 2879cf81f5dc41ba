import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CountedOutcome } from '#model/outcome.ts'
import type { ReadScope } from '#ports/scope.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, unwrap } from '#testing/worlds/api.ts'

const DAY_MS = 86_400_000
const RANGE = { startMs: NOW - DAY_MS, endMs: NOW + DAY_MS }

describe('items that this version does not support', () => {
  let shop: Shop
  let scope: ReadScope
  const counted = (of: Pick<CountedOutcome, 'outcome' | 'reason' | 'category' | 'quantity'>) => {
    return { ...of, projectId: shop.shop.id, keyId: null, atMs: NOW }
  }
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    const unsupported = { outcome: 'unsupported', reason: 'unsupported_kind' } as const
    const outcomes = [
      counted({ outcome: 'accepted', reason: null, category: 'error', quantity: 1 }),
      counted({ ...unsupported, category: 'span', quantity: 2 }),
      counted({ ...unsupported, category: 'transaction', quantity: 1 }),
      counted({ outcome: 'invalid', reason: 'invalid_json', category: 'span', quantity: 4 }),
    ]
    await shop.control.applyBatch(aBatch(1, [], { outcomes }))
  })
  after(() => shop.close())

  it('are part of the balance, with words of their own', async () => {
    const view = await shop.queries.outcomes(scope, { range: RANGE, project: null, key: null })
    assert.equal(
      view.groups.reduce((sum, { total }) => sum + total, 0),
      8,
    )
    const { reasons } = view
    assert.deepEqual(
      reasons.map(({ outcome, category, quantity, what }) => [outcome, category, quantity, what]),
      [
        ['invalid', 'span', 4, 'the item is not JSON'],
        ['unsupported', 'span', 2, 'this version stores no items of this kind'],
        ['unsupported', 'transaction', 1, 'this version stores no items of this kind'],
      ],
    )
  })

  it('are missing nowhere: neither below the issues, nor while waiting for the first event, nor for the operator', async () => {
    const list = await shop.queries.issueList(scope, {
      ...{ query: '', projects: [], environments: [], range: RANGE },
      ...{ sort: 'date', limit: 25, cursor: null },
    })
    assert.equal(list.notStored, 4)
    const waiting = await shop.queries.firstEvent(scope, 'shop')
    assert.deepEqual(
      waiting?.refused.map(({ reason, quantity }) => [reason, quantity]),
      [['the item is not JSON', 4]],
    )
    assert.deepEqual(waiting?.unsupported, [
      { category: 'span', quantity: 2 },
      { category: 'transaction', quantity: 1 },
    ])
    const { perMinute } = unwrap(await shop.queries.system(await shop.people.owner.viewer()))
    const { accepted, refused, unsupported } = perMinute.at(-1) ?? {}
    assert.deepEqual([accepted, refused, unsupported], [1, 4, 3])
  })

  it('have a name in the web API that clients know, and a reason that tells them apart', async () => {
    const stats = async (query: string) => {
      const call = callerOf(shop)
      const { body } = await call(shop.token, `GET /organizations/acme/stats_v2/?${query}&statsPeriod=1d`)
      const { groups } = body as StatsBody // asserted below
      return groups.map(({ by, totals }) => [...Object.values(by), totals['sum(quantity)']])
    }
    assert.deepEqual(await stats('groupBy=outcome'), [
      ['invalid', 7],
      ['accepted', 1],
    ])
    assert.deepEqual(await stats('groupBy=reason&outcome=invalid'), [
      ['invalid_json', 4],
      ['unsupported_kind', 3],
    ])
  })

  it('count to the operator as no refusal, and neither does what a project filters', async () => {
    const filtered = counted({ outcome: 'filtered', reason: 'web-crawlers', category: 'error', quantity: 5 })
    await shop.control.applyBatch(aBatch(2, [], { outcomes: [filtered] }))
    const { perMinute } = unwrap(await shop.queries.system(await shop.people.owner.viewer()))
    const { accepted, refused, unsupported } = perMinute.at(-1) ?? {}
    assert.deepEqual([accepted, refused, unsupported], [1, 4, 3])
  })
})

interface StatsBody {
  readonly groups: readonly {
    readonly by: Readonly<Record<string, string>>
    readonly totals: Readonly<Record<string, number>>
  }[]
}
