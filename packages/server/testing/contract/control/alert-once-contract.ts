/** Contract of how often people are told of the same, and of what pagers have open. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { Evaluated } from '#ports/alerts.ts'
import type { ChannelKind } from '#ports/channels.ts'
import { aMetricRule, anIssueRule } from '../../builders/alert-rule.ts'
import { alertWorld } from './alert-rules-world.ts'
import { channelChanges } from './channel-changes.ts'
import { type ControlFactory, value } from './stores.ts'

const MINUTE = 60_000

export function alertOnceContract(open: ControlFactory): void {
  describe('Alerts', () => {
    const { at, rule, projectsTell, evaluate, messages, arrive, change, actor, times } = alertWorld(open)
    /** Emails that the project's own alerts send. */
    const ownEmails = async () =>
      (
        await at.stores.write.claimDeliveries({
          ...{ channel: 'mail', nowMs: at.clock.now(), leaseMs: MINUTE, lease: `own ${at.clock.now()}` },
          ...{ limit: 100, triesMax: 3 },
        })
      ).map(({ to }) => (to.channel === 'mail' ? to.email : ''))
    /** Receivers of messages that rules have on their way. */
    const waiting = async () =>
      (await messages()).flatMap(({ state, to, moment }) => (state === 'waiting' ? [`${moment} ${to}`] : []))
    const toEverybody = async () => {
      const targets = [{ to: 'members' }, { to: 'user', userId: at.world.owner }] as const
      await rule(
        anIssueRule({ on: 'new' }, { notify: targets.map((target) => ({ target, fromLevel: 'warning' })) }),
      )
      await rule(anIssueRule({ on: 'new' }))
      await rule(anIssueRule({ on: 'frequency', of: 'events', atLeast: 1, withinMinutes: 5 }))
    }
    const channel = async (kind: ChannelKind) => {
      const made = {
        kind,
        name: kind,
        settings: {},
        secrets: { routingKey: 'x', key: 'x', url: 'https://x.example' },
      }
      return value(await channelChanges(at.stores.write).createChannel(at.world.org, made, actor())).id
    }
    const toChannel = (channelId: number) => ({
      notify: [{ target: { to: 'channel', channelId }, fromLevel: 'warning' }] as const,
    })

    it('email a person once of a new issue, however many rules and whose own alerts name them', async () => {
      await toEverybody()
      await projectsTell(true)
      await arrive({ group: 'a' })
      await evaluate()
      assert.ok((await ownEmails()).length > 0)
      assert.deepEqual(await waiting(), [])
      assert.ok((await messages()).every(({ state }) => state === 'gathered'))
    })

    it('email a person once of each of more issues than own alerts leave at once, however late they are looked at', async () => {
      await rule(anIssueRule({ on: 'new' }))
      await projectsTell(true)
      const most = max('noticesPerMinuteMax')
      for (const projectId of [at.world.shop, at.world.blog])
        await arrive(...times(most, (index) => ({ group: `${projectId} ${index}`, projectId })))
      assert.ok(2 * most > max('noticeOpenMax'))
      at.clock.advance(10_000)
      await evaluate()
      await at.stores.write.openDueNotices({ nowMs: at.clock.now(), limit: 100, mail: true })
      const own = await ownEmails()
      assert.equal(own.length, max('noticeOpenMax'))
      assert.equal(own.length + (await waiting()).length, 2 * most)
    })

    it('email a person of events that came long after those of an own alert, told late or not', async () => {
      await rule(anIssueRule({ on: 'frequency', of: 'events', atLeast: 2, withinMinutes: 5 }))
      await projectsTell(true)
      await arrive({ group: 'at most as late' }, { group: 'later' })
      at.clock.advance(5_000)
      await arrive({ group: 'at most as late' })
      at.clock.advance(1)
      await arrive({ group: 'later' })
      at.clock.advance(MINUTE)
      await evaluate()
      assert.equal((await ownEmails()).length, 2)
      const told = (await messages()).map(({ state, headline }) => `${state} ${headline}`).toSorted()
      assert.deepEqual(told, [
        'gathered Frequent: Error: at most as late in total',
        'waiting Frequent: Error: later in total',
      ])
    })

    it('email a person of an own alert that is left for later, though a rule told them of later events', async () => {
      await rule(anIssueRule({ on: 'frequency', of: 'events', atLeast: 2, withinMinutes: 5 }))
      await projectsTell(true)
      const most = max('noticesPerMinuteMax')
      const both = [at.world.shop, at.world.blog]
      const all = both.flatMap((projectId) => times(most, (index) => ({ group: `${index}`, projectId })))
      await arrive(...all)
      at.clock.advance(5_001)
      await arrive(...all)
      await evaluate()
      await at.stores.write.openDueNotices({ nowMs: at.clock.now(), limit: 100, mail: true })
      assert.equal((await ownEmails()).length, 2 * most)
      assert.equal((await waiting()).length, 2 * most)
    })

    it('email a person once where a rule told them just before the project’s own alert', async () => {
      await toEverybody()
      await arrive({ group: 'a' })
      await evaluate()
      const told = await waiting()
      assert.equal(new Set(told).size, told.length)
      assert.ok(told.length > 0)
      await projectsTell(true)
      value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
      at.clock.advance(2_000)
      await arrive({ group: 'a' })
      await evaluate()
      assert.deepEqual(await ownEmails(), [])
      const log = await at.stores.read.noticeLog(at.world.scope, at.world.shop, { limit: 10, before: null })
      assert.deepEqual(
        log.map(({ dropped }) => dropped),
        ['Everyone was notified by an alert rule.'],
      )
    })

    it('are told by the project once, however many turns its rules take', async () => {
      for (let index = 0; index < 80; index++) await rule(anIssueRule({ on: 'new' }, { name: `${index}` }))
      await projectsTell(true)
      await arrive({ group: 'a' })
      const turns: Evaluated[] = [await evaluate()]
      while (turns.at(-1)?.hasMore === true) turns.push(await evaluate())
      assert.ok(turns.length > 1, `${turns.length} turns`)
      assert.deepEqual(
        turns.flatMap(({ notices }) => (notices === 0 ? [] : [notices])),
        [1],
      )
      assert.equal(
        turns.reduce((sum, { fired }) => sum + fired, 0),
        80,
      )
      assert.deepEqual(await ownEmails(), ['Ada@Example.com'])
    })

    it('email a person once whom a channel names by their address, in whatever order', async () => {
      const mailTo = async (name: string, address: string) => {
        const made = { kind: 'email', name, settings: { address }, secrets: {} } as const
        return value(await channelChanges(at.stores.write).createChannel(at.world.org, made, actor())).id
      }
      const mine = await mailTo('mine', ' ADA@example.com ')
      const same = await mailTo('same', 'ada@EXAMPLE.com')
      const other = await mailTo('other', 'ops@example.com')
      const to = (channelId: number) =>
        ({ target: { to: 'channel', channelId }, fromLevel: 'warning' }) as const
      const members = { target: { to: 'members' }, fromLevel: 'warning' } as const
      const emails = async () =>
        (await messages()).flatMap(({ state, to: name }) => (state === 'waiting' ? [name] : [])).sort()
      await rule(anIssueRule({ on: 'new' }, { notify: [to(mine), to(same), to(other), members] }))
      await rule(anIssueRule({ on: 'new' }, { notify: [members, to(mine)] }))
      await arrive({ group: 'a' })
      await evaluate()
      assert.deepEqual(await emails(), ['mine', 'other'])
      await projectsTell(true)
      at.clock.advance(MINUTE)
      await arrive({ group: 'b' })
      await evaluate()
      assert.deepEqual(await ownEmails(), ['Ada@Example.com'])
      assert.deepEqual(await emails(), ['mine', 'other', 'other'])
    })

    it('email a person again of what comes later, of other issues, and of what people did', async () => {
      await rule(anIssueRule({ on: 'frequency', of: 'events', atLeast: 3, withinMinutes: 5 }))
      await rule(anIssueRule({ on: 'resolved' }))
      await projectsTell(true)
      await arrive({ group: 'a' })
      await evaluate()
      await ownEmails()
      at.clock.advance(MINUTE)
      await arrive({ group: 'a' }, { group: 'a' }, { group: 'b' })
      await evaluate()
      value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
      await evaluate()
      const moments = (await messages())
        .filter(({ state }) => state === 'waiting')
        .map(({ moment }) => moment)
      assert.deepEqual(new Set(moments), new Set(['fired', 'resolved']))
      assert.ok((await ownEmails()).length > 0, 'SHOP-2 is new')
    })

    it('email a person whom two receivers of a metric rule name once', async () => {
      const targets = [{ to: 'members' }, { to: 'user', userId: at.world.owner }] as const
      const notify = targets.map((target) => ({ target, fromLevel: 'warning' }) as const)
      await rule(aMetricRule({ critical: 1 }, { notify }))
      await arrive({ group: 'a' }, { group: 'b' })
      await evaluate()
      const told = await waiting()
      assert.equal(new Set(told).size, told.length)
    })

    for (const kind of ['pagerduty', 'opsgenie'] as const)
      it(`close what ${kind} has open of an issue when it is resolved, once, behind what opened it`, async () => {
        await rule(anIssueRule({ on: 'new' }, toChannel(await channel(kind))))
        await arrive({ group: 'a' }, { group: 'b' })
        await evaluate()
        value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
        await evaluate()
        await evaluate()
        assert.deepEqual(await waiting(), [`resolved ${kind}`, `fired ${kind}`, `fired ${kind}`])
        const claim = async (lease: string) =>
          (
            await at.stores.write.claimMessages({
              ...{ nowMs: at.clock.now(), leaseMs: MINUTE, lease, limit: 10, triesMax: 3 },
            })
          ).map(({ id, lease: mine, message }) => ({
            id,
            lease: mine,
            moment: message.moment,
            story: message.story,
          }))
        const opened = await claim('one')
        assert.deepEqual(
          opened.map(({ moment }) => moment),
          ['fired', 'fired'],
        )
        for (const one of opened)
          await at.stores.write.settleMessage(one, { state: 'sent', says: 'ok', tookMs: 1 }, at.clock.now())
        const [closed, ...others] = await claim('two')
        assert.deepEqual([closed?.moment, closed?.story, others], ['resolved', opened[0]?.story, []])
      })

    it('close nothing of channels that keep nothing open, and nothing twice where a rule tells it already', async () => {
      await rule(anIssueRule({ on: 'new' }, toChannel(await channel('slack'))))
      const pager = await channel('pagerduty')
      await rule(anIssueRule({ on: 'new' }, toChannel(pager)))
      await rule(anIssueRule({ on: 'resolved' }, toChannel(pager)))
      await arrive({ group: 'a' })
      await evaluate()
      at.clock.advance(MINUTE)
      value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
      await evaluate()
      assert.deepEqual(
        (await waiting()).filter((one) => one.startsWith('resolved')),
        ['resolved pagerduty'],
      )
    })

    it('close what a pager has open of a storm with the last of its issues, and at once where they were resolved before', async () => {
      await rule(anIssueRule({ on: 'new' }, toChannel(await channel('pagerduty'))))
      const storm = (name: string, count: number) =>
        arrive(...Array.from({ length: count }, (_, index) => ({ group: `${name} ${index}` })))
      const ofStorms = async () =>
        (await messages()).flatMap(({ moment }) =>
          moment === 'storm' || moment === 'resolved' ? [moment] : [],
        )
      const resolve = async (...refs: readonly string[]) => {
        for (const ref of refs) value(await at.stores.write.resolve(await change(ref), actor()))
        await evaluate()
      }
      await storm('first', 12)
      await evaluate()
      at.clock.advance(max('alertStormMs'))
      await evaluate()
      assert.deepEqual(await ofStorms(), ['storm'])
      await resolve('SHOP-11')
      assert.equal((await ofStorms()).length, 1, 'SHOP-12 is open')
      await resolve('SHOP-12')
      assert.deepEqual((await ofStorms()).sort(), ['resolved', 'storm'])
      await resolve('SHOP-12')
      assert.equal((await ofStorms()).length, 2, 'once')
      at.clock.advance(60 * MINUTE)
      await storm('second', 11)
      await evaluate()
      await resolve('SHOP-23')
      at.clock.advance(max('alertStormMs'))
      await evaluate()
      assert.equal((await ofStorms()).length, 4)
    })

    it('close what was opened of an issue that was merged into another, with that one', async () => {
      await rule(anIssueRule({ on: 'new' }, toChannel(await channel('pagerduty'))))
      await arrive({ group: 'a' }, { group: 'b' })
      await evaluate()
      const [one, other] = [await change('SHOP-1'), await change('SHOP-2')]
      value(await at.stores.write.merge(other, one.ids[0] ?? assert.fail('no issue'), actor()))
      value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
      await evaluate()
      assert.equal((await waiting()).filter((told) => told.startsWith('resolved')).length, 2)
    })
  })
}
