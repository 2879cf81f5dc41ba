/** Contract of what the time of requests goes to: sums of spans by route, kind and day. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { CostsQuery, SpanCost } from '#ports/requests.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aCost } from '../../builders/requests.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'

const TODAY = Math.floor(NOW / DAY) * DAY

const aQuery = (change: Partial<CostsQuery> = {}): CostsQuery => ({
  ...{ projects: null, startMs: TODAY - 100 * DAY, endMs: TODAY + 100 * DAY, ...change },
})

export function spanCostsContract(open: ControlFactory): void {
  describe('What the time of requests goes to', () => {
    const { stores, world, nextSeq } = openForEachTest(open)

    const cost = (change: Partial<SpanCost> = {}) => aCost({ projectId: world.shop, ...change })
    const send = (part: { readonly costs: readonly SpanCost[] }) =>
      stores.write.applyBatch(aRequestsBatch(nextSeq(), part))
    const costs = (change: Partial<CostsQuery> = {}) => stores.read.spanCosts(world.scope, aQuery(change), 10)

    it('sum up what time went to, with the slowest as the example', async () => {
      const slow = { ms: 50, traceId: 'b'.repeat(32), spanId: 'b'.repeat(16) }
      const day = cost().day
      await send({ costs: [cost(), cost({ description: 'INSERT', totalMs: 500, failed: 1 })] })
      await send({ costs: [cost({ totalMs: 50, count: 2, repeatedIn: 1, slowest: slow, day: day - 1 })] })
      await send({ costs: [cost({ route: '/other' })] })
      const found = await costs({ route: '/orders/[id]' })
      assert.deepEqual(
        found.map(({ description, count: of, totalMs, failed, repeatedIn }) => [
          ...[description, of, totalMs, failed, repeatedIn],
        ]),
        [
          ['INSERT', 1, 500, 1, 0],
          ['SELECT ?', 3, 60, 0, 1],
        ],
      )
      assert.deepEqual(found[1]?.slowest, slow)
      assert.equal((await stores.read.spanCosts(world.scope, aQuery(), 1)).length, 1)
      const middle = { startMs: TODAY + 12 * HOUR, endMs: TODAY + 13 * HOUR }
      assert.equal((await costs({ ...middle, route: '/orders/[id]' }))[1]?.count, 1)
    })

    it('sum up what the time of one kind of requests went to', async () => {
      const [fetched, apart] = [cost({ kind: 'page-data', totalMs: 40 }), cost({ kind: '', totalMs: 2 })]
      await send({ costs: [cost(), fetched, apart, cost({ kind: 'page-data', description: 'INSERT' })] })
      await send({ costs: [cost()] })
      const of = async (change: Partial<CostsQuery>) =>
        (await costs(change)).map(({ kind, description, totalMs }) => [kind, description, totalMs])
      assert.deepEqual(await of({ kind: 'document' }), [['document', 'SELECT ?', 20]])
      assert.deepEqual(await of({ kind: 'page-data' }), [
        ['page-data', 'SELECT ?', 40],
        ['page-data', 'INSERT', 10],
      ])
      assert.deepEqual(await of({ kind: 'action' }), [])
      assert.deepEqual(await of({ kind: '' }), [['', 'SELECT ?', 2]])
      assert.deepEqual(await of({}), [
        ['', 'SELECT ?', 62],
        ['', 'INSERT', 10],
      ])
    })

    it('keep so many sorts of spans of a day, and add to those', async () => {
      const most = max('spanCostsPerDayMax')
      await send({ costs: Array.from({ length: most + 2 }, (_, at) => cost({ description: `q ${at}` })) })
      await send({ costs: [cost({ description: 'q 0' }), cost({ description: 'new', totalMs: 1_000 })] })
      const found = await stores.read.spanCosts(world.scope, aQuery(), most * 2)
      assert.equal(found.length, most)
      assert.equal(found[0]?.description, 'q 0')
      await send({ costs: [cost({ description: 'new', totalMs: 1_000, day: cost().day - 1 })] })
      assert.equal((await costs())[0]?.description, 'new')
    })
  })
}
