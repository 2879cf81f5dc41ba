/** Contract of environments: named by events and deploys, hidden and ordered by people, project by project. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { EnvironmentSetting } from '#ports/environments.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { changesOf } from '../../changes.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

export function environmentsContract(open: ControlFactory): void {
  describe('Environments', () => {
    const { stores, world } = openForEachTest(open)
    beforeEach(async () => {
      const sent = (environment: string, atMs: number, projectId = world.shop) =>
        anEvent({ projectId, receivedMs: atMs, timestampMs: atMs, tags: { environment } })
      const events = [
        sent('staging', NOW),
        sent('production', NOW - 2),
        sent('production', NOW - 1),
        sent('production', NOW - 9, world.blog),
      ]
      await stores.write.applyBatch(aBatch(1, events))
    })

    const read = (
      change: {
        readonly scope?: ReadScope
        readonly projects?: readonly ProjectId[]
        readonly of?: 'events' | 'events and deploys'
      } = {},
    ) => {
      const { scope = world.scope, projects = null, of = 'events and deploys' } = change
      return stores.read.environments(scope, { projects, of })
    }
    const names = async (...change: Parameters<typeof read>) =>
      (await read(...change)).map(({ name }) => name)
    const put = (settings: readonly EnvironmentSetting[], project = world.shop, org = world.org) =>
      changesOf(stores.write)(
        'orderEnvironments',
        { project, settings },
        { scope: scopeForTest({ orgId: org, projects: [project] }), actor: anActor() },
      )
    const place = (name: string, position: number | null, isHidden = false) => ({ name, position, isHidden })

    it('are those that events name, the busiest first', async () => {
      const said = { isHidden: false, position: null }
      assert.deepEqual(await read(), [
        { projectId: world.shop, name: 'production', ...said, eventCount: 2, lastSeenMs: NOW - 1 },
        { projectId: world.shop, name: 'staging', ...said, eventCount: 1, lastSeenMs: NOW },
        { projectId: world.blog, name: 'production', ...said, eventCount: 1, lastSeenMs: NOW - 9 },
      ])
      assert.deepEqual(await names({ projects: [world.blog] }), ['production'])
      assert.deepEqual(await names({ scope: world.shopScope }), ['production', 'staging'])
      assert.deepEqual(await names({ scope: world.otherScope }), [])
    })

    it('are those that deploys name, where these are asked for', async () => {
      const release = { orgId: world.org, readable: world.scope.projects, version: 'web@1' }
      await stores.write.putRelease(release, { projects: [world.shop] }, anActor())
      for (const [environment, finishedMs] of [
        ['qa', NOW - HOUR],
        ['staging', NOW + HOUR],
      ] as const) {
        const deploy = { environment, finishedMs, name: null, url: null, startedMs: null }
        value(await stores.write.addDeploy(release, deploy, anActor()))
      }
      const shop = await read({ projects: [world.shop] })
      assert.deepEqual(
        shop.map(({ name, eventCount, lastSeenMs }) => [name, eventCount, lastSeenMs - NOW]),
        [
          ['production', 2, -1],
          ['staging', 1, HOUR],
          ['qa', 0, -HOUR],
        ],
      )
      assert.deepEqual(await names({ projects: [world.shop], of: 'events' }), ['production', 'staging'])
    })

    it('stand as people say, and what nothing names is kept but not listed', async () => {
      value(await put([place('staging', 0), place('production', 1, true), place('later', 2, true)]))
      const shop = await read({ projects: [world.shop] })
      assert.deepEqual(
        shop.map(({ name, position, isHidden }) => [name, position, isHidden]),
        [
          ['staging', 0, false],
          ['production', 1, true],
        ],
      )
      assert.deepEqual((await read({ projects: [world.blog] }))[0]?.isHidden, false)
      value(await put([place('production', null)]))
      const after = await read({ projects: [world.shop] })
      assert.deepEqual(
        after.map(({ name, position, isHidden }) => [name, position, isHidden]),
        [
          ['staging', 0, false],
          ['production', null, false],
        ],
      )
      await stores.write.applyBatch(
        aBatch(9, [anEvent({ projectId: world.shop, tags: { environment: 'later' } })]),
      )
      assert.deepEqual(
        (await read({ projects: [world.shop] })).find(({ name }) => name === 'later')?.isHidden,
        true,
      )
      const [entry] = await stores.read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.target], ['environments.changed', 'Shop'])
    })

    it('are changed within the organisation alone, and go with the project', async () => {
      assert.equal(refusal(await put([place('staging', 0, true)], world.shop, world.otherOrg)), 'not_found')
      assert.deepEqual(
        (await read()).map(({ isHidden }) => isHidden),
        [false, false, false],
      )
      value(await put([place('staging', 0, true)]))
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(await names(), ['production'])
    })

    it('have settings for a bounded number of them, of which all are kept or none', async () => {
      const many = Array.from({ length: max('environmentsPerProjectMax') }, (_, index) =>
        place(`e${index}`, null),
      )
      value(await put(many))
      value(await put([place('e0', 0)]))
      assert.equal(refusal(await put([place('staging', 0, true), place('e1', 1)])), 'conflict')
      assert.deepEqual(
        (await read()).map(({ isHidden }) => isHidden),
        [false, false, false],
      )
    })
  })
}
