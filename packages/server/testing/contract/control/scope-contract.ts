/** No read shows a row of another organisation or of a project outside the scope. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { digest } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anOutcome } from '../../builders/outcome.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

export function scopeContract(open: ControlFactory): void {
  describe('scopes', () => {
    const { stores, world } = openForEachTest(open)
    beforeEach(async () => {
      const event = {
        projectId: world.shop,
        tags: { secret: 'value', environment: 'secret', release: '1' },
        digests: ['42'],
        user: 'id:1',
      }
      const outcomes = [
        anOutcome({ projectId: world.shop, outcome: 'invalid', reason: 'invalid_json', example: 'x' }),
      ]
      await stores.write.applyBatch(aBatch(1, [anEvent(event)], { outcomes }))
      const token = {
        orgId: world.org,
        userId: null,
        name: 'ci',
        scopes: [],
        tail: 'abcd',
        expiresMs: null,
        tokenHash: 't',
      }
      value(await stores.write.createToken(token, anActor()))
      const invitation = { orgId: world.org, email: 'x@example.com', role: 'member', teams: [] } as const
      value(
        await stores.write.createInvitation({ ...invitation, codeHash: 'c', expiresMs: NOW + 1 }, anActor()),
      )
    })

    /** Everything a scope can be used to read about the shop, as one text. */
    const everything = async (scope: ReadScope) => {
      const { read } = stores
      const whole = scopeForTest({ orgId: world.org, projects: [world.shop] })
      const issue = await read.issueOfGroup(whole, world.shop, aHash('boom'))
      assert.ok(issue)
      const page = { sort: 'date', limit: 10, cursor: null } as const
      const range = { startMs: NOW - HOUR, endMs: NOW + HOUR }
      const query = { ...range, intervalMs: null, projects: null, keys: null, groupBy: ['outcome'] } as const
      const groups = [{ projectId: world.shop, hash: aHash('boom') }]
      return {
        list: (await read.list(scope, aFilter(), page)).rows,
        listOfProject: (await read.list(scope, aFilter({ projects: [world.shop] }), page)).rows,
        listOfIds: (await read.list(scope, aFilter({ issueIds: [issue.id] }), page)).rows,
        listOfGroups: (await read.list(scope, aFilter({ groups }), page)).rows,
        listOfText: (await read.list(scope, aFilter({ text: [{ value: 'boom', negated: false }] }), page))
          .rows,
        listOfTag: (
          await read.list(scope, aFilter({ tags: [{ key: 'secret', value: 'value', negated: false }] }), page)
        ).rows,
        counts: (await read.countByStatus(scope, aFilter())).all,
        countsByProject: (await read.countByProject(scope)).filter(
          ({ projectId }) => projectId === world.shop,
        ),
        issue: await read.issue(scope, String(issue.id)),
        shortId: await read.issue(scope, 'SHOP-1'),
        issuesByRefs: await read.issuesByRefs(scope, [String(issue.id), 'SHOP-1']),
        issueOfGroup: await read.issueOfGroup(scope, world.shop, aHash('boom')),
        groups: await read.groups(scope, issue.id),
        trend: (await read.trend(scope, issue.id, { ...range, stepMs: HOUR })).counts,
        activity: await read.activity(scope, issue.id, 10),
        tags: await read.tags(scope, issue.id, 10),
        digests: await read.digests(scope, [digest('42')]),
        digestsOfIssue: await read.digestsOfIssue(scope, issue.id, 10),
        newestDigests: await read.newestDigests(scope, [issue.id]),
        facetValues: await read.facetValues(scope, 'secret', '', 10),
        facetKeys: await read.facetKeys(scope, '', 10),
        facetKeyCounts: await read.facetKeyCounts(scope, ['secret']),
        project: await read.project(scope, String(world.shop)),
        keys: await read.keys(scope, world.shop),
        environments: await read.environments(scope, { projects: [world.shop], of: 'events' }),
        releases: await read.latestReleases(scope, null),
        suggestedReleases: await read.suggestedReleases(scope, {
          ...{ part: 'version', prefix: '', nowMs: 0, limit: 10 },
        }),
        size: Object.values(await read.size(scope, world.shop)).some((size) => size > 0) ? 'some' : null,
        outcomes: (await read.outcomes(scope, query)).groups,
        outcomesOfProject: (await read.outcomes(scope, { ...query, projects: [world.shop] })).groups,
        examples: await read.outcomeExamples(scope, { ...query, projects: [world.shop] }),
      }
    }
    const shown = (reads: Awaited<ReturnType<typeof everything>>) =>
      Object.entries(reads)
        .filter(([, read]) => read !== null && read !== 0 && !(Array.isArray(read) && read.length === 0))
        .map(([name]) => name)

    it('shows everything within it', async () => {
      const reads = await everything(world.shopScope)
      assert.deepEqual(shown(reads), Object.keys(reads))
    })

    it('shows nothing of a project outside it', async () => {
      assert.deepEqual(
        shown(await everything(scopeForTest({ orgId: world.org, projects: [world.blog] }))),
        [],
      )
      assert.deepEqual(shown(await everything(scopeForTest({ orgId: world.org, projects: [] }))), [])
    })

    it('shows nothing to another organisation, not even when its scope names the project', async () => {
      const slug = 'SHOP-1'
      assert.equal(await stores.read.issue(world.otherScope, slug), null)
      assert.deepEqual(shown(await everything(world.otherScope)), [])
      const forged = scopeForTest({ orgId: world.otherOrg, projects: [world.shop, world.otherShop] })
      assert.deepEqual(shown(await everything(forged)), [])
    })

    it('shows people, teams, invitations, tokens and the audit log of its own organisation alone', async () => {
      const { read } = stores
      const mine = scopeForTest({ orgId: world.org, projects: [world.blog] })
      const scopes = [mine, world.otherScope] as const
      const [members, otherMembers] = await Promise.all(scopes.map((scope) => read.members(scope)))
      assert.deepEqual(
        members?.map(({ userId }) => userId),
        [world.owner],
      )
      assert.deepEqual(
        otherMembers?.map(({ userId }) => userId),
        [world.otherOwner],
      )
      const [teams, otherTeams] = await Promise.all(scopes.map((scope) => read.teams(scope)))
      assert.deepEqual(
        teams?.map(({ slug, projects }) => [slug, projects]),
        [['acme', [world.blog]]],
      )
      assert.deepEqual(
        otherTeams?.map(({ slug }) => slug),
        ['rival'],
      )
      assert.equal((await read.tokens(mine)).length, 1)
      assert.deepEqual(await read.tokens(world.otherScope), [])
      assert.equal((await read.invitations(mine, NOW)).length, 1)
      assert.deepEqual(await read.invitations(world.otherScope, NOW), [])
      await stores.write.createSession(world.otherOwner, 'h', null, anActor(NOW, { address: '198.51.100.7' }))
      assert.ok(
        (await read.audit(world.otherScope, { limit: 50, before: null })).some(
          ({ address }) => address === '198.51.100.7',
        ),
      )
      assert.ok(
        (await read.audit(mine, { limit: 50, before: null })).every(
          ({ address }) => address !== '198.51.100.7',
        ),
      )
      assert.equal((await read.organisation(world.otherScope)).slug, 'rival')
    })
  })
}
