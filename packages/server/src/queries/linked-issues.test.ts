import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { digest } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send } from '#testing/worlds/api.ts'

const DIGEST = digest('2741933020')
const HOUR_MS = 3_600_000

let shop: Shop
let scope: ReadScope
let failure: string
let echo: string

before(async () => {
  shop = await openShop()
  scope = await shop.people.owner.scope()
  failure = await send(shop, shop.dsn, anError({ tags: { digest: DIGEST } }))
  echo = await send(
    shop,
    shop.dsn,
    anError({
      platform: 'javascript',
      exception: {
        values: [{ type: 'Error', value: 'Minified React error #441; visit https://react.dev/errors/441' }],
      },
      tags: { digest: DIGEST },
    }),
  )
})
after(() => shop.close())

async function linkedOf(ref: string, numbers: readonly string[] = [DIGEST]) {
  const trend = { startMs: NOW - HOUR_MS, endMs: NOW, stepMs: HOUR_MS }
  const view = await shop.queries.issue(scope, ref, trend)
  assert.ok(view !== null)
  return shop.queries.linkedIssues(scope, view.issue, numbers.map(digest))
}

it('a mirror leads to the server’s event of its digest, and that event to its mirrors', async () => {
  const { shown } = await linkedOf('SHOP-2')
  assert.deepEqual(
    shown.map((each) => [each.shortId, each.eventId, each.digest, each.isMirror]),
    [['SHOP-1', failure, DIGEST, false]],
  )
  const back = await linkedOf('SHOP-1')
  assert.deepEqual(
    back.shown.map((each) => [each.shortId, each.eventId, each.isMirror]),
    [['SHOP-2', echo, true]],
  )
})

it('another number leads nowhere, and neither does none', async () => {
  assert.deepEqual(await linkedOf('SHOP-2', ['1357924680']), { shown: [], more: 0 })
  assert.deepEqual(await linkedOf('SHOP-2', []), { shown: [], more: 0 })
})

it('what shares a number on the same side is no counterpart, and of many the newest are shown', async () => {
  const other = (nth: number) =>
    anError({
      exception: { values: [{ type: `Other${nth}`, value: 'x' }] },
      tags: { digest: DIGEST },
      timestamp: NOW / 1_000 + nth,
    })
  for (const nth of [1, 2, 3, 4]) await send(shop, shop.dsn, other(nth))
  assert.deepEqual(
    (await linkedOf('SHOP-1')).shown.map(({ shortId }) => shortId),
    ['SHOP-2'],
  )
  const { shown, more } = await linkedOf('SHOP-2')
  assert.deepEqual([shown.map(({ shortId }) => shortId), more], [['SHOP-6', 'SHOP-5', 'SHOP-4'], 2])
})
