/** Contract of the jobs port: scheduled once, claimed under a lease, settled by whoever holds it. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { ClaimedJob, JobSettlement, ScheduledJob } from '#ports/jobs.ts'
import { NOW } from '../../builders/times.ts'
import type { ControlFactory, ControlStores } from './stores.ts'

const KIND = 'reports.weekly'
const LEASE_MS = 1_000

export function jobsContract(open: ControlFactory): void {
  describe('Jobs', () => {
    let stores: ControlStores
    let leases = 0

    beforeEach(async () => {
      stores = await open(manualClock(NOW))
    })
    afterEach(() => stores.close())

    const schedule = (job: Partial<ScheduledJob> = {}) =>
      stores.write.scheduleJob({ kind: KIND, key: '', dueMs: NOW, ifThere: 'keep', ...job })
    const claim = (nowMs = NOW, { kinds = [KIND], limit = 100 } = {}) =>
      stores.write.claimJobs({ kinds, nowMs, leaseMs: LEASE_MS, lease: `lease ${++leases}`, limit })
    const claimOne = async (nowMs = NOW): Promise<ClaimedJob> => {
      const [job] = await claim(nowMs)
      assert.ok(job !== undefined, 'nothing is due')
      return job
    }
    const settle = (job: ClaimedJob, settlement: JobSettlement) => stores.write.settleJob(job, settlement)
    const next = (kinds: readonly string[] = [KIND]) => stores.write.nextJobMs(kinds)

    it('hands a job out when it is due, once, with what it was told', async () => {
      await schedule({ key: '7', dueMs: NOW + 5, payload: { project: 7, days: [1, 2] } })
      assert.equal(await next(), NOW + 5)
      assert.deepEqual(await claim(NOW + 4), [])
      const job = await claimOne(NOW + 5)
      assert.deepEqual(
        { ...job, lease: null },
        {
          ...{ kind: KIND, key: '7', dueMs: NOW + 5, payload: { project: 7, days: [1, 2] } },
          ...{ tries: 1, says: null, lease: null },
        },
      )
      assert.deepEqual(await claim(NOW + 6), [])
      assert.equal(await settle(job, { state: 'done' }), true)
      assert.equal(await next(), null)
      assert.deepEqual(await claim(NOW + 10 * LEASE_MS), [])
    })

    const repeats: readonly (readonly [ScheduledJob['ifThere'], number, number, string])[] = [
      ['keep', NOW - 1, NOW, 'first'],
      ['keep', NOW + 1, NOW, 'first'],
      ['move', NOW - 1, NOW - 1, 'second'],
      ['move', NOW + 1, NOW + 1, 'second'],
      ['sooner', NOW - 1, NOW - 1, 'second'],
      ['sooner', NOW + 1, NOW, 'first'],
    ]
    for (const [ifThere, dueMs, expectedMs, payload] of repeats) {
      it(`is one job however often it is scheduled: ${ifThere}, ${dueMs - NOW} ms`, async () => {
        await schedule({ payload: 'first' })
        await schedule({ ifThere, dueMs, payload: 'second' })
        assert.equal(await next(), expectedMs)
        const jobs = await claim(NOW + 1)
        assert.deepEqual(
          jobs.map((job) => [job.dueMs, job.payload]),
          [[expectedMs, payload]],
        )
      })
    }

    it('claims those due first before others, of the kinds that were asked for, within the limit', async () => {
      for (const [key, dueMs] of [...'dbac'].map((key) => [key, NOW - key.charCodeAt(0)] as const)) {
        await schedule({ key, dueMs })
      }
      await schedule({ kind: 'other', dueMs: NOW - 1_000 })
      const keys = async (limit: number) => (await claim(NOW, { limit })).map(({ key }) => key)
      assert.deepEqual([await keys(1), await keys(2), await keys(9)], [['d'], ['c', 'b'], ['a']])
      assert.equal(await next(), NOW + LEASE_MS)
      assert.equal(await next([KIND, 'other']), NOW - 1_000)
      assert.deepEqual([await claim(NOW, { kinds: [] }), await next([])], [[], null])
      assert.equal((await claim(NOW, { kinds: [KIND, 'other'] })).length, 1)
    })

    it('claims a job again when its lease ran out, and lets nobody settle it by the old one', async () => {
      await schedule()
      const lost = await claimOne()
      assert.equal(await next(), NOW + LEASE_MS)
      assert.deepEqual(await claim(NOW + LEASE_MS - 1), [])
      const job = await claimOne(NOW + LEASE_MS)
      assert.deepEqual([job.tries, job.dueMs], [2, NOW])
      assert.equal(await settle(lost, { state: 'done' }), false)
      assert.equal(await next(), NOW + 2 * LEASE_MS)
      assert.equal(await settle(job, { state: 'done' }), true)
      assert.equal(await settle(job, { state: 'done' }), false)
    })

    it('counts tries until it is done, and says why the last one failed', async () => {
      await schedule()
      const says = 'x'.repeat(2 * max('jobSaysCharsMax'))
      await settle(await claimOne(), { state: 'failed', dueMs: NOW + 10, says })
      assert.deepEqual(await claim(NOW + 9), [])
      const second = await claimOne(NOW + 10)
      assert.deepEqual([second.tries, second.says], [2, says.slice(0, max('jobSaysCharsMax'))])
      await settle(second, { state: 'again', dueMs: NOW + 20 })
      const third = await claimOne(NOW + 20)
      assert.deepEqual([third.tries, third.says, third.dueMs], [1, null, NOW + 20])
    })

    for (const ifThere of ['keep', 'move', 'sooner'] as const) {
      it(`runs once more when it was scheduled while it was under way: ${ifThere}`, async () => {
        await schedule({ payload: 'first' })
        const job = await claimOne()
        await schedule({ ifThere, dueMs: NOW + 5, payload: 'second' })
        assert.deepEqual(await claim(NOW + 5), [], 'its lease holds')
        await settle(job, { state: 'done' })
        const again = await claimOne(NOW + 5)
        assert.deepEqual([again.dueMs, again.payload, again.tries], [NOW + 5, 'second', 1])
        await schedule({ ifThere, dueMs: NOW + 50 })
        await settle(again, { state: 'again', dueMs: NOW + 20 })
        assert.equal(await next(), NOW + 20)
      })
    }

    it('answers with one run what was asked while a run was lost', async () => {
      await schedule()
      await claimOne()
      await schedule({ dueMs: NOW + 5 })
      const job = await claimOne(NOW + LEASE_MS)
      await settle(job, { state: 'done' })
      assert.equal(await next(), null)
    })

    it('refuses what is beyond its bounds', async () => {
      for (let count = 0; count < max('jobsPerKindMax'); count++) await schedule({ key: String(count) })
      await assert.rejects(schedule({ key: 'one more' }), { code: 'overloaded' })
      await schedule({ key: '0', ifThere: 'move', dueMs: NOW + 1 })
      await schedule({ kind: 'other' })
      await assert.rejects(
        schedule({ kind: 'other', key: 'x'.repeat(max('jobNameCharsMax') + 1) }),
        /too long/,
      )
      const payload = 'x'.repeat(max('jobPayloadCharsMax'))
      await assert.rejects(schedule({ kind: 'other', key: 'y', payload }), /too long/)
    })
  })
}
