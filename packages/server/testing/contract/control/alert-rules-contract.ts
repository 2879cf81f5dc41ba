/** Contract of alert rules: what makes each kind fire, once, whatever comes late or again. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { QUIET_HOURS_DEFAULT, type RuleDraft } from '#model/alert-rule.ts'
import type { Firing } from '#ports/alerts.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import { anActor } from '../../builders/actor.ts'
import { aMetricRule, anIssueRule } from '../../builders/alert-rule.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { aBatch, aRequestsBatch, aSessionBatch } from '../../builders/control-batch.ts'
import { anOutcome } from '../../builders/outcome.ts'
import { aSegment } from '../../builders/requests.ts'
import { aSession } from '../../builders/session.ts'
import { anEvent, type EventShape } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { type ControlFactory, type ControlStores, refusal, value } from './stores.ts'
import { aWorld, type World } from './world.ts'

const MINUTE = 60_000

export function alertRulesContract(open: ControlFactory): void {
  describe('Alert rules', () => {
    let stores: ControlStores
    let world: World
    let clock: ReturnType<typeof manualClock>
    let seqNext = 1

    beforeEach(async () => {
      clock = manualClock(NOW)
      stores = await open(clock)
      world = await aWorld(stores)
      seqNext = 1
      // What every organisation begins with is tested by itself.
      for (const { rule } of await rules())
        value(await stores.write.deleteRule(world.org, rule.id, anActor()))
    })
    afterEach(() => stores.close())

    const rules = () => stores.read.alertRules(world.scope, clock.now())
    const rule = async (draft: RuleDraft): Promise<number> =>
      value(await stores.write.createRule(world.org, draft, anActor(clock.now()))).id
    const evaluate = (metrics = true) => stores.write.evaluateDue(clock.now(), metrics)
    const firings = (ruleId: number | null = null): Promise<readonly Firing[]> =>
      stores.read.firings(world.scope, { ruleId, sinceMs: 0, before: null, limit: 100 })
    const messages = async () =>
      (
        await stores.read.messageLog(world.scope, {
          ...{
            ruleId: null,
            kind: null,
            channelId: null,
            states: null,
            sinceMs: 0,
            text: '',
            before: null,
            limit: 100,
          },
        })
      ).entries
    const told = async () =>
      (await messages()).map(({ headline, moment, level }) => [moment, level, headline])

    type Shape = Omit<EventShape, 'projectId'> & { readonly projectId?: ProjectId }
    function batchOf(shapes: readonly Shape[]): ControlBatch {
      const events = shapes.map((shape) =>
        anEvent({ projectId: world.shop, timestampMs: clock.now(), ...shape }),
      )
      const batch = aBatch(seqNext, events)
      seqNext += events.length
      return batch
    }
    async function arrive(...shapes: readonly Shape[]) {
      const batch = batchOf(shapes)
      await stores.write.applyBatch(batch)
      return batch
    }
    const issueIdOf = async (shortId: string) =>
      (await stores.read.issue(world.scope, shortId))?.id ?? assert.fail('no such issue')
    const change = async (shortId: string) => ({
      ...{ orgId: world.org, projects: world.scope.projects, ids: [await issueIdOf(shortId)] },
    })
    const actor = () => anActor(clock.now())
    const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
      Array.from({ length: count }, (_, index) => make(index))

    describe('that look at issues', () => {
      it('fire for a new issue once, however often its batch is applied and the beat comes', async () => {
        await rule(anIssueRule({ on: 'new' }))
        const batch = await arrive({ group: 'a' })
        await stores.write.applyBatch(batch)
        assert.deepEqual(await evaluate(), { fired: 1, messages: 1, escalated: 0, hasMore: false })
        await stores.write.applyBatch(batch)
        assert.equal((await evaluate()).fired, 0)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0)
        const [firing, ...others] = await firings()
        assert.equal(others.length, 0)
        assert.deepEqual([firing?.issue, firing?.level, firing?.untold], ['SHOP-1', 'info', null])
        assert.equal((await messages()).length, 1)
      })

      it('fire for an issue that comes back, and when somebody resolves one', async () => {
        await rule(anIssueRule({ on: 'regressed' }))
        await rule(anIssueRule({ on: 'resolved' }))
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0)
        clock.advance(MINUTE)
        value(await stores.write.resolve(await change('SHOP-1'), actor()))
        assert.equal((await evaluate()).fired, 1)
        clock.advance(MINUTE)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 1)
        assert.deepEqual(
          (await told()).map(([moment, level]) => [moment, level]),
          [
            ['fired', 'info'],
            ['resolved', 'ok'],
          ],
        )
      })

      it('fire with so many events of one issue within a window', async () => {
        const when = { on: 'frequency', of: 'events', atLeast: 3, withinMinutes: 5 } as const
        await rule(anIssueRule(when))
        await arrive({ group: 'a' }, { group: 'a' }, { group: 'b' })
        assert.equal((await evaluate()).fired, 0)
        clock.advance(10 * MINUTE)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0, 'the first two are out of the window')
        clock.advance(MINUTE)
        await arrive({ group: 'a' }, { group: 'a' })
        assert.equal((await evaluate()).fired, 1)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0, 'at most once per issue and hour')
        clock.advance(HOUR)
        await arrive({ group: 'a' }, { group: 'a' }, { group: 'a' })
        assert.equal((await evaluate()).fired, 1)
        assert.match((await firings())[0]?.because ?? '', /^3 events within 5 min$/)
      })

      it('count each person once', async () => {
        const when = { on: 'frequency', of: 'users', atLeast: 3, withinMinutes: 60 } as const
        await rule(anIssueRule(when))
        await arrive(...times(5, () => ({ group: 'a', user: 'id:1' })))
        await arrive({ group: 'a', user: 'id:2' })
        assert.equal((await evaluate()).fired, 0)
        clock.advance(30 * MINUTE)
        await arrive({ group: 'a', user: 'id:3' })
        assert.equal((await evaluate()).fired, 1)
      })

      it('count only events that the conditions choose', async () => {
        const when = { on: 'frequency', of: 'events', atLeast: 2, withinMinutes: 5 } as const
        const conditions = [{ is: 'environment', value: 'production' }] as const
        await rule(anIssueRule(when, { if: { match: 'all', conditions } }))
        const staging = { group: 'a', environment: 'staging', tags: { environment: 'staging' } }
        const production = { group: 'a', tags: { environment: 'production' } }
        await arrive(staging, staging, production)
        assert.equal((await evaluate()).fired, 0)
        await arrive(production)
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire with so many times more than in the window before', async () => {
        const when = { on: 'increase', of: 'events', times: 3, atLeast: 4, withinMinutes: 10 } as const
        await rule(anIssueRule(when))
        await arrive({ group: 'a' }, { group: 'a' })
        clock.advance(10 * MINUTE)
        await arrive(...times(5, () => ({ group: 'a' })))
        assert.equal((await evaluate()).fired, 0, '5 are less than three times 2')
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire when so many people looked a digest up', async () => {
        await rule(anIssueRule({ on: 'digest', atLeast: 2, withinMinutes: 60 }))
        await arrive({ group: 'a' })
        const issueId = await issueIdOf('SHOP-1')
        await stores.write.noteLookUps(
          [
            { issueId, person: 1n },
            { issueId, person: 1n },
          ],
          clock.now(),
        )
        assert.equal((await evaluate()).fired, 0)
        await stores.write.noteLookUps([{ issueId, person: 2n }], clock.now())
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire for comments and assignments that they ask for', async () => {
        await rule(anIssueRule({ on: 'activity', what: ['comment'] }))
        await arrive({ group: 'a' })
        value(await stores.write.assign(await change('SHOP-1'), world.owner, actor()))
        assert.equal((await evaluate()).fired, 0)
        value(await stores.write.comment(await change('SHOP-1'), 'Looking into it', actor()))
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire for an issue that exceeds the forecast of its past week, and mark it', async () => {
        await rule(anIssueRule({ on: 'escalating' }))
        for (let hour = 0; hour < 30; hour++) {
          await arrive({ group: 'a' })
          clock.advance(HOUR)
        }
        await evaluate()
        assert.equal((await firings()).length, 0)
        await arrive(...times(11, () => ({ group: 'a' })))
        assert.equal((await evaluate()).escalated, 1)
        const issue = await stores.read.issue(world.scope, 'SHOP-1')
        assert.deepEqual([issue?.status, issue?.substatus], ['unresolved', 'escalating'])
        await arrive(...times(20, () => ({ group: 'a' })))
        assert.deepEqual([(await evaluate()).escalated, (await firings()).length], [0, 1])
        const [activity] = await stores.read.activity(world.scope, await issueIdOf('SHOP-1'), 10)
        assert.deepEqual([activity?.kind, activity?.detail.forecast], ['escalated', 10])
      })

      it('bring an issue back that is archived until it escalates, whether a rule asks for it or not', async () => {
        for (let hour = 0; hour < 30; hour++) {
          await arrive({ group: 'a' })
          clock.advance(HOUR)
        }
        const until = archivedUntil({ escalating: true })
        value(await stores.write.archive(await change('SHOP-1'), until, actor()))
        assert.equal((await stores.read.issue(world.scope, 'SHOP-1'))?.substatus, 'archived_until_escalating')
        clock.advance(MINUTE)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).escalated, 0)
        await arrive(...times(11, () => ({ group: 'a' })))
        assert.equal((await evaluate()).escalated, 1)
        assert.equal((await stores.read.issue(world.scope, 'SHOP-1'))?.status, 'unresolved')
      })

      it('ask all or any of their conditions', async () => {
        const conditions = [
          { is: 'level', how: 'at least', level: 'error' },
          { is: 'text', value: 'Checkout' },
        ] as const
        const all = await rule(anIssueRule({ on: 'new' }, { if: { match: 'all', conditions } }))
        const any = await rule(anIssueRule({ on: 'new' }, { if: { match: 'any', conditions } }))
        await arrive({ group: 'a', facts: { level: 'error', title: 'Cart is empty', culprit: '' } })
        await arrive({ group: 'b', facts: { level: 'error', title: 'checkout fails', culprit: '' } })
        await arrive({ group: 'c', facts: { level: 'info', title: 'Cart is empty', culprit: '' } })
        await evaluate()
        assert.deepEqual([(await firings(all)).length, (await firings(any)).length], [1, 2])
      })

      it('look at their own projects alone, and at those of their organisation', async () => {
        await rule(anIssueRule({ on: 'new' }, { projects: [world.blog] }))
        await arrive({ group: 'a' }, { projectId: world.otherShop, group: 'a' })
        assert.equal((await evaluate()).fired, 0)
        await arrive({ projectId: world.blog, group: 'a' })
        assert.equal((await evaluate()).fired, 1)
      })

      it('tell of a storm in one message', async () => {
        await rule(anIssueRule({ on: 'new' }))
        await arrive(...times(40, (index) => ({ group: `storm ${index}` })))
        const first = await evaluate()
        assert.deepEqual([first.fired, first.messages], [40, max('alertStormFirings')])
        clock.advance(max('alertStormMs'))
        assert.equal((await evaluate()).messages, 1)
        const [storm] = await told()
        assert.deepEqual(storm, ['storm', 'info', '30 new issues in 5 minutes'])
        clock.advance(10 * MINUTE)
        assert.equal((await evaluate()).messages, 0)
      })

      it('say nothing while they are muted, and say so', async () => {
        const id = await rule(anIssueRule({ on: 'new' }))
        const mute = { untilMs: clock.now() + HOUR, by: 'Ada' }
        value(await stores.write.muteRule(world.org, id, mute, actor()))
        await arrive({ group: 'a' })
        assert.deepEqual([(await evaluate()).messages, (await firings())[0]?.untold], [0, 'muted'])
        clock.advance(HOUR)
        await arrive({ group: 'b' })
        assert.equal((await evaluate()).messages, 1)
      })

      it('are held back in quiet hours', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 11 * 60, untilMinute: 14 * 60 }
        await stores.write.setQuietHours(world.org, hours, actor())
        await rule(anIssueRule({ on: 'new' }, { isQuiet: true }))
        await arrive({ group: 'a' })
        await evaluate()
        const [entry] = await messages()
        assert.equal(entry?.heldUntilMs, NOW + 2 * HOUR)
      })

      it('cost nothing where there are none, and fire no more once they are off', async () => {
        const draft = anIssueRule({ on: 'new' })
        const id = await rule(draft)
        value(await stores.write.changeRule(world.org, id, { ...draft, isOn: false }, actor()))
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0)
      })
    })

    describe('that look at metrics', () => {
      const states = async () => (await rules()).map(({ state }) => state?.level)

      it('go from ok to warning, critical and back, and tell whoever asked to hear it', async () => {
        const notify = [
          { target: { to: 'members' }, fromLevel: 'warning' },
          { target: { to: 'user', userId: world.owner }, fromLevel: 'critical' },
        ] as const
        await rule(aMetricRule({ resolved: 3 }, { notify, name: 'Too much' }))
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['warning'])
        await arrive(...times(6, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
        clock.advance(10 * MINUTE)
        await arrive(...times(4, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['warning'], 'not below 3 yet')
        clock.advance(10 * MINUTE)
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
        assert.deepEqual(
          (await told()).reverse().map(([moment, level]) => `${moment} ${level}`),
          ['fired warning', 'fired critical', 'fired critical', 'resolved ok', 'resolved ok'],
        )
        const [firing, ...others] = await firings()
        assert.deepEqual(
          [others.length, firing?.level, firing?.extreme, firing?.endedMs],
          [0, 'critical', 12, clock.now()],
        )
      })

      it('count a batch that comes again once', async () => {
        await rule(aMetricRule())
        const batch = await arrive(...times(3, () => ({ group: 'a' })))
        await stores.write.applyBatch(batch)
        await stores.write.applyBatch(batch)
        await evaluate()
        assert.equal((await rules())[0]?.state?.value, 3)
      })

      it('say it again while it lasts', async () => {
        await rule(aMetricRule({ windowMinutes: 60 }, { everyMinutes: 20 }))
        await arrive(...times(20, () => ({ group: 'a' })))
        await evaluate()
        clock.advance(19 * MINUTE)
        assert.equal((await evaluate()).messages, 0)
        clock.advance(MINUTE)
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

      const requests = (of: { readonly failed: number; readonly good: number; readonly ms?: number }) =>
        stores.write.applyBatch(
          aRequestsBatch(seqNext++, {
            segments: times(of.failed + of.good, (index) =>
              aSegment({
                ...{ projectId: world.shop, name: `${seqNext} ${index}`, receivedMs: clock.now() },
                ...{ atMs: clock.now(), durationMs: of.ms ?? 100, route: '/checkout', kind: 'action' },
                end: index < of.failed ? 'failed' : 'answered',
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
            ...{ projectId: world.shop, id: `s${index}`, person: `p${index % 2}` },
            state: index === 0 ? 'crashed' : 'healthy',
          }),
        )
        await stores.write.applyBatch({ ...aSessionBatch(seqNext++, sessions) })
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
          anOutcome({ outcome: 'rate_limited', quantity: 70, projectId: world.shop, reason: 'key' }),
          anOutcome({ outcome: 'invalid', quantity: 40, projectId: world.blog, reason: 'invalid_json' }),
          anOutcome({ outcome: 'filtered', quantity: 900, projectId: world.shop, reason: 'x' }),
        ]
        await stores.write.applyBatch(aBatch(seqNext++, [], { outcomes, parts: [] }))
        await evaluate()
        assert.deepEqual((await rules())[0]?.state, { level: 'critical', sinceMs: NOW, value: 110 })
        clock.advance(2 * HOUR)
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
      })

      it('notice that nothing comes any more', async () => {
        await rule(aMetricRule({ measure: { of: 'silence' }, critical: 20, warning: null }))
        await evaluate()
        assert.deepEqual(await states(), ['ok'], 'what never spoke is not silent')
        const outcomes = [anOutcome({ projectId: world.shop, atMs: clock.now() })]
        await stores.write.applyBatch(aBatch(seqNext++, [], { outcomes, parts: [] }))
        clock.advance(19 * MINUTE)
        await evaluate()
        assert.deepEqual(await states(), ['ok'])
        clock.advance(2 * MINUTE)
        await evaluate()
        assert.deepEqual(await states(), ['critical'])
      })

      it('compare with the same hour last week', async () => {
        const when = { timesLastWeek: 2, windowMinutes: 60 } as const
        await rule(aMetricRule(when))
        const lastWeek = (quantity: number) =>
          anOutcome({ projectId: world.shop, quantity, atMs: NOW - 7 * DAY })
        const outcomes = [lastWeek(10)]
        await stores.write.applyBatch(aBatch(seqNext++, [], { outcomes, parts: [] }))
        await arrive(...times(15, () => ({ group: 'a' })))
        await evaluate()
        assert.deepEqual(await states(), ['ok'], '15 are less than twice 10')
        await arrive(...times(6, () => ({ group: 'a' })))
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
        value(await stores.write.changeRule(world.org, id, other, actor()))
        assert.deepEqual(await states(), [undefined])
        assert.equal((await firings())[0]?.endedMs, clock.now())
        await evaluate()
        assert.equal((await rules())[0]?.state?.value, 0)
      })
    })

    describe('as people set them', () => {
      it('begin with presets that tell nobody twice of what projects tell already', async () => {
        const mine = await stores.read.alertRules(world.otherScope, clock.now())
        assert.deepEqual(
          mine.map(({ rule: { name, isOn, isPreset } }) => [name, isOn, isPreset]),
          [
            ['Regressed issue', false, true],
            ['New issue seen by many', false, true],
            ['Escalating', true, true],
            ['Events are dropped', true, true],
          ],
        )
      })

      it('name only what is of their organisation', async () => {
        const foreign = anIssueRule({ on: 'new' }, { projects: [world.otherShop] })
        assert.equal(refusal(await stores.write.createRule(world.org, foreign, actor())), 'invalid_input')
        const notify = [{ target: { to: 'channel', channelId: 9 }, fromLevel: 'warning' }] as const
        const lost = anIssueRule({ on: 'new' }, { notify })
        assert.equal(refusal(await stores.write.createRule(world.org, lost, actor())), 'invalid_input')
      })

      it('are nobody’s of another organisation', async () => {
        const id = await rule(anIssueRule({ on: 'new' }))
        assert.equal(await stores.read.alertRule(world.otherScope, id, clock.now()), null)
        assert.equal(refusal(await stores.write.deleteRule(world.otherOrg, id, actor())), 'not_found')
        assert.equal(refusal(await stores.write.muteRule(world.otherOrg, id, null, actor())), 'not_found')
        const draft = anIssueRule({ on: 'regressed' })
        assert.equal(refusal(await stores.write.changeRule(world.otherOrg, id, draft, actor())), 'not_found')
        assert.equal(refusal(await stores.write.testRule(world.otherOrg, id, actor())), 'not_found')
      })

      it('send a test to each receiver', async () => {
        const id = await rule(anIssueRule({ on: 'new' }))
        assert.deepEqual(value(await stores.write.testRule(world.org, id, actor())), { messages: 1 })
        assert.deepEqual(await told(), [['test', 'info', 'Test: A rule']])
      })

      it('are counted by day', async () => {
        await rule(anIssueRule({ on: 'new' }))
        await arrive({ group: 'a' })
        await evaluate()
        clock.advance(DAY)
        const [view] = await rules()
        assert.deepEqual(view?.firedByDay, [...times(12, () => 0), 1, 0])
        assert.equal(view?.firedLastMs, NOW)
      })

      it('leave records for previews', async () => {
        await arrive({ group: 'a' }, { group: 'b' })
        clock.advance(MINUTE)
        value(await stores.write.resolve(await change('SHOP-1'), actor()))
        const range = { projects: null, startMs: NOW - DAY, endMs: clock.now() + 1 }
        const past = (kinds: readonly string[]) => stores.read.pastMoments(world.scope, { ...range, kinds })
        assert.equal((await past(['first_seen'])).length, 2)
        assert.deepEqual(await past(['resolved']), [
          { issueId: await issueIdOf('SHOP-1'), atMs: clock.now() },
        ])
        const hour = Math.floor(NOW / HOUR)
        const hours = { projects: null, startHour: hour - 1, endHour: hour + 1 }
        assert.equal((await stores.read.issueHours(world.scope, { ...hours, atLeast: 1 })).length, 2)
        assert.equal((await stores.read.issueHours(world.scope, { ...hours, atLeast: 2 })).length, 0)
        assert.equal((await stores.read.issueHours(world.otherScope, { ...hours, atLeast: 1 })).length, 0)
      })

      it('remember quiet hours, and what a person wants emailed', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, timeZone: 'Europe/Zurich' }
        await stores.write.setQuietHours(world.org, hours, actor())
        assert.deepEqual(await stores.read.quietHours(world.scope), hours)
        assert.deepEqual(await stores.read.quietHours(world.otherScope), QUIET_HOURS_DEFAULT)
        await stores.write.setEmailMomentsOff(world.owner, ['warning', 'issue'], actor())
        assert.deepEqual(await stores.read.emailMomentsOff(world.owner), ['issue', 'warning'])
        await stores.write.setEmailMomentsOff(world.owner, [], actor())
        assert.deepEqual(await stores.read.emailMomentsOff(world.owner), [])
      })
    })
  })
}
