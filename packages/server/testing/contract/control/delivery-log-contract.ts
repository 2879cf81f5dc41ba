/** Contract of the log of whatever was sent of alerts: by rules, and by projects themselves. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { DeliveryLogQuery } from '#ports/messages.ts'
import { anIssueRule } from '../../builders/alert-rule.ts'
import { NOW } from '../../builders/times.ts'
import { alertWorld } from './alert-rules-world.ts'
import { channelChanges } from './channel-changes.ts'
import { type ControlFactory, value } from './stores.ts'

const MINUTE = 60_000
const ALL: DeliveryLogQuery = {
  ...{
    of: 'all',
    ruleId: null,
    kind: null,
    channelId: null,
    states: null,
    sinceMs: 0,
    text: '',
    before: null,
    limit: 100,
  },
}
const HOOK = { url: 'https://hooks.example.com/', secret: 's'.repeat(43) }

export function deliveryLogContract(open: ControlFactory): void {
  describe('The log of alerts', () => {
    const { at, rule, projectsTell, evaluate, messages, arrive, change, actor, times } = alertWorld(open)
    const log = (query: Partial<DeliveryLogQuery> = {}, scope = at.world.scope) =>
      at.stores.read.deliveryLog(scope, { ...ALL, ...query })
    const shown = async (query: Partial<DeliveryLogQuery> = {}, scope = at.world.scope) =>
      (await log(query, scope)).entries.map(({ headline, kind, to }) => `${kind} ${to}: ${headline}`)
    const refs = async (query: Partial<DeliveryLogQuery> = {}) =>
      (await log(query)).entries.map(({ ref }) => ref)
    const cursorOf = async (ref: string) =>
      (await log()).entries.find((entry) => entry.ref === ref)?.cursor ?? assert.fail(`no entry ${ref}`)

    /** A rule that tells a channel, and projects that mail and call a webhook. */
    async function begin(): Promise<number> {
      const settings = {
        kind: 'slack',
        name: '#shop',
        settings: {},
        secrets: { url: 'https://slack.example/' },
      } as const
      const { id } = value(
        await channelChanges(at.stores.write).createChannel(at.world.org, settings, actor()),
      )
      await projectsTell(true)
      value(await at.stores.write.setWebhook(at.world.org, at.world.shop, HOOK, actor()))
      const notify = [{ target: { to: 'channel', channelId: id }, fromLevel: 'warning' }] as const
      return rule(anIssueRule({ on: 'new' }, { name: 'All new', notify }))
    }
    const begun = async (group: string) => {
      await arrive({ group })
      await evaluate()
    }

    it('is of rules and projects, newest first, with the numbers of both', async () => {
      const id = await begin()
      await begun('a')
      at.clock.advance(MINUTE)
      await begun('b')
      const of = (group: string, number: number) => [
        `webhook Shop: SHOP-${number} is new: Error: ${group}`,
        `email Ada: SHOP-${number} is new: Error: ${group}`,
        `slack #shop: New: Error: ${group} in total`,
      ]
      const found = await shown()
      assert.deepEqual(found.slice(0, 3).toSorted(), of('b', 2).toSorted())
      assert.deepEqual(found.slice(3).toSorted(), of('a', 1).toSorted())
      const { entries, counts } = await log()
      assert.deepEqual([counts.waiting, counts.sent], [6, 0])
      const [own] = entries.filter(({ kind }) => kind === 'webhook')
      assert.deepEqual(
        [own?.ofProject, own?.rule, own?.issue, own?.level, own?.state, own?.tryCount],
        [{ slug: 'shop', name: 'Shop' }, null, 'SHOP-2', 'info', 'waiting', 0],
      )
      const ofRule = entries.find(({ kind }) => kind === 'slack')
      assert.deepEqual([ofRule?.ofProject, ofRule?.rule?.id, ofRule?.ref], [null, id, String(ofRule?.id)])
      assert.equal((await messages()).length, 2, 'the log of messages is of rules alone')
    })

    it('goes on page by page, where both sent at the same time as well', async () => {
      await begin()
      for (const group of ['a', 'b']) await begun(group)
      const whole = await refs()
      assert.equal(new Set(whole).size, 6)
      for (const [index, ref] of whole.entries())
        for (const before of [ref, await cursorOf(ref)])
          assert.deepEqual(await refs({ before, limit: 2 }), whole.slice(index + 1, index + 3), before)
      for (const none of ['p', 'x1', '', '1-', '1-2-3'])
        assert.deepEqual(await refs({ before: none }), [], none)
    })

    it('goes on from where an entry was that is gone', async () => {
      await begin()
      for (const group of ['a', 'b', 'c']) {
        await begun(group)
        at.clock.advance(MINUTE)
        await arrive({ group: `${group} of the blog`, projectId: at.world.blog })
        await evaluate()
        at.clock.advance(MINUTE)
      }
      const all = (await log()).entries
      const gone = all.flatMap((entry, index) => (entry.ofProject?.slug === 'blog' ? [{ entry, index }] : []))
      assert.equal(gone.length, 3)
      value(await at.stores.write.deleteProject(at.world.org, at.world.blog, actor()))
      const left = await refs()
      const isLeft = new Set(left)
      for (const { entry, index } of gone) {
        const behind = all.slice(index).flatMap(({ ref }) => (isLeft.has(ref) ? [ref] : []))
        assert.deepEqual(await refs({ before: entry.cursor }), behind, `behind ${entry.cursor}`)
        // Its name alone says less: nothing is passed over, and what a newer one of its sort came before is not shown again.
        const named = await refs({ before: entry.ref })
        assert.deepEqual(named.slice(-behind.length), behind, `behind ${entry.ref}`)
        const newer = left.filter(
          (ref) => ref.startsWith('p') && Number(ref.slice(1)) > Number(entry.ref.slice(1)),
        )
        assert.equal(
          named.some((ref) => newer.includes(ref) && ref !== newer[0]),
          false,
        )
      }
      assert.deepEqual(await refs({ before: 'p999' }), left, 'one that none is newer than')
    })

    it('answers numbers alone, as the log has them', async () => {
      await begin()
      await begun('a')
      const [claimed] = await at.stores.write.claimDeliveries({
        ...{ channel: 'webhook', nowMs: NOW, leaseMs: MINUTE, lease: 'a lease', limit: 1, triesMax: 3 },
      })
      assert.ok(claimed !== undefined)
      await at.stores.write.settleDelivery(claimed, { state: 'failed', says: 'Answered 404.' }, NOW + 40)
      const counted = (sinceMs: number, scope = at.world.scope) =>
        at.stores.read.deliveryCounts(scope, { sinceMs })
      const { rules, projects } = await counted(NOW)
      assert.deepEqual(rules, (await log({ of: 'rules' })).counts)
      assert.deepEqual(projects, (await log({ of: 'projects' })).counts)
      assert.deepEqual([rules.waiting, projects.waiting, projects.failed], [1, 1, 1])
      for (const none of [await counted(NOW + 1), await counted(0, at.world.otherScope)])
        assert.deepEqual(new Set(Object.values({ ...none.rules, ...none.projects })), new Set([0]))
    })

    it('narrows to a channel, to which no project’s own alert goes', async () => {
      const id = await begin()
      await begun('a')
      const [entry] = (await log({ ruleId: id })).entries
      assert.ok(typeof entry?.channelId === 'number')
      assert.deepEqual(await refs({ channelId: entry.channelId }), [entry.ref])
      assert.deepEqual(await refs({ channelId: entry.channelId + 1 }), [])
    })

    it('narrows to rules or projects, a kind, a state, a time and a text', async () => {
      const id = await begin()
      await begun('apple')
      const [claimed] = await at.stores.write.claimDeliveries({
        ...{ channel: 'webhook', nowMs: NOW, leaseMs: MINUTE, lease: 'a lease', limit: 1, triesMax: 3 },
      })
      assert.ok(claimed !== undefined)
      await at.stores.write.settleDelivery(claimed, { state: 'failed', says: 'Answered 404.' }, NOW + 40)
      const kinds = async (query: Partial<DeliveryLogQuery>) =>
        (await log(query)).entries.map(({ kind }) => kind).toSorted()
      assert.deepEqual(await kinds({ of: 'projects' }), ['email', 'webhook'])
      assert.deepEqual(await kinds({ of: 'rules' }), ['slack'])
      assert.deepEqual(await kinds({ ruleId: id }), ['slack'])
      assert.deepEqual(await kinds({ kind: 'email' }), ['email'])
      assert.deepEqual(await kinds({ states: ['failed'] }), ['webhook'])
      assert.deepEqual(await kinds({ text: 'SHOP-1' }), ['email', 'webhook'])
      assert.deepEqual(await kinds({ text: 'aPPle' }), ['email', 'slack', 'webhook'])
      assert.deepEqual(await kinds({ text: 'answered 404' }), ['webhook'])
      assert.deepEqual(await kinds({ text: 'pear' }), [])
      assert.deepEqual(await kinds({ text: 'äPPLE' }), ['email', 'slack', 'webhook'])
      assert.equal((await kinds({ sinceMs: NOW })).length, 3)
      assert.deepEqual(await kinds({ sinceMs: NOW + 1 }), [])
      const { counts, entries } = await log({ states: ['failed'] })
      assert.deepEqual([counts.failed, counts.waiting], [1, 2], 'numbers are of all states')
      assert.deepEqual(
        [entries[0]?.says, entries[0]?.settledMs, entries[0]?.tryCount],
        ['Answered 404.', NOW + 40, 1],
      )
    })

    it('shows no address that a mail server named, nor finds it', async () => {
      await begin()
      await begun('a')
      const [claimed] = await at.stores.write.claimDeliveries({
        ...{ channel: 'mail', nowMs: NOW, leaseMs: MINUTE, lease: 'a lease', limit: 1, triesMax: 3 },
      })
      assert.ok(claimed !== undefined)
      const says = '550 5.1.1 <ada@example.com>: ada@example.com is unknown'
      await at.stores.write.settleDelivery(claimed, { state: 'failed', says }, NOW + 40)
      const { entries } = await log({ states: ['failed'] })
      assert.deepEqual(
        entries.map((entry) => entry.says),
        ['550 5.1.1 <…>: … is unknown'],
      )
      assert.deepEqual(await shown({ text: 'ada@example' }), [])
    })

    it('says how long half took, of those that were sent', async () => {
      await begin()
      await begun('a')
      assert.equal((await log()).medianMs, null)
      const [claimed] = await at.stores.write.claimDeliveries({
        ...{ channel: 'webhook', nowMs: NOW, leaseMs: MINUTE, lease: 'a lease', limit: 1, triesMax: 3 },
      })
      assert.ok(claimed !== undefined)
      await at.stores.write.settleDelivery(claimed, { state: 'sent', says: 'Answered 204.' }, NOW + 70)
      assert.equal((await log()).medianMs, 70)
    })

    it('names a summary, and an issue that is gone', async () => {
      await begin()
      const most = max('noticesPerMinuteMax')
      await arrive(...times(most + 2, (index) => ({ group: `${index}` })))
      await evaluate()
      value(await at.stores.write.deleteIssues(await change('SHOP-1'), actor()))
      at.clock.advance(max('noticeSummaryWaitMs'))
      await at.stores.write.openDueNotices({ nowMs: at.clock.now(), limit: 10, mail: false })
      const own = await shown({ of: 'projects', kind: 'webhook' })
      assert.equal(own.length, most + 1)
      assert.equal(own[0], 'webhook Shop: Shop: 2 more new issues')
      assert.ok(own.includes('webhook Shop: A deleted issue'))
    })

    it('shows nothing of projects outside the scope', async () => {
      await begin()
      await begun('a')
      await arrive({ group: 'b', projectId: at.world.blog })
      await evaluate()
      const ofShop = await shown({ of: 'projects' }, at.world.shopScope)
      assert.equal(ofShop.length, 2)
      assert.ok(ofShop.every((line) => line.includes('SHOP-1')))
      assert.equal((await shown({ of: 'projects' })).length, 3)
      assert.deepEqual(await shown({}, at.world.otherScope), [])
      const blogs = (await log()).entries.find(({ ofProject }) => ofProject?.slug === 'blog')
      const before = { ...ALL, before: blogs?.ref ?? assert.fail('nothing of the blog') }
      const outside = await at.stores.read.deliveryLog(at.world.shopScope, before)
      const all = (await log({}, at.world.shopScope)).entries
      assert.deepEqual(outside.entries, all, 'nor is it a place to go on from')
    })
  })
}
