/** Contract of alert rules on metrics: what each measures, and how its state goes on. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { aMetricRule } from '../../builders/alert-rule.ts'
import { aBatch, aRequestsBatch, aSessionBatch } from '../../builders/control-batch.ts'
import { aHash } from '../../builders/ids.ts'
import { anOutcome } from '../../builders/outcome.ts'
import { aSegment } from '../../builders/requests.ts'
import { aSession } from '../../builders/session.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { alertWorld } from './alert-rules-world.ts'
import { type ControlFactory, value } from './stores.ts'

const MINUTE = 60_000

export function alertMetricsContract(open: ControlFactory): void {
  describe('Metric rules', () => {
    const { at, rules, rule, evaluate, firings, messages, told, arrive, actor, times } = alertWorld(open)

    describe('that look at metrics', () => {
      const states = async () => (await rules()).map(({ state }) => state?.level)

      it('go from ok to warning, critical and back, and tell whoever asked to hear it', async () => {
        const notify = [
          { target: { to: 'members' }, fromLevel: 'warning' },
          { target: { to: 'user', userId: at.world.owner }, fromLevel: 'critical' },
        ] as const
        await rule(aMetricRule({ resolved: 3 }, { notify, name: 'Too much' }))
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['warning'])
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
        at.clock.advance(10 * MINUTE)
        await arrive(...times(4, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['warning'], 'not below 3 yet')
        at.clock.advance(10 * MINUTE)
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
        assert.deepEqual(
          (await told()).reverse().map(([moment, level]) => `${moment} ${level}`),
          ['fired warning', 'fired critical', 'resolved ok', 'resolved ok'],
          'who is named twice is told once',
        )
        const [firing, ...others] = await firings()
        assert.deepEqual(
          [others.length, firing?.level, firing?.extreme, firing?.endedMs],
          [0, 'critical', 12, at.clock.now()],
        )
      })

      it('go out at night where they were critical, with their end, and leave nothing for the morning', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 11 * 60, untilMinute: 14 * 60 }
        await at.stores.write.setQuietHours(at.world.org, hours, actor())
        await rule(aMetricRule({}, { isQuiet: true }))
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        at.clock.advance(10 * MINUTE)
        await evaluate()
        assert.deepEqual(
          (await messages()).map(({ moment, level, state, heldUntilMs }) => [
            ...[moment, level, state, heldUntilMs],
          ]),
          [
            ['resolved', 'ok', 'waiting', null],
            ['fired', 'critical', 'waiting', null],
            ['fired', 'warning', 'gathered', NOW + 2 * HOUR],
          ],
        )
      })

      it('wait for the morning where they were never critical, with their end', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 11 * 60, untilMinute: 14 * 60 }
        await at.stores.write.setQuietHours(at.world.org, hours, actor())
        await rule(aMetricRule({}, { isQuiet: true }))
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        at.clock.advance(10 * MINUTE)
        await evaluate()
        const until = NOW + 2 * HOUR
        assert.deepEqual(
          (await messages()).map(({ state, heldUntilMs }) => [state, heldUntilMs]),
          times(2, () => ['waiting', until]),
        )
      })

      it('name the issue that most of it is of', async () => {
        const notify = [{ target: { to: 'user', userId: at.world.owner }, fromLevel: 'warning' }] as const
        await rule(aMetricRule({}, { projects: [at.world.shop], notify }))
        await arrive(...times(4, () => ({ group: 'a' })))
        at.clock.advance(2 * HOUR)
        await arrive({ group: 'a' }, ...times(5, () => ({ group: 'b' })))
        await evaluate()
        const b = await at.stores.read.issueOfGroup(at.world.scope, at.world.shop, aHash('b'))
        assert.equal((await firings())[0]?.issue, b?.shortId)
        const told = await at.stores.write.claimMessages({
          ...{ nowMs: at.clock.now(), leaseMs: 60_000, lease: 'lease', limit: 100, triesMax: 3 },
        })
        assert.deepEqual(
          told.map(({ message }) => message.metric?.mostly),
          [{ shortId: b?.shortId, title: b?.title }],
        )
      })

      it('count a batch that comes again once', async () => {
        await rule(aMetricRule())
        const batch = await arrive(...times(3, () => ({ group: 'a' })))
        await at.stores.write.applyBatch(batch)
        await at.stores.write.applyBatch(batch)
        await evaluate()
        assert.equal((await rules())[0]?.state?.value, 3)
      })

      it('say it again while it lasts', async () => {
        await rule(aMetricRule({ windowMinutes: 60 }, { everyMinutes: 20 }))
        await arrive(...times(20, () => ({ group: 'a' })))
        await evaluate()
        at.clock.advance(19 * MINUTE)
        assert.equal((await evaluate()).messages, 0)
        at.clock.advance(MINUTE)
        assert.equal((await evaluate()).messages, 1)
        assert.equal((await told())[0]?.[0], 'still')
      })

      it('measure affected users', async () => {
        await rule(aMetricRule({ measure: { of: 'users' }, critical: 2, warning: null }))
        await arrive(...times(9, () => ({ group: 'a', user: 'id:1' })), { group: 'b', user: 'id:2' })
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
        await arrive({ group: 'b', user: 'id:3' })
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
      })

      it('measure a visitor once who is an address to a server and a name to a browser', async () => {
        await rule(aMetricRule({ measure: { of: 'users' }, critical: 2, warning: null }))
        const [name, address] = ['id:1', 'ip:203.0.113.1']
        const half = { digests: ['77'], requestKind: 'document', route: '/orders', handled: false } as const
        await arrive({ ...half, group: 'server', user: address, people: [address] })
        await arrive({ ...half, group: 'mirror', isMirror: true, user: name, people: [name, address] })
        await arrive({ ...half, group: 'server', user: 'id:2', people: ['id:2'] })
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
      })

      const requests = (of: {
        readonly failed: number
        readonly good: number
        readonly ms?: number
        readonly action?: string
      }) =>
        at.stores.write.applyBatch(
          aRequestsBatch(at.nextSeq(), {
            segments: times(of.failed + of.good, (index) =>
              aSegment({
                ...{ projectId: at.world.shop, name: `${at.nextSeq()} ${index}`, receivedMs: at.clock.now() },
                ...{ atMs: at.clock.now(), durationMs: of.ms ?? 100, route: '/checkout', kind: 'action' },
                end: index < of.failed ? 'failed' : 'answered',
                ...(of.action === undefined ? {} : { action: of.action }),
              }),
            ),
          }),
        )

      it('measure the failure rate of a route, with a least volume', async () => {
        const measure = { of: 'failure-rate', route: '/checkout', kind: 'action' } as const
        await rule(aMetricRule({ measure, critical: 10, warning: 5, atLeast: 50 }))
        await rule(aMetricRule({ measure: { ...measure, route: '/search' }, atLeast: 0 }))
        await requests({ failed: 10, good: 30 })
        await evaluate()
        assert.deepEqual(await states(), ['ok', 'ok'])
        await requests({ failed: 0, good: 40 })
        await evaluate()
        assert.deepEqual(await states(), ['critical', 'ok'])
        assert.equal((await rules())[0]?.state?.value, 12.5)
      })

      it('name the action that fails most, of a rule about actions', async () => {
        const measure = { of: 'failure-rate', route: '/checkout', kind: 'action' } as const
        const notify = [{ target: { to: 'user', userId: at.world.owner }, fromLevel: 'warning' }] as const
        await rule(aMetricRule({ measure, critical: 10 }, { projects: [at.world.shop], notify }))
        await requests({ failed: 9, good: 0, action: 'a'.repeat(40) })
        await requests({ failed: 5, good: 4, action: 'placeOrder' })
        await requests({ failed: 2, good: 90, action: 'addToCart' })
        await evaluate()
        const told = await at.stores.write.claimMessages({
          ...{ nowMs: at.clock.now(), leaseMs: 60_000, lease: 'lease', limit: 100, triesMax: 3 },
        })
        assert.deepEqual(
          told.map(({ message }) => message.metric?.action),
          ['placeOrder, 5 of 9 failed'],
        )
      })

      it('measure percentiles, apdex and how many requests there are', async () => {
        const of = { route: '/checkout', kind: null } as const
        await rule(aMetricRule({ measure: { of: 'duration', percentile: 95, ...of }, critical: 1_000 }))
        const apdex = { of: 'apdex', thresholdMs: 300, ...of } as const
        await rule(aMetricRule({ measure: apdex, direction: 'below', critical: 0.8, warning: null }))
        const few = { direction: 'below', critical: 200, warning: null } as const
        await rule(aMetricRule({ measure: { of: 'requests', ...of }, ...few }))
        await requests({ failed: 0, good: 60, ms: 200 })
        await requests({ failed: 0, good: 40, ms: 2_000 })
        await evaluate()
        assert.deepEqual(await states(), ['critical', 'critical', 'critical'])
        const [p95, points, count] = (await rules()).map(({ state }) => state?.value ?? 0)
        assert.ok(Math.abs((p95 ?? 0) - 2_000) < 40)
        assert.deepEqual([points, count], [0.6, 100])
      })

      it('measure crash-free sessions and users, in the latest release if asked', async () => {
        const measure = { of: 'crash-free', what: 'sessions' } as const
        const when = { measure, direction: 'below', critical: 99, warning: null, windowMinutes: 60 } as const
        await rule(aMetricRule(when))
        await rule(aMetricRule({ ...when, measure: { of: 'crash-free', what: 'users' } }))
        const sessions = times(10, (index) =>
          aSession({
            ...{ projectId: at.world.shop, id: `s${index}`, person: `p${index % 2}` },
            state: index === 0 ? 'crashed' : 'healthy',
          }),
        )
        await at.stores.write.applyBatch({ ...aSessionBatch(at.nextSeq(), sessions) })
        await evaluate()
        assert.deepEqual(
          (await rules()).map(({ state }) => [state?.level, state?.value]),
          [
            ['critical', 90],
            ['critical', 50],
          ],
        )
      })

      it('measure what was not stored', async () => {
        const measure = { of: 'outcomes', outcomes: ['rate_limited', 'invalid'] } as const
        await rule(aMetricRule({ measure, windowMinutes: 60, critical: 100, warning: null }))
        const outcomes = [
          anOutcome({ outcome: 'rate_limited', quantity: 70, projectId: at.world.shop, reason: 'key' }),
          anOutcome({ outcome: 'invalid', quantity: 40, projectId: at.world.blog, reason: 'invalid_json' }),
          anOutcome({ outcome: 'filtered', quantity: 900, projectId: at.world.shop, reason: 'x' }),
        ]
        await at.stores.write.applyBatch(aBatch(at.nextSeq(), [], { outcomes, parts: [] }))
        await evaluate()
        assert.deepEqual((await rules())[0]?.state, { level: 'critical', sinceMs: NOW, value: 110 })
        at.clock.advance(2 * HOUR)
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
      })

      it('notice that nothing comes any more', async () => {
        await rule(aMetricRule({ measure: { of: 'silence' }, critical: 20, warning: null }))
        await evaluate()
        assert.deepEqual(await states(), ['ok'], 'what never spoke is not silent')
        const outcomes = [anOutcome({ projectId: at.world.shop, atMs: at.clock.now() })]
        await at.stores.write.applyBatch(aBatch(at.nextSeq(), [], { outcomes, parts: [] }))
        at.clock.advance(19 * MINUTE)
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
        at.clock.advance(2 * MINUTE)
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
      })

      it('compare with the same hour last week', async () => {
        const when = { timesLastWeek: 2, windowMinutes: 60 } as const
        await rule(aMetricRule(when))
        const lastWeek = (quantity: number) =>
          anOutcome({ projectId: at.world.shop, quantity, atMs: NOW - 7 * DAY })
        const outcomes = [lastWeek(10)]
        await at.stores.write.applyBatch(aBatch(at.nextSeq(), [], { outcomes, parts: [] }))
        await arrive(...times(15, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['ok'], '15 are less than twice 10')
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
      })

      it('compare requests with last week too, whose hours are joined to days by then', async () => {
        const measure = { of: 'failure-rate', route: '/checkout', kind: 'action' } as const
        await rule(aMetricRule({ measure, timesLastWeek: 2, windowMinutes: 60 }))
        await requests({ failed: 10, good: 90 })
        at.clock.advance(7 * DAY)
        await requests({ failed: 15, good: 85 })
        await evaluate()
        assert.deepEqual(await states(), ['ok'], '15 % are less than twice 10 %')
        await requests({ failed: 20, good: 0 })
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
      })

      it('begin anew when they ask something else', async () => {
        const draft = aMetricRule()
        const id = await rule(draft)
        await arrive(...times(20, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
        const other = aMetricRule({ critical: 100, warning: null })
        value(await at.stores.write.changeRule(at.world.org, id, other, actor()))
        assert.deepEqual(await states(), [undefined])
        assert.equal((await firings())[0]?.endedMs, at.clock.now())
        await evaluate()
        assert.equal((await rules())[0]?.state?.value, 0)
      })
    })
  })
}
