/** Contract of releases of which several speak: what is said of a version belongs to the projects that it is said of. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import type { ReleaseChange, ReleaseCommit, ReleaseFilter, ReleasePlace } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

const WEB = 'web@1.4.0'
const ALL: ReleaseFilter = { projects: null, status: null, text: '', environments: [], sort: 'date' }

const aCommit = (id: string): ReleaseCommit => ({
  ...{ id, repository: null, message: null, authorName: null, authorEmail: null, atMs: NOW, files: [] },
})

export function releasePartsContract(open: ControlFactory): void {
  describe('Releases of which several speak', () => {
    const { stores, world, nextSeq } = openForEachTest(open)

    const place = (version = WEB, readable = world.scope.projects): ReleasePlace => ({
      ...{ orgId: world.org, readable, version },
    })
    const put = (version = WEB, change: ReleaseChange = {}) =>
      stores.write.putRelease(place(version), { projects: [world.shop], ...change }, anActor())
    const send = (release: string, { projectId, group }: { projectId: ProjectId; group: string }) =>
      stores.write.applyBatch(aBatch(nextSeq(), [anEvent({ projectId, group, release, tags: { release } })]))
    const names = async () =>
      (await stores.read.releases(world.scope, ALL, { offset: 0, limit: 50 })).rows.map(
        ({ version }) => version,
      )
    const one = async () => {
      const release = await stores.read.release(world.scope, WEB)
      assert.ok(release !== null)
      return release
    }
    const [shopOnly, blogOnly] = [() => place(WEB, [world.shop]), () => place(WEB, [world.blog])]
    const seenBy = async (scope: ReadScope) => {
      const release = await stores.read.release(scope, WEB)
      const commits = await stores.read.commits(scope, WEB)
      const deploys = await stores.read.deploys(scope, WEB)
      return [
        release?.ref ?? null,
        commits.map(({ id }) => id),
        deploys.map(({ environment }) => environment),
      ]
    }
    const deploy = { environment: 'production', name: null, url: null, startedMs: null, finishedMs: NOW }
    const blogScope = () => ({ ...world.scope, projects: [world.blog] })

    it('are made anew by whoever cannot see them, and tell them nothing', async () => {
      await stores.write.putRelease(shopOnly(), { projects: [world.shop], ref: 'secret' }, anActor())
      value(await stores.write.setCommits(shopOnly(), [aCommit('c0ffee')], anActor()))
      value(await stores.write.addDeploy(shopOnly(), deploy, anActor()))
      const made = await stores.write.putRelease(blogOnly(), { projects: [world.blog] }, anActor())
      assert.deepEqual(value(made), { isNew: true })
      assert.deepEqual(await seenBy(blogScope()), [null, [], []])
      value(await stores.write.putRelease(blogOnly(), { ref: 'mine', status: 'archived' }, anActor()))
      value(await stores.write.setCommits(blogOnly(), [aCommit('bad')], anActor()))
      assert.deepEqual(await seenBy(world.shopScope), ['secret', ['c0ffee'], ['production']])
      assert.deepEqual(await seenBy(blogScope()), ['mine', ['bad'], []])
      value(await stores.write.deleteRelease(blogOnly(), anActor()))
      assert.deepEqual(await seenBy(world.shopScope), ['secret', ['c0ffee'], ['production']])
    })

    it('are in a list what each of them is alone', async () => {
      await stores.write.putRelease(shopOnly(), { projects: [world.shop], ref: 'a' }, anActor())
      await stores.write.putRelease(blogOnly(), { projects: [world.blog] }, anActor())
      value(await stores.write.setCommits(shopOnly(), [aCommit('c0ffee'), aCommit('bad')], anActor()))
      value(await stores.write.setCommits(blogOnly(), [aCommit('bad')], anActor()))
      value(await stores.write.addDeploy(shopOnly(), deploy, anActor()))
      value(await stores.write.addDeploy(blogOnly(), { ...deploy, environment: 'staging' }, anActor()))
      await put('web@1.5.0')
      value(await stores.write.setCommits(place('web@1.5.0'), [aCommit('f00d')], anActor()))
      value(await stores.write.addDeploy(place('web@1.5.0'), deploy, anActor()))
      await send(WEB, { projectId: world.shop, group: 'a' })
      await send('web@1.5.0', { projectId: world.blog, group: 'b' })
      for (const scope of [world.scope, world.shopScope, blogScope()]) {
        const { rows } = await stores.read.releases(scope, ALL, { offset: 0, limit: 50 })
        const alone = await Promise.all(rows.map(({ version }) => stores.read.release(scope, version)))
        assert.deepEqual(rows, alone)
      }
      const { rows } = await stores.read.releases(world.scope, ALL, { offset: 0, limit: 50 })
      const figures = rows.map(({ version, commitCount, deployCount, lastCommit, lastDeploy }) => [
        ...[version, commitCount, deployCount, lastCommit?.id, lastDeploy?.environment],
      ])
      assert.deepEqual(figures.toSorted(), [
        [WEB, 2, 2, 'c0ffee', 'staging'],
        ['web@1.5.0', 1, 1, 'f00d', 'production'],
      ])
    })

    it('are one for whoever sees all of it, once in a list', async () => {
      await stores.write.putRelease(shopOnly(), { projects: [world.shop] }, anActor())
      await stores.write.putRelease(blogOnly(), { projects: [world.blog], ref: 'main' }, anActor())
      assert.deepEqual(await names(), [WEB])
      const { total } = await stores.read.releases(world.scope, ALL, { offset: 0, limit: 50 })
      assert.equal(total, 1)
      assert.equal((await stores.read.releaseTimes(world.scope, null)).length, 1)
      value(await stores.write.setCommits(place(), [aCommit('2'), aCommit('1')], anActor()))
      value(await stores.write.addDeploy(place(), deploy, anActor()))
      assert.deepEqual(await seenBy(world.scope), ['main', ['2', '1'], ['production']])
      assert.deepEqual(await seenBy(world.shopScope), [null, ['2', '1'], ['production']])
      const { projects, commitCount, deployCount } = await one()
      assert.deepEqual([projects.map(({ slug }) => slug), commitCount, deployCount], [['blog', 'shop'], 2, 1])
    })

    it('are not opened by an event that names them', async () => {
      await stores.write.putRelease(shopOnly(), { projects: [world.shop], ref: 'secret' }, anActor())
      await send(WEB, { projectId: world.blog, group: 'blog' })
      assert.deepEqual(await seenBy(blogScope()), [null, [], []])
      assert.equal((await stores.read.release(blogScope(), WEB))?.projects[0]?.eventCount, 1)
    })

    it('take in what only events named so far, once somebody who may read it says so', async () => {
      await send(WEB, { projectId: world.blog, group: 'blog' })
      await send(WEB, { projectId: world.shop, group: 'shop' })
      const all = { projects: [world.shop, world.blog], ref: 'main' }
      assert.deepEqual(value(await stores.write.putRelease(place(), all, anActor())), { isNew: false })
      assert.deepEqual(await seenBy(blogScope()), ['main', [], []])
      assert.deepEqual(
        (await one()).projects.map(({ eventCount }) => eventCount),
        [1, 1],
      )
      await send(WEB, { projectId: world.blog, group: 'blog' })
      assert.equal((await stores.read.release(blogScope(), WEB))?.projects[0]?.eventCount, 2)
    })

    it('are told of in the audit log, where anything changed', async () => {
      await put()
      await put()
      await put(WEB, { ref: 'main' })
      value(await stores.write.setCommits(place(), [aCommit('1')], anActor()))
      value(await stores.write.addDeploy(place(), deploy, anActor()))
      const log = await stores.read.audit(world.scope, { limit: 4, before: null })
      assert.deepEqual(
        log.map(({ action }) => action),
        ['release.deployed', 'release.commits_set', 'release.changed', 'release.created'],
      )
    })
  })
}
