/** Guests of chosen projects, roles within teams, and the role of new people. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { projectId, type UserId } from '#base/ids.ts'
import { anActor } from '../../builders/actor.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

export function guestsContract(open: ControlFactory): void {
  describe('guests and roles', () => {
    const { stores, world } = openForEachTest(open)

    let count = 0
    const aGuest = (projects = [world.shop]): Promise<UserId> => {
      count += 1
      const email = `guest${count}@example.com`
      return addMember(stores, { org: world.org, email, role: 'guest', teams: [], projects })
    }
    const membershipOf = async (user: UserId) => {
      const [own] = await stores.read.memberships(user)
      assert.ok(own !== undefined)
      return own
    }
    const aTeam = async (name: string) =>
      value(await stores.write.createTeam(world.org, name.toLowerCase(), name, anActor()))

    it('opens to a guest the chosen projects alone, and no team', async () => {
      const { role, teams, projects } = await membershipOf(await aGuest())
      assert.deepEqual([role, teams, projects], ['guest', [], [world.shop]])
    })

    it('lets nobody be invited to a project of another organisation', async () => {
      const invitation = {
        ...{ orgId: world.org, email: 'far@example.com', role: 'guest' as const, teams: [] },
        ...{ projects: [world.otherShop], codeHash: 'far', expiresMs: NOW + 1 },
      } as const
      assert.equal(refusal(await stores.write.createInvitation(invitation, anActor())), 'invalid_input')
    })

    it('makes a member a guest, who leaves every team, and a guest a member, who keeps no project', async () => {
      const { write } = stores
      const team = await aTeam('Turning')
      const user = await addMember(stores, {
        ...{ org: world.org, email: 'turning@example.com', role: 'member', teams: [team] },
      })
      value(await write.setGuest(world.org, { user: user }, [world.blog], anActor()))
      const guest = await membershipOf(user)
      assert.deepEqual([guest.role, guest.teams, guest.projects], ['guest', [], [world.blog]])
      value(await write.setRole(world.org, { user: user }, 'member', anActor()))
      const member = await membershipOf(user)
      assert.deepEqual([member.role, member.teams, member.projects], ['member', [], []])
    })

    it('makes no guest of the last owner, of nothing, or of what is elsewhere', async () => {
      const { write } = stores
      const guest = await aGuest()
      const set = async (user: UserId, projects: readonly number[]) =>
        refusal(await write.setGuest(world.org, { user: user }, projects.map(projectId), anActor()))
      assert.equal(await set(world.owner, [world.shop]), 'conflict')
      assert.equal(await set(guest, []), 'invalid_input')
      assert.equal(await set(guest, [world.shop, world.otherShop]), 'invalid_input')
      assert.deepEqual((await membershipOf(guest)).projects, [world.shop])
    })

    it('takes no guest into a team', async () => {
      const team = await aTeam('Closed to guests')
      const members = [await aGuest()]
      assert.equal(
        refusal(await stores.write.setTeam(world.org, team, { members }, anActor())),
        'invalid_input',
      )
    })

    it('tells a guest of people and teams of their projects alone', async () => {
      const { read, write } = stores
      const [near, far] = [await aTeam('Near'), await aTeam('Far')]
      value(await write.setTeam(world.org, near, { projects: [world.shop] }, anActor()))
      value(await write.setTeam(world.org, far, { projects: [world.blog] }, anActor()))
      const add = (email: string, teams: readonly (typeof near)[]) =>
        addMember(stores, { org: world.org, email, role: 'member', teams })
      const [neighbour, both, stranger] = [
        await add('near@example.com', [near]),
        await add('both@example.com', [near, far]),
        await add('far@example.com', [far]),
      ]
      const [own, other] = [await aGuest([world.shop]), await aGuest([world.blog])]
      const scope = scopeForTest({ orgId: world.org, projects: [world.shop], isGuest: true })
      const members = await read.members(scope)
      const known = new Map(members.map((member) => [member.userId, member]))
      assert.ok(known.has(world.owner) && known.has(neighbour) && known.has(own))
      assert.ok(!known.has(stranger) && !known.has(other))
      assert.deepEqual(known.get(both)?.teams, [near])
      const teams = await read.teams(scope)
      assert.ok(teams.some(({ id }) => id === near) && teams.every(({ id }) => id !== far))
      assert.ok((await read.teams(world.scope)).some(({ id }) => id === far))
    })

    it('keeps team admins, until they leave the team', async () => {
      const { read, write } = stores
      const team = await aTeam('Led')
      value(await write.setTeam(world.org, team, { projects: [world.blog] }, anActor()))
      const add = (email: string) =>
        addMember(stores, { org: world.org, email, role: 'member', teams: [team] })
      const [lead, other] = [await add('lead@example.com'), await add('other-lead@example.com')]
      const adminsOf = async () => (await read.teams(world.scope)).find(({ id }) => id === team)?.admins ?? []
      assert.deepEqual(await adminsOf(), [])
      value(await write.setTeam(world.org, team, { admins: [lead] }, anActor()))
      assert.deepEqual((await membershipOf(lead)).leads, { teams: [team], projects: [world.blog] })
      assert.deepEqual((await membershipOf(other)).leads, { teams: [], projects: [] })
      // Whoever stays a member stays an admin, where nothing is said of it.
      value(await write.setTeam(world.org, team, { members: [lead, other] }, anActor()))
      assert.deepEqual(await adminsOf(), [lead])
      value(await write.setTeam(world.org, team, { members: [other], admins: [lead, other] }, anActor()))
      assert.deepEqual(await adminsOf(), [other])
      const stale = {
        name: 'Led anew',
        seen: { name: 'Led', members: [other], admins: [], projects: [world.blog] },
      }
      assert.equal(refusal(await write.setTeam(world.org, team, stale, anActor())), 'conflict')
    })

    it('knows the role of new people, member at first', async () => {
      const { read, write } = stores
      assert.equal(await read.roleDefault(world.org), 'member')
      value(await write.setRoleDefault(world.org, 'viewer', anActor()))
      assert.equal(await read.roleDefault(world.org), 'viewer')
      assert.equal(await read.roleDefault(world.otherOrg), 'member')
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual(
        [entry?.action, entry?.detail],
        ['organisation.role_default_changed', { before: 'member', after: 'viewer' }],
      )
    })
  })
}
