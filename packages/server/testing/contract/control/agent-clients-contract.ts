/** Contract of stores of connected apps: clients that register, connections that are refreshed, and how both end. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

const LATER = NOW + DAY_MS

export function agentClientsContract(open: ControlFactory): void {
  describe('connected apps', () => {
    const { stores, world } = openForEachTest(open)

    const aClient = (id: string, createdMs = NOW) => ({
      ...{ id, name: `Agent ${id}`, createdMs },
      redirectUris: ['http://127.0.0.1/cb', 'agent://back/to'],
    })
    const secrets = (name: string) => ({
      ...{ tokenHash: `token ${name}`, tail: name.slice(-4), expiresMs: NOW + 1_000 },
      ...{ refreshHash: `refresh ${name}`, refreshExpiresMs: LATER },
    })
    const aConnection = (clientId: string, name = clientId) => ({
      ...{ clientId, orgId: world.org, userId: world.owner, scopes: ['event:read'] },
      ...{ familyHash: `family ${name}`, ...secrets(name) },
    })
    const register = async (id: string) => value(await stores.write.registerAgentClient(aClient(id)))
    const connect = async (id: string, name = id) =>
      value(await stores.write.connectAgent(aConnection(id, name), anActor()))
    const refresh = (id: string, used: string, next: string) =>
      stores.write.refreshAgent(
        { clientId: id, familyHash: `family ${id}`, usedHash: `refresh ${used}`, ...secrets(next) },
        anActor(),
      )
    const actions = async () =>
      (await stores.read.audit(world.scope, { limit: 20, before: null })).map(
        ({ action, target }) => `${action} ${target}`,
      )

    it('keeps who registered, and knows nobody else', async () => {
      await register('one')
      assert.deepEqual(await stores.read.agentClient('one'), aClient('one'))
      assert.equal(await stores.read.agentClient('two'), null)
    })

    it('takes the token of a connection for that of no script, and the other way round', async () => {
      const { read, write } = stores
      await register('one')
      const id = await connect('one')
      const found = await read.agentToken('token one', NOW)
      assert.deepEqual(found?.token, {
        ...{ id, orgId: world.org, userId: world.owner, name: 'Agent one', scopes: ['event:read'] },
        ...{
          tail: 'one',
          createdMs: NOW,
          usedMs: null,
          expiresMs: NOW + 1_000,
          createdBy: null,
          address: null,
        },
      })
      assert.equal(found?.organisation.slug, 'acme')
      assert.ok(found.projects.includes(world.shop))
      assert.equal(await read.token('token one', NOW), null)
      assert.deepEqual(await read.tokens(world.scope), [])
      assert.equal(refusal(await write.revokeToken(world.org, id, anActor())), 'not_found')
      const byHand = { ...aConnection('one'), name: 'script', tokenHash: 'by hand' }
      value(await write.createToken(byHand, anActor()))
      assert.equal(await read.agentToken('by hand', NOW), null)
      assert.equal(await read.agentToken('token one', NOW + 1_000), null)
    })

    it('lists the connections of a person until they end', async () => {
      const { read } = stores
      await register('one')
      await register('two')
      const ids = [await connect('one'), await connect('two')]
      const [second, first] = await read.agentConnections(world.owner, NOW)
      assert.deepEqual([first?.id, second?.id], ids)
      const { organisation, ...rest } = first ?? assert.fail()
      assert.equal(organisation.slug, 'acme')
      assert.deepEqual(rest, {
        ...{ id: ids[0], clientId: 'one', clientName: 'Agent one', scopes: ['event:read'] },
        ...{ createdMs: NOW, usedMs: null, endsMs: LATER },
      })
      assert.deepEqual(await read.agentConnections(world.otherOwner, NOW), [])
      assert.deepEqual(await read.agentConnections(world.owner, LATER), [])
    })

    it('replaces both secrets at each refresh', async () => {
      const { read } = stores
      await register('one')
      const id = await connect('one')
      assert.deepEqual(await refresh('one', 'one', 'next'), ['event:read'])
      assert.equal(await read.agentToken('token one', NOW), null)
      assert.equal((await read.agentToken('token next', NOW))?.token.id, id)
      assert.deepEqual(await refresh('one', 'next', 'last'), ['event:read'])
    })

    it('ends a connection whose refresh token comes twice', async () => {
      const { read } = stores
      await register('one')
      await connect('one')
      await refresh('one', 'one', 'next')
      assert.equal(await refresh('one', 'one', 'thief'), 'reused')
      assert.equal(await read.agentToken('token next', NOW), null)
      assert.equal(await refresh('one', 'next', 'last'), 'unknown')
      assert.equal((await actions())[0], 'app.disconnected Agent one')
    })

    it('refreshes for the client itself alone, and not once the connection has ended', async () => {
      const { read, write } = stores
      await register('one')
      await register('two')
      await connect('one')
      const given = { familyHash: 'family one', usedHash: 'refresh one', ...secrets('next') }
      assert.equal(await write.refreshAgent({ clientId: 'two', ...given }, anActor()), 'unknown')
      const late = anActor(LATER)
      assert.equal(await write.refreshAgent({ clientId: 'one', ...given }, late), 'unknown')
      assert.notEqual(await read.agentToken('token one', NOW), null)
    })

    it('has one connection of a client, person and organisation, and so many of a person', async () => {
      const { read, write } = stores
      await register('one')
      await connect('one', 'first')
      await connect('one', 'second')
      assert.equal(await read.agentToken('token first', NOW), null)
      for (let index = 1; index < max('agentConnectionsPerPersonMax'); index++) {
        await register(`c${index}`)
        await connect(`c${index}`)
      }
      await register('more')
      assert.equal(refusal(await write.connectAgent(aConnection('more'), anActor())), 'conflict')
      const later = anActor(LATER)
      value(await write.connectAgent({ ...aConnection('more'), refreshExpiresMs: LATER + 1 }, later))
      assert.equal((await read.agentConnections(world.owner, LATER)).length, 1)
    })

    it('connects nobody from outside, nothing that did not register, and takes no room from scripts', async () => {
      const { write } = stores
      assert.equal(refusal(await write.connectAgent(aConnection('none'), anActor())), 'not_found')
      await register('one')
      const outside = { ...aConnection('one'), userId: world.otherOwner }
      assert.equal(refusal(await write.connectAgent(outside, anActor())), 'not_found')
      await connect('one')
      for (let index = 0; index < max('tokensPerPersonMax'); index++) {
        const byHand = { ...aConnection('one'), name: 'script', tokenHash: `hand ${index}` }
        value(await write.createToken(byHand, anActor()))
      }
    })

    it('ends connections by the client, by the person, with the membership and with a reset password', async () => {
      const { read, write } = stores
      const member = await addMember(stores, { org: world.org, email: 'm@example.com', role: 'member' })
      for (const id of ['one', 'two', 'three']) await register(id)
      await connect('one')
      const revoked = { clientId: 'two', tokenHash: 'token one', familyHash: 'family one' }
      await write.revokeAgentToken(revoked, anActor())
      assert.notEqual(await read.agentToken('token one', NOW), null)
      await write.revokeAgentToken({ ...revoked, clientId: 'one', tokenHash: '' }, anActor())
      assert.equal(await read.agentToken('token one', NOW), null)
      const id = await connect('two')
      assert.equal(refusal(await write.disconnectAgent(member, id, anActor())), 'not_found')
      value(await write.disconnectAgent(world.owner, id, anActor()))
      assert.equal(await read.agentToken('token two', NOW), null)
      assert.equal(refusal(await write.disconnectAgent(world.owner, id, anActor())), 'not_found')
      assert.deepEqual(
        (await actions()).filter((each) => each.startsWith('app.')),
        [
          'app.disconnected Agent two',
          'app.connected Agent two',
          'app.disconnected Agent one',
          'app.connected Agent one',
        ],
      )
      value(await write.connectAgent({ ...aConnection('three'), userId: member }, anActor()))
      value(await write.removeMember(world.org, { user: member }, anActor()))
      assert.equal(await read.agentToken('token three', NOW), null)
      await connect('one', 'again')
      await write.createPasswordReset(world.owner, 'code', LATER, anActor())
      value(await write.usePasswordReset('code', 'hash', anActor()))
      assert.equal(await read.agentToken('token again', NOW), null)
    })

    it('forgets clients that nobody connected, and those whose last connection ended long ago', async () => {
      const { read, write } = stores
      for (const id of ['unused', 'used']) await register(id)
      await connect('used')
      const unusedMs = NOW + max('agentClientUnusedMs')
      value(await write.registerAgentClient(aClient('two', unusedMs)))
      assert.notEqual(await read.agentClient('unused'), null)
      value(await write.registerAgentClient(aClient('three', unusedMs + 1)))
      assert.equal(await read.agentClient('unused'), null)
      const idleMs = NOW + max('agentClientIdleDays') * DAY_MS
      value(await write.registerAgentClient(aClient('four', idleMs)))
      assert.notEqual(await read.agentClient('used'), null)
      value(await write.registerAgentClient(aClient('five', idleMs + 1)))
      assert.equal(await read.agentClient('used'), null)
    })

    it('makes room for new clients by the oldest that nobody connected', async () => {
      const { read, write } = stores
      await register('used')
      await connect('used')
      for (let index = 1; index < max('agentClientsMax'); index++)
        value(await write.registerAgentClient(aClient(`c${index}`, NOW + index)))
      value(await write.registerAgentClient(aClient('more', NOW + max('agentClientsMax'))))
      assert.equal(await read.agentClient('c1'), null)
      for (const id of ['used', 'c2', 'more']) assert.notEqual(await read.agentClient(id), null)
    })
  })
}
