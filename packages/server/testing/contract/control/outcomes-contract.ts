/** Contract of outcomes and of the operator's numbers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { OutcomeQuery } from '#ports/ingest.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { anOutcome } from '../../builders/outcome.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged } from './stores.ts'

const QUARTER = 15 * 60_000

export function outcomesContract(open: ControlFactory): void {
  describe('OutcomesRead and SystemRead', () => {
    const { stores, world, clock, nextSeq } = openForEachTest(open)

    const count = async (...outcomes: readonly Partial<CountedOutcome>[]) => {
      const counted = outcomes.map((outcome) => anOutcome({ projectId: world.shop, ...outcome }))
      await stores.write.applyBatch(aBatch(nextSeq(), [], { outcomes: counted }))
    }
    it('tells accept what it let in per hour, and what spike protection kept out', async () => {
      const hour = Math.floor(NOW / HOUR) * HOUR
      const spike = { outcome: 'rate_limited', reason: 'spike_protection' } as const
      await count(
        { quantity: 5, atMs: hour - 2 * HOUR },
        { quantity: 7, atMs: hour - 2 * HOUR + 45 * 60_000 },
        { outcome: 'filtered', reason: 'localhost', quantity: 2, atMs: hour - 2 * HOUR },
        { outcome: 'filtered', reason: 'cors', quantity: 100, atMs: hour - 2 * HOUR },
        { outcome: 'invalid', reason: 'duplicate', quantity: 1, atMs: hour - 2 * HOUR },
        { outcome: 'invalid', reason: 'too_large', quantity: 100, atMs: hour - 2 * HOUR },
        { category: 'session', quantity: 100, atMs: hour - 2 * HOUR },
        { projectId: world.blog, quantity: 100, atMs: hour - 2 * HOUR },
        { quantity: 3, atMs: hour },
        { ...spike, quantity: 40, atMs: hour + 60_000 },
        { ...spike, quantity: 2, atMs: hour + 120_000 },
        { quantity: 100, atMs: hour - 3 * HOUR },
      )
      assert.deepEqual(await stores.read.hourlyVolume(world.shop, 'error', hour - 2 * HOUR), [
        { hourMs: hour - 2 * HOUR, admitted: 15, capped: 0, firstCappedMs: null },
        { hourMs: hour, admitted: 3, capped: 42, firstCappedMs: hour + 60_000 },
      ])
    })

    it('tells accept nothing that clients say of themselves, whatever reasons they give', async () => {
      const hour = Math.floor(NOW / HOUR) * HOUR
      await count(
        { quantity: 3, atMs: hour },
        ...['duplicate', 'spike_protection', 'localhost'].map((reason) => {
          return { outcome: 'client_discard', reason, quantity: 1_000_000_000, atMs: hour } as const
        }),
      )
      assert.deepEqual(await stores.read.hourlyVolume(world.shop, 'error', hour), [
        { hourMs: hour, admitted: 3, capped: 0, firstCappedMs: null },
      ])
    })

    const aQuery = (change: Partial<OutcomeQuery> = {}): OutcomeQuery => ({
      startMs: NOW - HOUR,
      endMs: NOW + HOUR,
      intervalMs: null,
      projects: null,
      keys: null,
      groupBy: ['outcome'],
      ...change,
    })

    it('sums quantities in buckets of 15 minutes, over batches', async () => {
      await count({ atMs: NOW, quantity: 2 }, { atMs: NOW + 14 * 60_000 })
      await count({ atMs: NOW + 1 }, { atMs: NOW + QUARTER, quantity: 7 })
      const { buckets, groups } = await stores.read.outcomes(
        world.scope,
        aQuery({ startMs: NOW, intervalMs: QUARTER }),
      )
      assert.deepEqual(buckets, [NOW, NOW + QUARTER, NOW + 2 * QUARTER, NOW + 3 * QUARTER])
      assert.deepEqual(groups, [{ outcome: 'accepted', total: 11, series: [4, 7, 0, 0] }])
      const hourly = await stores.read.outcomes(
        world.scope,
        aQuery({ startMs: NOW + QUARTER, intervalMs: HOUR }),
      )
      assert.deepEqual([hourly.buckets, hourly.groups[0]?.series], [[NOW], [7]])
    })

    it('groups by every dimension, largest first', async () => {
      await count(
        { quantity: 3, keyId: world.shopKey },
        { quantity: 5, outcome: 'rate_limited', reason: 'key_limit', category: 'span' },
        { quantity: 1, projectId: world.blog },
      )
      const groups = async (groupBy: OutcomeQuery['groupBy'], change: Partial<OutcomeQuery> = {}) =>
        (await stores.read.outcomes(world.scope, aQuery({ groupBy, ...change }))).groups
      assert.deepEqual(await groups([]), [{ total: 9, series: [] }])
      assert.deepEqual(await groups(['reason']), [
        { reason: 'key_limit', total: 5, series: [] },
        { reason: null, total: 4, series: [] },
      ])
      assert.deepEqual(await groups(['project', 'category']), [
        { category: 'span', projectId: world.shop, total: 5, series: [] },
        { category: 'error', projectId: world.shop, total: 3, series: [] },
        { category: 'error', projectId: world.blog, total: 1, series: [] },
      ])
      assert.deepEqual(await groups(['key'], { projects: [world.shop] }), [
        { keyId: null, total: 5, series: [] },
        { keyId: world.shopKey, total: 3, series: [] },
      ])
      assert.deepEqual(await groups(['outcome'], { keys: [world.shopKey] }), [
        { outcome: 'accepted', total: 3, series: [] },
      ])
      assert.deepEqual(await groups(['outcome'], { keys: [keyId(99)] }), [])
    })

    it('shows the newest example of each reason, and when it was seen', async () => {
      const invalid = { outcome: 'invalid', reason: 'invalid_json' } as const
      await count(
        { ...invalid, atMs: NOW, example: 'first' },
        { ...invalid, atMs: NOW + 5, example: 'second' },
      )
      await count(
        { ...invalid, atMs: NOW + 40 * 60_000 },
        { ...invalid, atMs: NOW + 20 * 60_000, example: 'third' },
      )
      assert.deepEqual(await stores.read.outcomeExamples(world.scope, aQuery()), [
        {
          outcome: 'invalid',
          reason: 'invalid_json',
          category: 'error',
          quantity: 4,
          firstMs: NOW,
          lastMs: NOW + 40 * 60_000,
          example: 'third',
        },
      ])
    })

    it('bounds what clients choose: reasons beyond the limit count as other', async () => {
      const most = max('outcomeRowsPerBucketMax')
      const outcomes = Array.from({ length: most + 50 }, (_, index) => ({
        outcome: 'client_discard' as const,
        reason: `made up ${index}`,
      }))
      await count(...outcomes.slice(0, most))
      await count(...outcomes.slice(most), { outcome: 'client_discard', reason: 'made up 0' })
      const { groups } = await stores.read.outcomes(world.scope, aQuery({ groupBy: ['reason'] }))
      assert.equal(groups.length, most + 1)
      assert.deepEqual(groups[0], { reason: 'other', total: 50, series: [] })
      assert.deepEqual(groups[1], { reason: 'made up 0', total: 2, series: [] })
    })

    it('keeps apart what Errata itself counts, however many reasons clients make up before', async () => {
      const most = max('outcomeRowsPerBucketMax')
      await count(
        ...Array.from({ length: most + 1 }, (_, index) => {
          return { outcome: 'client_discard', reason: `made up ${index}` } as const
        }),
      )
      await count(
        { quantity: 50, keyId: world.shopKey },
        { outcome: 'filtered', reason: 'localhost', quantity: 9 },
        { outcome: 'rate_limited', reason: 'spike_protection', category: 'span', quantity: 5 },
      )
      const { groups } = await stores.read.outcomes(
        world.scope,
        aQuery({ groupBy: ['outcome', 'category', 'reason', 'key'] }),
      )
      const own = groups.filter(({ outcome }) => outcome !== 'client_discard')
      assert.deepEqual(
        own.map(({ outcome, category, reason, keyId: key, total }) => [
          ...[outcome, category, reason, key, total],
        ]),
        [
          ['accepted', 'error', null, world.shopKey, 50],
          ['filtered', 'error', 'localhost', null, 9],
          ['rate_limited', 'span', 'spike_protection', null, 5],
        ],
      )
    })

    it('forgets outcomes that are older than the events', async () => {
      const old = NOW - (max('outcomeDaysMax') + 1) * DAY
      await count({ atMs: old, quantity: 3 })
      clock.advance(DAY)
      await count({ atMs: NOW })
      await removeAllAged(stores, clock)
      const { groups } = await stores.read.outcomes(world.scope, aQuery({ startMs: old - DAY }))
      assert.equal(groups[0]?.total, 1)
    })

    it('forgets what agents asked when it is as old, and keeps the rest of the audit log', async () => {
      const call = { tool: 'get_issue', about: 'SHOP-1', chars: 1, tookMs: 1, refused: null }
      const old = NOW - (max('outcomeDaysMax') + 1) * DAY
      await stores.write.noteAgentCall(world.org, { ...call, about: 'old' }, anActor(old))
      await stores.write.noteAgentCall(world.org, call, anActor(NOW))
      await stores.write.createTeam(world.org, 'old', 'Old', anActor(old))
      clock.advance(DAY)
      await removeAllAged(stores, clock)
      const entries = await stores.read.audit(world.scope, {
        limit: 50,
        before: null,
        subjects: ['agent', 'team'],
      })
      assert.deepEqual(entries.map(({ target, detail }) => detail.about ?? target).toSorted(), [
        'Old',
        'SHOP-1',
      ])
    })

    it('forgets nothing by a clock that is not believed, and goes on once it is right again', async () => {
      const old = NOW - (max('outcomeDaysMax') - 1) * DAY
      await count({ atMs: old, quantity: 3 })
      await stores.write.setKnownTime({ knownMs: NOW, doubtedMs: 0 })
      clock.jump(1_000 * DAY)
      await count({ atMs: NOW })
      await removeAllAged(stores, clock)
      const total = async () => {
        const { groups } = await stores.read.outcomes(world.scope, aQuery({ startMs: old - DAY }))
        return groups[0]?.total
      }
      assert.equal(await total(), 4)
      clock.jump(-998 * DAY)
      await stores.write.setKnownTime({ knownMs: NOW + 2 * DAY, doubtedMs: 0 })
      await removeAllAged(stores, clock)
      await count({ atMs: NOW })
      assert.equal(await total(), 2)
    })

    it('refuses an interval that buckets cannot answer', async () => {
      const asked = (change: Partial<OutcomeQuery>) => stores.read.outcomes(world.scope, aQuery(change))
      await assert.rejects(asked({ intervalMs: 1_000 }), { code: 'bad_request' })
      await assert.rejects(asked({ intervalMs: QUARTER, startMs: 0 }), { code: 'bad_request' })
    })

    it('tells what was lost from the journal, of which no organisation sees anything', async () => {
      const lost = { projectId: null, outcome: 'invalid', reason: 'journal_damaged' } as const
      assert.equal(
        (await stores.read.withoutProject({ refusedSinceMs: NOW - DAY, lostSinceMs: NOW - DAY })).lost,
        null,
      )
      await count({ projectId: null, outcome: 'invalid', reason: 'unknown_key' })
      assert.equal(
        (await stores.read.withoutProject({ refusedSinceMs: NOW - DAY, lostSinceMs: NOW - DAY })).lost,
        null,
      )
      await count({ ...lost, quantity: 3, atMs: NOW - 2 * DAY }, { ...lost, quantity: 4, atMs: NOW + 5 })
      assert.deepEqual(
        (await stores.read.withoutProject({ refusedSinceMs: NOW - DAY, lostSinceMs: NOW - DAY })).lost,
        { quantity: 4, lastMs: NOW + 5 },
      )
      assert.deepEqual(
        (await stores.read.withoutProject({ refusedSinceMs: NOW, lostSinceMs: NOW - 3 * DAY })).lost,
        { quantity: 7, lastMs: NOW + 5 },
      )
      const { groups } = await stores.read.outcomes(world.scope, aQuery({ startMs: NOW - 3 * DAY }))
      assert.deepEqual(groups, [])
    })

    it('tells the operator what nobody else sees', async () => {
      await count({
        projectId: null,
        outcome: 'invalid',
        reason: 'unknown_key',
        quantity: 4,
        example: 'key 123…',
      })
      await count({ atMs: NOW + 60_000, quantity: 2 }, { atMs: NOW + 119_999, quantity: 3 })
      const none = await stores.read.outcomes(world.scope, aQuery({ groupBy: ['reason'] }))
      assert.deepEqual(none.groups, [{ reason: null, total: 5, series: [] }])
      assert.deepEqual(
        (await stores.read.withoutProject({ refusedSinceMs: NOW - HOUR, lostSinceMs: NOW + DAY })).refused,
        [{ reason: 'unknown_key', quantity: 4, example: 'key 123…' }],
      )
      assert.deepEqual(await stores.read.recentOutcomes(NOW), [
        { minuteMs: NOW, outcome: 'invalid', quantity: 4 },
        { minuteMs: NOW + 60_000, outcome: 'accepted', quantity: 5 },
      ])
      await stores.write.applyBatch(
        aBatch(nextSeq(), [anEvent({ projectId: world.shop }), anEvent({ projectId: world.shop })]),
      )
      const counters = await stores.read.counters()
      assert.ok(counters.controlBytes > 0)
      assert.deepEqual(
        [counters.organisations, counters.projects, counters.issues, counters.groups, counters.eventsStored],
        [2, 4, 1, 1, 2],
      )
    })
  })
}
