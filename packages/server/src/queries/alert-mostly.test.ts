import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { Measure } from '#model/alert-rule.ts'
import { aMetricRule } from '#testing/builders/alert-rule.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { aHash } from '#testing/builders/ids.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { openControlStores } from '#testing/contract/control/open.ts'
import { aControlWorld } from '#testing/contract/control/world.ts'
import { withMostly } from './alert-mostly.ts'

const NOW_HOUR = Math.floor(NOW / HOUR)

async function aShop(t: TestContext) {
  const stores = await openControlStores(manualClock(NOW))
  t.after(() => stores.close())
  const world = await aControlWorld(stores)
  const send = (group: string, hoursAgo: number, route: string) =>
    anEvent({ projectId: world.shop, group, timestampMs: NOW - hoursAgo * HOUR, route })
  const events = [
    ...[send('early', 10, '/cart'), send('early', 10, '/cart'), send('late', 10, '/pay')],
    ...[send('late', 1, '/pay'), send('late', 1, '/pay'), send('early', 1, '/cart')],
  ]
  await stores.write.applyBatch(aBatch(1, events))
  const idOf = async (group: string) =>
    (await stores.read.issueOfGroup(world.scope, world.shop, aHash(group)))?.id ?? assert.fail('no issue')
  const firingAt = (hoursAgo: number, hours: number) => ({
    ...{ startedMs: (NOW_HOUR - hoursAgo) * HOUR, endedMs: (NOW_HOUR - hoursAgo + hours) * HOUR },
    ...{ level: 'warning' as const, extreme: 1, issueId: null },
  })
  const asked = async (measure: Measure) => {
    const draft = aMetricRule({ measure })
    assert.ok(draft.kind === 'metric')
    const firings = await withMostly({ alerts: stores.read, issues: stores.read }, world.scope, {
      draft,
      range: { startHour: NOW_HOUR - 24, endHour: NOW_HOUR + 1 },
      firings: [firingAt(10, 1), firingAt(5, 1), firingAt(1, 2)],
    })
    return firings.map(({ issueId }) => issueId)
  }
  return { asked, idOf }
}

test('a firing is mostly of the issue with the most events while it lasted', async (t) => {
  const { asked, idOf } = await aShop(t)
  assert.deepEqual(await asked({ of: 'events' }), [await idOf('early'), null, await idOf('late')])
})

test('of a route only issues count that happen there', async (t) => {
  const { asked, idOf } = await aShop(t)
  const late = await idOf('late')
  assert.deepEqual(await asked({ of: 'failure-rate', route: '/pay', kind: null }), [late, null, late])
})

test('what does not count failures is of no issue', async (t) => {
  const { asked } = await aShop(t)
  assert.deepEqual(await asked({ of: 'silence' }), [null, null, null])
})
