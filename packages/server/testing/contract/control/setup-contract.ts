/** Contract of the accounts port: the first owner, and the public address. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { orgId } from '#base/ids.ts'
import { anActor } from '../../builders/actor.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'
import { type ControlFactory, type ControlStores, refusal, value } from './stores.ts'
import { FIRST_OWNER } from './world.ts'

export function setupContract(open: ControlFactory): void {
  describe('setting up', () => {
    let stores: ControlStores
    beforeEach(async () => {
      stores = await open(manualClock(NOW))
    })
    afterEach(() => stores.close())

    it('makes organisation, default team, project, keys, an operator and the project of theirs alone, once', async () => {
      const { read, write } = stores
      assert.equal(await read.needsSetup(), true)
      const made = value(await write.createFirstOwner(FIRST_OWNER, anActor()))
      assert.equal(await read.needsSetup(), false)
      assert.equal(refusal(await write.createFirstOwner(FIRST_OWNER, anActor())), 'conflict')
      const user = await read.userByEmail('ada@example.COM')
      assert.equal(user?.id, made.userId)
      assert.equal(user?.email, 'Ada@Example.com')
      assert.equal(user?.isOperator, true)
      assert.equal(user?.passwordHash, FIRST_OWNER.passwordHash)
      assert.equal(user?.orgIdLast, made.orgId)
      const { organisations, projects, keys } = await read.ingestDirectory()
      const own = { id: orgId(0), slug: 'system' }
      assert.deepEqual(organisations, [{ id: made.orgId, slug: 'acme' }, own])
      assert.deepEqual(
        (await read.memberships(made.userId)).map((one) => [one.organisation.slug, one.isOwn, one.projects]),
        [
          ['acme', undefined, [projects[0]?.id]],
          ['system', true, [projects[1]?.id]],
        ],
      )
      assert.deepEqual(
        (await read.organisations()).map(({ slug }) => slug),
        ['acme'],
      )
      const scope = scopeForTest({ orgId: made.orgId, projects: projects.map(({ id }) => id) })
      const [team] = await read.teams(scope)
      assert.deepEqual([team?.slug, team?.members], ['acme', [made.userId]])
      assert.deepEqual(
        projects.map(({ slug, isSelf, teams }) => [slug, isSelf, teams]),
        [
          ['shop', false, [team?.id]],
          ['errata', true, []],
        ],
      )
      assert.deepEqual(
        keys.map((key) => [key.projectId, key.public, key.isActive]),
        projects.map(({ id }, index) => [id, index === 0 ? FIRST_OWNER.keyPublic : 'e'.repeat(32), true]),
      )
    })
  })

  describe('the public address', () => {
    let stores: ControlStores
    beforeEach(async () => {
      stores = await open(manualClock(NOW))
    })
    afterEach(() => stores.close())

    it('is what setting up kept, until an operator writes another', async () => {
      const { read, write } = stores
      assert.equal(await read.publicUrl(), null)
      const owner = { ...FIRST_OWNER, publicUrl: 'http://192.0.2.7:9000' }
      const { userId: user, orgId: org } = value(await write.createFirstOwner(owner, anActor()))
      assert.equal(await read.publicUrl(), 'http://192.0.2.7:9000')
      const again = { ...FIRST_OWNER, publicUrl: 'http://192.0.2.8' }
      assert.equal(refusal(await write.createFirstOwner(again, anActor())), 'conflict')
      await write.setPublicUrl('https://errata.example.com', user, anActor())
      assert.equal(await read.publicUrl(), 'https://errata.example.com')
      const [entry] = await read.audit(scopeForTest({ orgId: org, projects: [] }), { limit: 1, before: null })
      assert.deepEqual(
        [entry?.action, entry?.target, entry?.detail],
        ['installation.address_changed', 'https://errata.example.com', { before: 'http://192.0.2.7:9000' }],
      )
    })
  })
}
