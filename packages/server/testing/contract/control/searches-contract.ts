/** Contract of saved searches, of how people have the issue list, and of links to single issues. */

import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { refuse } from '#base/result.ts'
import type { CommandName, PreparedOf } from '#commands/table.ts'
import { max } from '#limits/limits.ts'
import type { NewShare } from '#ports/issue-shares.ts'
import { NO_PREFERENCES, type SavedSearch } from '#ports/searches.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import { changesOf } from '../../changes.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember, type ControlWorld } from './world.ts'

export function searchesContract(open: ControlFactory): void {
  describe('saved searches', () => {
    const { stores, world } = openForEachTest(open)
    let bo: ControlWorld['owner']
    beforeEach(async () => {
      bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'member' })
    })

    const scopeOf = (userId: ControlWorld['owner']) =>
      scopeForTest({ orgId: world.org, projects: [world.shop], userId })
    const by = (userId?: ControlWorld['owner'] | null, orgId = world.org) => ({
      scope: scopeForTest({ orgId, projects: [world.shop], ...(userId == null ? {} : { userId }) }),
      actor: anActor(),
    })
    const change = <N extends CommandName>(name: N, prepared: PreparedOf<N>, who = by(bo)) =>
      changesOf(stores.write)(name, prepared, who)
    const save = (name: string, { ownerId = bo, ...given }: Partial<SavedSearch> = {}) =>
      change('createSearch', { ...SEARCH, name, ...given, sharing: null }, by(ownerId))
    const names = async (userId: ControlWorld['owner']) =>
      (await stores.read.savedSearches(scopeOf(userId))).map(({ name }) => name)
    const audited = async () =>
      (await stores.read.audit(world.scope, { limit: 50, before: null }))
        .filter(({ action }) => action.startsWith('search.'))
        .map(({ action, target }) => [action, target])

    it('are their owner’s, or everybody’s, by name', async () => {
      value(await save('mine'))
      value(await save('Zebra', { isShared: true, ownerId: world.owner }))
      value(await save('all', { isShared: true, ownerId: null }))
      assert.deepEqual(await names(bo), ['all', 'mine', 'Zebra'])
      assert.deepEqual(await names(world.owner), ['all', 'Zebra'])
      assert.deepEqual(await stores.read.savedSearches(world.otherScope), [])
    })

    it('have a name once for whoever sees them, and are so many', async () => {
      value(await save('Mine'))
      assert.equal(refusal(await save('mine')), 'conflict')
      value(await save('mine', { isShared: true }))
      value(await save('mine', { ownerId: world.owner }))
      for (let index = 1; index < max('searchesPerPersonMax'); index++) value(await save(`search ${index}`))
      assert.equal(refusal(await save('one more')), 'conflict')
      for (let index = 1; index < max('searchesSharedMax'); index++)
        value(await save(`shared ${index}`, { isShared: true }))
      assert.equal(refusal(await save('one more', { isShared: true })), 'conflict')
    })

    it('are changed and deleted, which the audit log knows of shared ones', async () => {
      const own = value(await save('own'))
      const ours = { ...own, name: 'ours', query: 'is:regressed', sort: 'freq', isShared: true } as const
      const changed = { ...ours, sharing: null }
      const elsewhere = by(bo, world.otherOrg)
      assert.equal(refusal(await change('changeSearch', changed, by(world.owner))), 'not_found')
      assert.equal(refusal(await change('changeSearch', changed, by())), 'not_found')
      assert.deepEqual(value(await change('changeSearch', changed)), ours)
      assert.equal(refusal(await change('changeSearch', changed, elsewhere)), 'not_found')
      assert.deepEqual(await stores.read.savedSearches(scopeOf(world.owner)), [ours])
      const asked = { id: own.id, sharing: null }
      assert.equal(refusal(await change('deleteSearch', asked, elsewhere)), 'not_found')
      const forbidden = { ...asked, sharing: refuse('forbidden', 'not shared by you') }
      assert.equal(refusal(await change('deleteSearch', forbidden)), 'forbidden')
      value(await change('deleteSearch', asked, by(world.owner)))
      assert.equal(refusal(await change('deleteSearch', asked)), 'not_found')
      const secret = { id: value(await save('secret')).id, sharing: null }
      assert.equal(refusal(await change('deleteSearch', secret, by(world.owner))), 'not_found')
      value(await change('deleteSearch', secret))
      assert.deepEqual(await audited(), [
        ['search.deleted', 'ours'],
        ['search.changed', 'ours'],
      ])
    })

    it('open a person’s list until they are gone, or not shared any more', async () => {
      assert.deepEqual(await stores.read.listPreferences(scopeOf(bo)), NO_PREFERENCES)
      const shared = value(await save('shared', { isShared: true, ownerId: world.owner }))
      const preferences = { defaultSearch: shared.id, density: 'compact', hiddenColumns: ['age'] } as const
      for (const user of [bo, world.owner]) value(await change('setListPreferences', preferences, by(user)))
      assert.deepEqual(await stores.read.listPreferences(scopeOf(bo)), preferences)
      const unshared = { ...shared, isShared: false, sharing: null }
      value(await change('changeSearch', unshared, by(world.owner)))
      assert.deepEqual(await stores.read.listPreferences(scopeOf(bo)), {
        ...preferences,
        defaultSearch: null,
      })
      assert.deepEqual(await stores.read.listPreferences(scopeOf(world.owner)), preferences)
      assert.equal(refusal(await change('setListPreferences', preferences)), 'not_found')
      assert.equal(refusal(await change('setListPreferences', preferences, by())), 'forbidden')
      value(await change('deleteSearch', { id: shared.id, sharing: null }, by(world.owner)))
      assert.equal((await stores.read.listPreferences(scopeOf(world.owner))).defaultSearch, null)
    })

    it('an issue has one link, which opens it until it is revoked', async () => {
      await stores.write.applyBatch(aBatch(1, [anEvent({ projectId: world.shop })]))
      const issue = await stores.read.issue(world.scope, 'SHOP-1')
      assert.ok(issue !== null)
      const change = { orgId: world.org, projects: [world.shop], ids: [issue.id] }
      const share = value(await stores.write.shareIssue(change, aShare('first'), anActor(NOW)))
      const createdBy = anActor().label
      const kept = { sealedToken: 'sealed first', expiresMs: NOW + 10, createdMs: NOW, createdBy }
      assert.deepEqual(share, kept)
      assert.deepEqual(value(await stores.write.shareIssue(change, aShare('second'), anActor(NOW + 1))), kept)
      assert.deepEqual(await stores.read.issueShare(world.scope, issue.id, NOW), kept)
      assert.equal(await stores.read.issueShare(world.otherScope, issue.id, NOW), null)
      assert.deepEqual(await stores.read.sharedIssue('first', NOW), {
        organisation: { id: world.org, slug: 'acme' },
        ...{ projectId: world.shop, issueId: issue.id },
      })
      const outside = { ...change, projects: [] }
      assert.equal(refusal(await stores.write.shareIssue(outside, aShare('third'), anActor())), 'not_found')
      value(await stores.write.unshareIssue(outside, anActor()))
      assert.equal(await stores.read.sharedIssue('second', NOW), null)
      value(await stores.write.unshareIssue(change, anActor()))
      value(await stores.write.unshareIssue(change, anActor()))
      assert.deepEqual(
        [
          await stores.read.sharedIssue('first', NOW),
          await stores.read.issueShare(world.scope, issue.id, NOW),
        ],
        [null, null],
      )
      const entries = await stores.read.audit(world.scope, { limit: 9, before: null, subjects: ['issue'] })
      assert.deepEqual(
        entries.map(({ action, target }) => [action, target]),
        [
          ['issue.unshared', 'SHOP-1'],
          ['issue.shared', 'SHOP-1'],
        ],
      )
    })

    it('an issue’s link that has expired opens nothing, and another takes its place', async () => {
      await stores.write.applyBatch(aBatch(1, [anEvent({ projectId: world.shop })]))
      const issue = await stores.read.issue(world.scope, 'SHOP-1')
      assert.ok(issue !== null)
      const change = { orgId: world.org, projects: [world.shop], ids: [issue.id] }
      const late = NOW + 10
      value(await stores.write.shareIssue(change, aShare('first'), anActor(NOW)))
      assert.ok((await stores.read.sharedIssue('first', late - 1)) !== null)
      assert.deepEqual(
        [
          await stores.read.sharedIssue('first', late),
          await stores.read.issueShare(world.scope, issue.id, late),
        ],
        [null, null],
      )
      const endless = { ...aShare('second'), expiresMs: null }
      value(await stores.write.shareIssue(change, endless, anActor(late)))
      assert.equal((await stores.read.sharedIssue('second', late * 2))?.issueId, issue.id)
      assert.equal(await stores.read.sharedIssue('first', NOW), null)
    })
  })
}

const SEARCH = { name: 'mine', query: 'is:new', sort: 'date', isShared: false } as const

function aShare(tokenHash: string): NewShare {
  return { tokenHash, sealedToken: `sealed ${tokenHash}`, expiresMs: NOW + 10 }
}
