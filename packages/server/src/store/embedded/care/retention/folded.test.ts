import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHash } from '#testing/builders/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY } from '#testing/builders/times.ts'
import { answers, aWorld, setPeriod, store } from '#testing/worlds/retention.ts'

describe('retention of folded mirrors', () => {
  it('takes the events of a folded mirror by the period of their own project', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await setPeriod(opened, { org: world.org, project: world.blog.projectId, days: 30 })
    const half = { traceId: aHash('trace'), route: '/orders/[id]', handled: false } as const
    const all = await store(opened, [
      {
        ...half,
        from: world.blog,
        name: 'mirror',
        group: 'mirror',
        isMirror: true,
        requestKind: 'browser',
        retentionDays: 30,
      },
      {
        ...half,
        from: world.shop,
        name: 'server',
        group: 'server',
        requestKind: 'document',
        retentionDays: 90,
      },
    ])
    const seqsShown = async () =>
      (await answers(opened, all)).rows.map(({ seq }) => seq).sort((a, b) => a - b)
    const projects = [world.shop.projectId, world.blog.projectId]
    const scope = scopeForTest({ orgId: world.org, projects })
    const issueOf = (name: string, project = world.shop.projectId) =>
      opened.house.reader.issueOfGroup(scope, project, aHash(name))
    assert.deepEqual(await seqsShown(), [1, 2])
    world.clock.advance(32 * DAY)
    assert.equal((await opened.retention.retain()).files, 1)
    assert.deepEqual(await seqsShown(), [2])
    const issue = await issueOf('server')
    assert.deepEqual([issue?.eventCount, issue?.title], [2, 'Error: server'])
    assert.equal((await issueOf('mirror', world.blog.projectId))?.id, issue?.id, 'it is known for what comes')
    world.clock.advance(60 * DAY)
    await opened.retention.retain()
    assert.deepEqual(await seqsShown(), [])
    assert.deepEqual(await opened.house.reader.contradictions(10), [])
  })
})
