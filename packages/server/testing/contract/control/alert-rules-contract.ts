/** Contract of alert rules on issues, and as people set them: what makes each kind fire, once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { anIssueRule } from '../../builders/alert-rule.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { alertWorld } from './alert-rules-world.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

const MINUTE = 60_000

export function alertRulesContract(open: ControlFactory): void {
  describe('Alert rules', () => {
    const { at, rules, rule, evaluate, firings, messages, told, arrive, issueIdOf, change, actor, times } =
      alertWorld(open)

    describe('that look at issues', () => {
      it('fire for a new issue once, however often its batch is applied and the beat comes', async () => {
        await rule(anIssueRule({ on: 'new' }))
        const batch = await arrive({ group: 'a' })
        await at.stores.write.applyBatch(batch)
        assert.deepEqual(await evaluate(), {
          ...{ fired: 1, messages: 1, notices: 0, escalated: 0 },
          ...{ hasMore: false, metricsAfter: null, failedRules: [] },
        })
        await at.stores.write.applyBatch(batch)
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
        at.clock.advance(MINUTE)
        value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
        assert.equal((await evaluate()).fired, 1)
        at.clock.advance(MINUTE)
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
        at.clock.advance(10 * MINUTE)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0, 'the first two are out of the window')
        at.clock.advance(MINUTE)
        await arrive({ group: 'a' }, { group: 'a' })
        assert.equal((await evaluate()).fired, 1)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0, 'at most once per issue and hour')
        at.clock.advance(HOUR)
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
        at.clock.advance(30 * MINUTE)
        await arrive({ group: 'a', user: 'id:3' })
        assert.equal((await evaluate()).fired, 1)
      })

      it('count a visitor once whom the server knows by address and the browser by name', async () => {
        await rule(anIssueRule({ on: 'frequency', of: 'users', atLeast: 3, withinMinutes: 60 }))
        const half = { group: 'server', route: '/orders', handled: false, digests: ['77'] }
        const server = (address: string) =>
          ({ ...half, requestKind: 'document', user: address, people: [address] }) as const
        const mirror = (user: string, address: string) =>
          ({ ...half, group: 'mirror', isMirror: true, user, people: [user, address] }) as const
        const visitors = ['1', '2'].map((of) => [`id:${of}`, `ip:203.0.113.${of}`] as const)
        for (const [, address] of visitors) await arrive(server(address))
        at.clock.advance(10 * MINUTE)
        for (const [user, address] of visitors) await arrive(mirror(user, address))
        assert.equal((await evaluate()).fired, 0, 'two visitors, four names')
        await arrive(mirror('id:3', 'ip:203.0.113.3'))
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
        at.clock.advance(10 * MINUTE)
        await arrive(...times(5, () => ({ group: 'a' })))
        assert.equal((await evaluate()).fired, 0, '5 are less than three times 2')
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire when so many people looked a digest up', async () => {
        await rule(anIssueRule({ on: 'digest', atLeast: 2, withinMinutes: 60 }))
        await arrive({ group: 'a' })
        const issueId = await issueIdOf('SHOP-1')
        await at.stores.write.noteLookUps(
          [
            { issueId, person: 1n },
            { issueId, person: 1n },
          ],
          at.clock.now(),
        )
        assert.equal((await evaluate()).fired, 0)
        await at.stores.write.noteLookUps([{ issueId, person: 2n }], at.clock.now())
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire for comments and assignments that they ask for', async () => {
        await rule(anIssueRule({ on: 'activity', what: ['comment'] }))
        await arrive({ group: 'a' })
        value(await at.stores.write.assign(await change('SHOP-1'), at.world.owner, actor()))
        assert.equal((await evaluate()).fired, 0)
        value(
          await at.stores.write.comment(
            await change('SHOP-1'),
            { text: 'Looking into it', mentions: [] },
            actor(),
          ),
        )
        assert.equal((await evaluate()).fired, 1)
      })

      it('fire for an issue that exceeds the forecast of its past week, and mark it', async () => {
        await rule(anIssueRule({ on: 'escalating' }))
        for (let hour = 0; hour < 30; hour++) {
          await arrive({ group: 'a' })
          at.clock.advance(HOUR)
        }
        await evaluate()
        assert.equal((await firings()).length, 0)
        await arrive(...times(11, () => ({ group: 'a' })))
        assert.equal((await evaluate()).escalated, 1)
        const issue = await at.stores.read.issue(at.world.scope, 'SHOP-1')
        assert.deepEqual([issue?.status, issue?.substatus], ['unresolved', 'escalating'])
        await arrive(...times(20, () => ({ group: 'a' })))
        assert.deepEqual([(await evaluate()).escalated, (await firings()).length], [0, 1])
        const [activity] = await at.stores.read.activity(at.world.scope, await issueIdOf('SHOP-1'), 10)
        assert.deepEqual([activity?.kind, activity?.detail.forecast], ['escalated', 10])
      })

      it('bring an issue back that is archived until it escalates, whether a rule asks for it or not', async () => {
        for (let hour = 0; hour < 30; hour++) {
          await arrive({ group: 'a' })
          at.clock.advance(HOUR)
        }
        const until = archivedUntil({ escalating: true })
        value(await at.stores.write.archive(await change('SHOP-1'), until, actor()))
        assert.equal(
          (await at.stores.read.issue(at.world.scope, 'SHOP-1'))?.substatus,
          'archived_until_escalating',
        )
        at.clock.advance(MINUTE)
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).escalated, 0)
        await arrive(...times(11, () => ({ group: 'a' })))
        assert.equal((await evaluate()).escalated, 1)
        assert.equal((await at.stores.read.issue(at.world.scope, 'SHOP-1'))?.status, 'unresolved')
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
        await rule(anIssueRule({ on: 'new' }, { projects: [at.world.blog] }))
        await arrive({ group: 'a' }, { projectId: at.world.otherShop, group: 'a' })
        assert.equal((await evaluate()).fired, 0)
        await arrive({ projectId: at.world.blog, group: 'a' })
        assert.equal((await evaluate()).fired, 1)
      })

      it('of a crowd are evaluated in short turns, each once', async () => {
        const count = 60
        for (const name of times(count, (index) => `rule ${index}`))
          await rule(anIssueRule({ on: 'new' }, { name, notify: [] }))
        await arrive(...times(3, (index) => ({ group: `crowd ${index}` })))
        const turns = []
        do turns.push(await evaluate(false))
        while (turns.at(-1)?.hasMore === true && turns.length < 100)
        assert.ok(turns.length > 1, 'one transaction did it all')
        assert.equal(
          turns.reduce((sum, { fired }) => sum + fired, 0),
          3 * count,
        )
      })

      it('are refused beyond what batches are counted for, and as soon as one is switched off again taken', async () => {
        const counts = anIssueRule(
          { on: 'frequency', of: 'users', atLeast: 1, withinMinutes: 60 },
          {
            projects: [at.world.blog],
            if: { match: 'all', conditions: [{ is: 'environment', value: 'production' }] },
          },
        )
        const ids = []
        for (let made = 0; made < max('alertCountingRulesMax'); made++) ids.push(await rule(counts))
        const create = (draft: typeof counts) => at.stores.write.createRule(at.world.org, draft, actor())
        const one = await create({ ...counts, projects: null })
        assert.ok(!one.ok && one.code === 'conflict')
        assert.ok((await create(anIssueRule({ on: 'new' }))).ok, 'a rule that counts nothing for itself')
        assert.ok((await create({ ...counts, projects: [at.world.shop] })).ok, 'of another project')
        const off = await at.stores.write.changeRule(
          at.world.org,
          ids[0] ?? 0,
          { ...counts, isOn: false, seen: undefined },
          actor(),
        )
        assert.ok(off.ok)
        assert.ok((await create({ ...counts, projects: null })).ok)
      })

      it('tell of a storm in one message', async () => {
        await rule(anIssueRule({ on: 'new' }))
        await arrive(...times(40, (index) => ({ group: `storm ${index}` })))
        let [fired, messages] = [0, 0]
        for (let turn = await evaluate(); ; turn = await evaluate()) {
          fired += turn.fired
          messages += turn.messages
          if (!turn.hasMore) break
        }
        assert.deepEqual([fired, messages], [40, max('alertStormFirings')])
        at.clock.advance(max('alertStormMs'))
        assert.equal((await evaluate()).messages, 1)
        const [storm] = await told()
        assert.deepEqual(storm, ['storm', 'info', '30 new issues in 5 min'])
        at.clock.advance(10 * MINUTE)
        assert.equal((await evaluate()).messages, 0)
      })

      it('say nothing while they are muted, and say so', async () => {
        const id = await rule(anIssueRule({ on: 'new' }))
        const mute = { untilMs: at.clock.now() + HOUR, by: 'Ada' }
        value(await at.stores.write.muteRule(at.world.org, id, mute, actor()))
        await arrive({ group: 'a' })
        assert.deepEqual([(await evaluate()).messages, (await firings())[0]?.untold], [0, 'muted'])
        at.clock.advance(HOUR)
        await arrive({ group: 'b' })
        assert.equal((await evaluate()).messages, 1)
      })

      it('are held back in quiet hours', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 11 * 60, untilMinute: 14 * 60 }
        await at.stores.write.setQuietHours(at.world.org, hours, actor())
        await rule(anIssueRule({ on: 'new' }, { isQuiet: true }))
        await arrive({ group: 'a' })
        await evaluate()
        const [entry] = await messages()
        assert.equal(entry?.heldUntilMs, NOW + 2 * HOUR)
      })

      it('cost nothing where there are none, and fire no more once they are off', async () => {
        const draft = anIssueRule({ on: 'new' })
        const id = await rule(draft)
        value(await at.stores.write.changeRule(at.world.org, id, { ...draft, isOn: false }, actor()))
        await arrive({ group: 'a' })
        assert.equal((await evaluate()).fired, 0)
      })
    })

    describe('as people set them', () => {
      it('begin with presets that tell nobody twice of what projects tell already', async () => {
        const mine = await at.stores.read.alertRules(at.world.otherScope, at.clock.now())
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
        const foreign = anIssueRule({ on: 'new' }, { projects: [at.world.otherShop] })
        assert.equal(
          refusal(await at.stores.write.createRule(at.world.org, foreign, actor())),
          'invalid_input',
        )
        const notify = [{ target: { to: 'channel', channelId: 9 }, fromLevel: 'warning' }] as const
        const lost = anIssueRule({ on: 'new' }, { notify })
        assert.equal(refusal(await at.stores.write.createRule(at.world.org, lost, actor())), 'invalid_input')
      })

      it('are written over by nobody who has not seen them', async () => {
        const draft = anIssueRule({ on: 'new' })
        const id = await rule(draft)
        const { changeRule } = at.stores.write
        const isSaved = async (seen: object, isOn: boolean) =>
          (await changeRule(at.world.org, id, { ...draft, isOn, seen: { ...seen } }, actor())).ok
        assert.equal(await isSaved(draft, false), true)
        assert.equal(await isSaved(draft, true), false)
        const kept = (await at.stores.read.alertRule(at.world.scope, id, at.clock.now()))?.rule
        assert.deepEqual([kept?.isOn, await isSaved({ isOn: false }, true)], [false, true])
      })

      it('and so are quiet hours', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true }
        const { setQuietHours } = at.stores.write
        value(await setQuietHours(at.world.org, { ...hours, seen: { isOn: false } }, actor()))
        const stale = { ...hours, weekends: true, seen: { isOn: false } }
        assert.equal(refusal(await setQuietHours(at.world.org, stale, actor())), 'conflict')
        assert.deepEqual(await at.stores.read.quietHours(at.world.scope), hours)
      })

      it('are nobody’s of another organisation', async () => {
        const id = await rule(anIssueRule({ on: 'new' }))
        assert.equal(await at.stores.read.alertRule(at.world.otherScope, id, at.clock.now()), null)
        assert.equal(refusal(await at.stores.write.deleteRule(at.world.otherOrg, id, actor())), 'not_found')
        assert.equal(
          refusal(await at.stores.write.muteRule(at.world.otherOrg, id, null, actor())),
          'not_found',
        )
        const draft = anIssueRule({ on: 'regressed' })
        assert.equal(
          refusal(await at.stores.write.changeRule(at.world.otherOrg, id, draft, actor())),
          'not_found',
        )
        assert.equal(refusal(await at.stores.write.testRule(at.world.otherOrg, id, actor())), 'not_found')
      })

      it('tell of what was merged meanwhile as the issue that took it in, once', async () => {
        await rule(anIssueRule({ on: 'new' }, { everyMinutes: 1 }))
        await rule(anIssueRule({ on: 'resolved' }))
        await arrive({ group: 'old' })
        await evaluate()
        assert.deepEqual(await told(), [['fired', 'info', 'New: Error: old in total']])
        at.clock.advance(max('alertGatherMs'))
        await arrive({ group: 'a' }, { group: 'b' })
        value(await at.stores.write.resolve(await change('SHOP-2'), actor()))
        const into = await issueIdOf('SHOP-1')
        const merged = {
          ...(await change('SHOP-2')),
          ids: [await issueIdOf('SHOP-2'), await issueIdOf('SHOP-3')],
        }
        value(await at.stores.write.merge(merged, into, actor()))
        await evaluate()
        const fired = await firings()
        assert.deepEqual(
          fired.map(({ issue, headline }) => [issue, headline.split(':')[0]]),
          [
            ['SHOP-1', 'New'],
            ['SHOP-1', 'New'],
          ],
        )
        await evaluate()
        assert.equal((await firings()).length, 2)
      })

      it('tell nothing of what was deleted meanwhile', async () => {
        await rule(anIssueRule({ on: 'new' }))
        await arrive({ group: 'a' }, { group: 'b' })
        value(await at.stores.write.deleteIssues(await change('SHOP-1'), actor()))
        await evaluate()
        assert.deepEqual(await told(), [['fired', 'info', 'New: Error: b in total']])
      })

      it('send a test to each receiver', async () => {
        const id = await rule(anIssueRule({ on: 'new' }))
        assert.deepEqual(value(await at.stores.write.testRule(at.world.org, id, actor())), { messages: 1 })
        assert.deepEqual(await told(), [['test', 'info', 'Test: A rule']])
      })

      it('show a test of a project’s rule to its readers alone', async () => {
        const id = await rule(anIssueRule({ on: 'new' }, { projects: [at.world.blog] }))
        value(await at.stores.write.testRule(at.world.org, id, actor()))
        const asked = {
          of: 'rules',
          ruleId: null,
          kind: null,
          channelId: null,
          states: null,
          sinceMs: 0,
          text: '',
          before: null,
          limit: 9,
        } as const
        assert.equal((await at.stores.read.deliveryLog(at.world.shopScope, asked)).entries.length, 0)
        assert.equal((await messages()).length, 1)
      })

      it('are counted by day', async () => {
        await rule(anIssueRule({ on: 'new' }))
        await arrive({ group: 'a' })
        await evaluate()
        at.clock.advance(DAY)
        const [view] = await rules()
        assert.deepEqual(view?.firedByDay, [...times(12, () => 0), 1, 0])
        assert.equal(view?.firedLastMs, NOW)
      })

      it('leave records for previews', async () => {
        await arrive({ group: 'a' }, { group: 'b' })
        at.clock.advance(MINUTE)
        value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
        const range = { projects: null, startMs: NOW - DAY, endMs: at.clock.now() + 1 }
        const past = (kinds: readonly string[]) =>
          at.stores.read.pastMoments(at.world.scope, { ...range, kinds })
        assert.equal((await past(['first_seen'])).length, 2)
        assert.deepEqual(await past(['resolved']), [
          { issueId: await issueIdOf('SHOP-1'), atMs: at.clock.now() },
        ])
        const hour = Math.floor(NOW / HOUR)
        const hours = { projects: null, startHour: hour - 1, endHour: hour + 1 }
        assert.equal((await at.stores.read.issueHours(at.world.scope, { ...hours, atLeast: 1 })).length, 2)
        assert.equal((await at.stores.read.issueHours(at.world.scope, { ...hours, atLeast: 2 })).length, 0)
        assert.equal(
          (await at.stores.read.issueHours(at.world.otherScope, { ...hours, atLeast: 1 })).length,
          0,
        )
      })

      it('email nobody what they have switched off', async () => {
        await at.stores.write.setEmailMomentsOff(at.world.owner, ['issue'], actor())
        await rule(anIssueRule({ on: 'new' }))
        await rule(anIssueRule({ on: 'resolved' }))
        await arrive({ group: 'a' })
        await evaluate()
        assert.deepEqual(
          (await messages()).map(({ state }) => state),
          ['cancelled'],
        )
        at.clock.advance(MINUTE)
        value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
        await evaluate()
        assert.deepEqual(
          (await messages()).map(({ state }) => state),
          ['waiting', 'cancelled'],
        )
      })

      it('remember quiet hours, and what a person wants emailed', async () => {
        const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, timeZone: 'Europe/Zurich' }
        await at.stores.write.setQuietHours(at.world.org, hours, actor())
        assert.deepEqual(await at.stores.read.quietHours(at.world.scope), hours)
        assert.deepEqual(await at.stores.read.quietHours(at.world.otherScope), QUIET_HOURS_DEFAULT)
        await at.stores.write.setEmailMomentsOff(at.world.owner, ['warning', 'issue'], actor())
        assert.deepEqual(await at.stores.read.emailMomentsOff(at.world.owner), ['issue', 'warning'])
        await at.stores.write.setEmailMomentsOff(at.world.owner, [], actor())
        assert.deepEqual(await at.stores.read.emailMomentsOff(at.world.owner), [])
      })
    })
  })
}
