import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { silentLog } from '#base/log.ts'
import { largeBlobsIn } from '#store/blobs/large-blobs.ts'
import { anActor } from '#testing/builders/actor.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { changesOf } from '#testing/changes.ts'
import { value } from '#testing/contract/control/stores.ts'
import { answers, aWorld, store } from '#testing/worlds/retention.ts'
import { createDeletion } from './deletion.ts'

async function aStep(t: TestContext, removeQuarantine: () => Promise<unknown> = async () => {}) {
  const world = await aWorld(t)
  const opened = await world.open()
  const all = await store(opened, [
    { from: world.shop, group: 'one' },
    { from: world.shop, group: 'two' },
    { from: world.blog, group: 'one' },
  ])
  const { control, telemetry } = opened.house
  const largeBlobs = largeBlobsIn({ directory: join(world.directory, 'blobs', 'large') })
  const hide = createDeletion({ control, telemetry, largeBlobs, removeQuarantine, log: silentLog })
  const seen = async () => (await answers(opened, all)).rows.map(({ seq }) => seq).sort()
  return { world, opened, change: changesOf(control, hide), seen, all }
}

const byOwner = ({ org: orgId, shop }: Awaited<ReturnType<typeof aWorld>>) => ({
  scope: scopeForTest({ orgId, projects: [shop.projectId] }),
  actor: anActor(),
})

describe('deleting', () => {
  it('hides the events of an issue from every query before it answers', async (t) => {
    const { world, opened, change, seen, all } = await aStep(t)
    assert.deepEqual(await seen(), [1, 2, 3])
    const projects = [world.shop.projectId]
    const scope = scopeForTest({ orgId: world.org, projects })
    const [first] = all
    assert.ok(first !== undefined)
    const issue = await opened.house.reader.issueOfGroup(scope, first.projectId, first.row.groupHash)
    assert.ok(issue !== null)
    const by = { scope, actor: anActor() }
    assert.deepEqual(value(await change('deleteIssues', { ids: [issue.id] }, by)), [issue.id])
    assert.deepEqual(await seen(), [2, 3])
  })

  it('hides the events of a project and removes what was set aside of it', async (t) => {
    let swept = 0
    const { world, change, seen } = await aStep(t, async () => swept++)
    value(await change('deleteProject', { project: world.shop.projectId }, byOwner(world)))
    assert.deepEqual([await seen(), swept], [[3], 1])
  })

  it('answers that the project is deleted where what was set aside cannot be removed now', async (t) => {
    const { world, change, seen } = await aStep(t, async () => {
      throw new Error('disk')
    })
    value(await change('deleteProject', { project: world.shop.projectId }, byOwner(world)))
    assert.deepEqual(await seen(), [3])
  })
})
