/** Contract of what alerts are about and whom they concern: priority, suspects, mirrors, projects, channels that go. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createChanges } from '#commands/changes.ts'
import { max } from '#limits/limits.ts'
import type { ReleaseCommit } from '#ports/releases.ts'
import { aMetricRule, anIssueRule } from '../../builders/alert-rule.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'
import { alertWorld } from './alert-rules-world.ts'
import { channelChanges } from './channel-changes.ts'
import { type ControlFactory, value } from './stores.ts'

const MINUTE = 60_000
const RELEASE = 'web@2.0.0'

const aCommit = (id: string, path: string): ReleaseCommit => ({
  ...{ id, repository: 'shop/web', message: `Change ${id}`, authorName: 'Ada' },
  ...{ authorEmail: 'ada@example.com', atMs: NOW, files: [{ path, type: 'M' }] },
})

export function alertConcernsContract(open: ControlFactory): void {
  describe('Alert rules', () => {
    const { at, rules, rule, evaluate, firings, messages, arrive, issueIdOf, actor } = alertWorld(open)
    const commit = async (...commits: readonly ReleaseCommit[]) => {
      const place = { orgId: at.world.org, readable: at.world.scope.projects, version: RELEASE }
      value(await at.stores.write.putRelease(place, { projects: [at.world.shop] }, actor()))
      value(await at.stores.write.setCommits(place, commits, actor()))
    }
    const sent = async () => {
      const { id } = (await messages())[0] ?? assert.fail('nothing was sent')
      return (await at.stores.read.messageSent(at.world.scope, id))?.message ?? assert.fail('no message')
    }

    it('hold by priority, that people chose or that shows', async () => {
      const conditions = [{ is: 'priority', how: 'at least', priority: 'medium' }] as const
      await rule(anIssueRule({ on: 'new' }, { if: { match: 'all', conditions } }))
      await arrive({ group: 'low', level: 'warning', handled: true }, { group: 'bad', level: 'fatal' })
      assert.equal((await evaluate()).fired, 1)
      assert.match((await firings())[0]?.headline ?? '', /bad/)
      const exactly = [{ is: 'priority', how: 'exactly', priority: 'low' }] as const
      await rule(anIssueRule({ on: 'resolved' }, { if: { match: 'all', conditions: exactly } }))
      const one = async (shortId: string) => ({
        ...{ orgId: at.world.org, projects: at.world.scope.projects, ids: [await issueIdOf(shortId)] },
      })
      value(await at.stores.write.prioritise(await one('SHOP-2'), 'low', actor()))
      value(await at.stores.write.resolve(await one('SHOP-2'), actor()))
      assert.equal((await evaluate()).fired, 1)
    })

    it('name the commit that touched the place of the failure in its release', async () => {
      await commit(aCommit('c41f9e2aa', 'shop/app/cart.ts'), aCommit('b000000', 'app/other.ts'))
      await rule(anIssueRule({ on: 'new' }))
      await arrive({ group: 'a', release: RELEASE })
      await evaluate()
      const { name } = (await at.stores.read.members(at.world.scope))[0] ?? assert.fail('no member')
      assert.equal((await sent()).issue?.suspect, `c41f9e2 by ${name}`)
    })

    it('name no commit where none touched it', async () => {
      await commit(aCommit('b000000', 'app/other.ts'))
      await rule(anIssueRule({ on: 'new' }))
      await arrive({ group: 'a', release: RELEASE })
      await evaluate()
      assert.equal((await sent()).issue?.suspect, null)
    })

    it('find new issues assigned to the author of the suspect commit, where the project wants it', async () => {
      await commit(aCommit('c41f9e2aa', 'app/cart.ts'))
      const place = { org: at.world.org, project: at.world.shop }
      value(await at.stores.write.setOwnership(place, { assignsSuspects: true }, actor()))
      await arrive({ group: 'a', release: RELEASE }, { group: 'b', facts: { filename: 'app/till.ts' } })
      const issue = async (shortId: string) => await at.stores.read.issue(at.world.scope, shortId)
      assert.equal((await issue('SHOP-1'))?.assignee?.userId, at.world.owner)
      assert.equal((await issue('SHOP-2'))?.assignee, null)
      const [record] = await at.stores.read.activity(at.world.scope, await issueIdOf('SHOP-1'), 1)
      assert.deepEqual([record?.kind, record?.detail.rule], ['assigned', 'suspect commit c41f9e2'])
    })

    it('fire for a mirror that stands alone in the end, with what its events said', async () => {
      const conditions = [{ is: 'environment', value: 'production' }] as const
      await rule(anIssueRule({ on: 'new' }, { if: { match: 'all', conditions } }))
      await rule(anIssueRule({ on: 'frequency', of: 'events', atLeast: 2, withinMinutes: 60 }))
      const mirror = {
        ...{ group: 'mirror', isMirror: true, handled: false, digests: ['1234567890'] },
        requestKind: 'browser',
        tags: { environment: 'production' },
      } as const
      await arrive(mirror, mirror)
      assert.equal((await evaluate()).fired, 0, 'the server’s half may still come')
      at.clock.advance(max('mirrorWaitMs') + 1)
      assert.equal((await at.stores.write.standAlone(at.clock.now())).issues, 1)
      assert.equal((await evaluate()).fired, 2)
      assert.equal((await evaluate()).fired, 0)
    })

    it('are seen, with what they sent, by those who may read one of their projects', async () => {
      const { org, shop, blog } = at.world
      const third = value(
        await at.stores.write.createProject(
          { orgId: org, slug: 'third', name: 'Third', platform: null, teams: [], keyPublic: 'c'.repeat(32) },
          actor(),
        ),
      )
      const scopeOf = (...projects: readonly (typeof shop)[]) => scopeForTest({ orgId: org, projects })
      await rule(aMetricRule({ critical: 0, warning: null }, { projects: [shop, blog] }))
      await arrive({ group: 'a' })
      await evaluate()
      const seen = async (...projects: readonly (typeof shop)[]) => {
        const scope = scopeOf(...projects)
        const asked = { ruleId: null, sinceMs: 0, before: null, limit: 10 }
        const all = { ...asked, of: 'rules' as const, kind: null, channelId: null, states: null, text: '' }
        const { entries } = await at.stores.read.deliveryLog(scope, all)
        return [(await at.stores.read.firings(scope, asked)).length, entries.length]
      }
      assert.deepEqual(await seen(shop), [1, 1])
      assert.deepEqual(await seen(blog, third.id), [1, 1])
      assert.deepEqual(await seen(third.id), [0, 0])
      const { id } = (await messages())[0] ?? assert.fail('nothing was sent')
      assert.equal(await at.stores.read.messageSent(scopeOf(third.id), id), null)
    })

    it('lose a channel that is deleted, and can be changed afterwards', async () => {
      const slack = {
        kind: 'slack',
        name: '#a',
        settings: {},
        secrets: { url: 'https://x.example' },
      } as const
      const { id } = value(await channelChanges(at.stores.write).createChannel(at.world.org, slack, actor()))
      const target = { to: 'channel', channelId: id } as const
      const notify = [
        { target, fromLevel: 'warning' },
        { target: { to: 'members' }, fromLevel: 'warning' },
      ] as const
      const draft = anIssueRule({ on: 'new' }, { notify })
      const ruleId = await rule(draft)
      value(await channelChanges(at.stores.write).deleteChannel(at.world.org, id, actor()))
      const [view] = await rules()
      assert.deepEqual(view?.rule.notify, [notify[1]])
      value(
        await at.stores.write.changeRule(at.world.org, ruleId, { ...draft, notify: [notify[1]] }, actor()),
      )
    })

    it('have channels whose last answer may be that of a test', async () => {
      const slack = {
        kind: 'slack',
        name: '#a',
        settings: {},
        secrets: { url: 'https://x.example' },
      } as const
      const { id } = value(await channelChanges(at.stores.write).createChannel(at.world.org, slack, actor()))
      const answer = { isDelivered: false, says: 'Answered 404.', atMs: NOW + MINUTE }
      const { own } = createChanges(at.stores.write)
      await own('noteAnswer', { orgId: at.world.otherOrg, id, answer })
      assert.equal((await at.stores.read.channel(at.world.scope, id))?.last, null)
      await own('noteAnswer', { orgId: at.world.org, id, answer })
      assert.deepEqual((await at.stores.read.channel(at.world.scope, id))?.last, answer)
    })
  })
}
