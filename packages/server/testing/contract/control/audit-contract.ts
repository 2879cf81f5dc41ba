/** Contract of the audit log: searches, and the note of each copy that is taken. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { AuditFilter } from '#ports/accounts.ts'
import { anActor } from '../../builders/actor.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'

export function auditContract(open: ControlFactory): void {
  describe('the audit log', () => {
    const { stores, world, clock } = openForEachTest(open)

    it('keeps what agents asked in the audit log, shortened', async () => {
      const { read, write } = stores
      const call = { tool: 'get_event', about: 'x'.repeat(500), chars: 7_800, tookMs: 21.4, refused: null }
      await write.noteAgentCall(world.org, call, anActor(NOW + 1, { label: 'token reader' }))
      await write.noteAgentCall(world.org, { ...call, refused: 'no scope' }, anActor(NOW + 2))
      const [refused, answered] = await read.audit(world.scope, {
        limit: 5,
        before: null,
        subjects: ['agent'],
      })
      assert.deepEqual(
        [answered?.action, answered?.target, answered?.actor],
        ['agent.called', 'get_event', 'token reader'],
      )
      assert.deepEqual(answered?.detail, { about: 'x'.repeat(200), chars: 7_800, tookMs: 21, refused: null })
      assert.equal(refused?.detail.refused, 'no scope')
    })

    it('keeps entries for as long as the limits say', async () => {
      const { read, write } = stores
      value(await write.createTeam(world.org, 'old', 'Old', anActor(NOW + 1)))
      value(await write.createTeam(world.org, 'kept', 'Kept', anActor(NOW + 2 * DAY_MS)))
      clock.advance((max('auditDays') + 1) * DAY_MS)
      await removeAllAged(stores, clock)
      const entries = await read.audit(world.scope, { limit: 9, before: null, subjects: ['team'] })
      assert.deepEqual(
        entries.map(({ target }) => target),
        ['Kept'],
      )
    })

    it('finds audit entries by who, what and when, page by page', async () => {
      const { read, write } = stores
      const ada = (atMs: number) => anActor(atMs, { userId: world.owner, label: 'Ada' })
      await write.recordSignInFailure('ADA@example.com', anActor(NOW + 1))
      for (const [index, name] of ['ops', 'web', 'api'].entries())
        value(await write.createTeam(world.org, name, name, ada(NOW + 10 + index)))
      value(await write.renameOrganisation(world.org, { slug: 'acme', name: 'Acme 2' }, ada(NOW + 20)))
      const page = { limit: 50, before: null }
      const actions = async (filter: AuditFilter) =>
        (await read.audit(world.scope, { ...page, ...filter })).map(
          ({ action, target }) => `${action} ${target}`,
        )
      const teams = { subjects: ['team'], fromMs: NOW + 1 }
      assert.deepEqual(await actions(teams), ['team.created api', 'team.created web', 'team.created ops'])
      assert.deepEqual(await actions({ ...teams, untilMs: NOW + 12 }), [
        'team.created web',
        'team.created ops',
      ])
      assert.equal((await actions({ userId: world.owner, fromMs: NOW + 1 })).length, 4)
      assert.deepEqual(await actions({ subjects: ['session'] }), ['session.sign_in_failed ADA@example.com'])
      assert.deepEqual(await actions({ subjects: [] }), [])
      assert.deepEqual(await actions({ subjects: ['te'] }), [])
      const [, second] = await read.audit(world.scope, { ...page, ...teams })
      const rest = await read.audit(world.scope, { limit: 1, before: second?.id ?? 0, ...teams })
      assert.deepEqual(
        rest.map(({ target }) => target),
        ['ops'],
      )
    })

    it('searches the audit log by action, target and words', async () => {
      const { read, write } = stores
      value(await write.createTeam(world.org, 'web', 'Web 100%', anActor()))
      value(await write.createTeam(world.org, 'api', 'Ärger', anActor()))
      value(await write.setRoleDefault(world.org, 'viewer', anActor()))
      const found = async (filter: AuditFilter) =>
        (await read.audit(world.scope, { limit: 20, before: null, ...filter })).map(({ target }) => target)
      const words = (...texts: string[]) => ({ words: texts.map((text) => ({ text, actions: [] })) })
      assert.deepEqual(await found({ action: 'team.created', ...words('100%') }), ['Web 100%'])
      assert.deepEqual(await found({ target: 'Ärger' }), ['Ärger'])
      assert.deepEqual(await found(words('TEAM', 'web 100%')), ['Web 100%'])
      assert.deepEqual(await found(words('rger', 'created')), ['Ärger'])
      assert.deepEqual(await found(words('team', 'nothing of this kind')), [])
      assert.deepEqual(await found(words('role_default', 'viewer')), ['Acme'])
      // What people read of an action is not what is stored.
      const [entry] = await read.audit(world.scope, {
        ...{ limit: 1, before: null },
        words: [{ text: 'changed the default', actions: ['organisation.role_default_changed'] }],
      })
      assert.equal(entry?.action, 'organisation.role_default_changed')
    })

    it('notes copies of the audit log', async () => {
      await stores.write.noteAuditExport(world.org, { format: 'CSV', asked: 'who=1' }, anActor())
      const [entry] = await stores.read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual(
        [entry?.action, entry?.target, entry?.detail],
        ['audit.exported', 'CSV', { asked: 'who=1' }],
      )
    })
  })
}
