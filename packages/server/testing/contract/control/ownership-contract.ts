/** Contract of ownership: rules are kept, and new issues get the owners that they name. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { ISSUE_OWNERS } from '#model/tables/issues.ts'
import type { AssigneeCondition } from '#ports/issues.ts'
import { NO_OWNERSHIP } from '#ports/ownership.ts'
import { anActor } from '../../builders/actor.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

export function ownershipContract(open: ControlFactory): void {
  describe('ownership', () => {
    const { stores, world, send, issueOf } = openForEachTest(open)

    const place = () => ({ org: world.org, project: world.shop })
    const ownersOf = async (group: string) => {
      const { id } = await issueOf(group)
      const owners = await stores.write.write((tx) => tx.rows(ISSUE_OWNERS).find({ issueId: id }, 100))
      return owners.map(({ userId, teamId }) => (teamId === null ? userId : { team: teamId }))
    }

    it('keeps what is set, part by part, with an entry in the log', async () => {
      const { read, write } = stores
      assert.deepEqual(await read.ownership(world.scope, world.shop), NO_OWNERSHIP)
      value(await write.setOwnership(place(), { rules: 'path:* ada@example.com' }, anActor(NOW + 1)))
      value(await write.setOwnership(place(), { isAutoAssigned: true }, anActor(NOW + 2)))
      assert.deepEqual(await read.ownership(world.scope, world.shop), {
        ...{ rules: 'path:* ada@example.com', codeOwners: '', isAutoAssigned: true, assignsSuspects: false },
        ...{ createdMs: NOW + 1, changedMs: NOW + 2, cut: null },
      })
      assert.deepEqual(await read.ownership(world.otherScope, world.shop), NO_OWNERSHIP)
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.target], ['ownership.changed', 'Shop'])
      const foreign = { org: world.otherOrg, project: world.shop }
      assert.equal(refusal(await write.setOwnership(foreign, { rules: '' }, anActor())), 'not_found')
    })

    it('is written over by nobody who has not seen it', async () => {
      const { read, write } = stores
      const first = { rules: 'path:* ada@example.com', seen: { changedMs: null } }
      value(await write.setOwnership(place(), first, anActor(NOW + 1)))
      const stale = { codeOwners: '* @ada', seen: { changedMs: null } }
      assert.equal(refusal(await write.setOwnership(place(), stale, anActor(NOW + 2))), 'conflict')
      value(await write.setOwnership(place(), { ...stale, seen: { changedMs: NOW + 1 } }, anActor(NOW + 3)))
      const kept = await read.ownership(world.scope, world.shop)
      assert.deepEqual([kept.rules, kept.codeOwners], [first.rules, stale.codeOwners])
    })

    it('is as it was where a change says nothing new', async () => {
      const { read, write } = stores
      value(await write.setOwnership(place(), { rules: '' }, anActor(NOW + 1)))
      assert.equal((await read.ownership(world.scope, world.shop)).changedMs, null)
      value(await write.setOwnership(place(), { rules: 'path:* ada@example.com' }, anActor(NOW + 2)))
      value(await write.setOwnership(place(), { rules: 'path:* ada@example.com' }, anActor(NOW + 3)))
      assert.equal((await read.ownership(world.scope, world.shop)).changedMs, NOW + 2)
    })

    it('notes the owners of new issues, by their tags, and assigns nobody unless it is wanted', async () => {
      const rules = 'tags.area:till ada@example.com'
      value(await stores.write.setOwnership(place(), { rules }, anActor()))
      await send({ group: 'a', tags: { area: 'till' } }, { group: 'b', tags: { area: 'shelf' } })
      assert.deepEqual(await ownersOf('a'), [world.owner])
      assert.deepEqual(await ownersOf('b'), [])
      assert.equal((await issueOf('a')).assignee, null)
    })

    it('finds what somebody may be assigned by the rules, as long as nobody is', async () => {
      const slug = (await stores.read.teams(world.scope)).find(({ id }) => id === world.team)?.slug
      const rules = `tags.area:till ada@example.com\ntags.area:shelf #${slug}`
      value(await stores.write.setOwnership(place(), { rules }, anActor()))
      await send(
        { group: 'a', tags: { area: 'till' } },
        { group: 'b', tags: { area: 'shelf' } },
        { group: 'c' },
      )
      const [a, b, c] = [await issueOf('a'), await issueOf('b'), await issueOf('c')]
      const found = async (one: Partial<AssigneeCondition>) => {
        const asked = { userIds: [], teamIds: [], negated: false, orSuggested: true, ...one }
        const page = { sort: 'new', limit: 50, cursor: null } as const
        const { rows } = await stores.read.list(world.scope, aFilter({ assignees: [asked] }), page)
        return rows.map(({ id }) => id).toSorted()
      }
      const [ada, team] = [{ userIds: [world.owner] }, { teamIds: [world.team] }]
      assert.deepEqual(await found(ada), [a.id])
      assert.deepEqual(await found(team), [b.id])
      assert.deepEqual(await found({ ...ada, negated: true }), [b.id, c.id].toSorted())
      assert.deepEqual(await found({ ...ada, orSuggested: false }), [])
      const choice = { orgId: world.org, projects: world.scope.projects, ids: [b.id] }
      value(await stores.write.assign(choice, world.owner, anActor()))
      assert.deepEqual(await found(ada), [a.id, b.id].toSorted())
      assert.deepEqual(await found(team), [], 'somebody has it')
    })

    it('names owners for what is asked of the rules, to nobody else', async () => {
      const rules = 'path:src/* ada@example.com'
      value(await stores.write.setOwnership(place(), { rules }, anActor()))
      const facts = { paths: ['src/a.ts'], modules: [], url: null, tags: [], codeMappings: [] }
      const found = await stores.read.ownersByRules(world.scope, world.shop, facts)
      assert.deepEqual([found.owners.map(({ rule }) => rule), found.isCut], [['path:src/*'], false])
      const other = await stores.read.ownersByRules(world.otherScope, world.shop, facts)
      assert.deepEqual(other, { owners: [], isCut: false })
    })

    it('counts new issues that rules take too many steps for, until they are changed', async () => {
      const { read, write } = stores
      const rules = 'tags.area:*aab*a*a* ada@example.com\n'.repeat(max('ownershipRulesMax') / 2)
      assert.ok(rules.length < max('ownershipCharsMax'))
      value(await write.setOwnership(place(), { rules }, anActor()))
      await send({ group: 'a', tags: { area: 'a'.repeat(1_000) } }, { group: 'b', tags: { area: 'till' } })
      assert.equal((await read.ownership(world.scope, world.shop)).cut?.issues, 1)
      value(await write.setOwnership(place(), { rules: '' }, anActor()))
      assert.equal((await read.ownership(world.scope, world.shop)).cut, null)
    })

    it('assigns new issues to the first of their owners, once', async () => {
      const slug = (await stores.read.teams(world.scope)).find(({ id }) => id === world.team)?.slug
      const rules = `tags.area:* ada@example.com\ntags.area:till #${slug}`
      value(await stores.write.setOwnership(place(), { rules, isAutoAssigned: true }, anActor()))
      await send({ group: 'a', tags: { area: 'till' } }, { group: 'b', tags: { area: 'shelf' } })
      assert.equal((await issueOf('a')).assigneeTeam?.teamId, world.team)
      assert.equal((await issueOf('b')).assignee?.userId, world.owner)
      assert.deepEqual(await ownersOf('a'), [{ team: world.team }, world.owner])
      const { id } = await issueOf('b')
      const [record] = await stores.read.activity(world.scope, id, 1)
      assert.deepEqual([record?.kind, record?.userId, record?.detail.rule], ['assigned', null, 'tags.area:*'])
      const these = { orgId: world.org, projects: world.scope.projects, ids: [id] }
      value(await stores.write.assign(these, null, anActor()))
      await send({ group: 'b', tags: { area: 'shelf' } })
      assert.equal((await issueOf('b')).assignee, null, 'an issue that is there already')
      assert.ok((await stores.read.followers(world.scope, id)).some(({ userId }) => userId === world.owner))
    })

    it('names nobody who cannot read the project', async () => {
      await addMember(stores, { org: world.org, email: 'sam@example.com', role: 'member' })
      const shop = (await stores.read.teams(world.scope)).find(({ id }) => id === world.team)
      assert.ok(shop !== undefined)
      const rules = 'tags.area:till sam@example.com'
      value(await stores.write.setTeam(world.org, world.team, { projects: [], members: [] }, anActor()))
      value(await stores.write.setOwnership(place(), { rules, isAutoAssigned: true }, anActor()))
      await send({ group: 'a', tags: { area: 'till' } })
      assert.deepEqual(await ownersOf('a'), [])
      assert.equal((await issueOf('a')).assignee, null)
    })
  })
}
