import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anActor } from '#testing/builders/actor.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { findWrongs } from '#testing/worlds/replayed.ts'
import { answers, aWorld, store } from '#testing/worlds/retention.ts'

describe('a day whose files were removed', () => {
  it('shows and counts the events that come to it again', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, [{ from: world.shop, group: 'one', people: ['id:1'], user: 'id:1' }])
    const deletion = { orgId: world.org, projectId: world.shop.projectId, person: 'id:1' }
    value(await opened.deletePerson(deletion, anActor()))
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual(await opened.house.telemetry.files(), [])
    assert.deepEqual(await findWrongs(opened, world), [])

    const all = await store(opened, [
      { from: world.shop, group: 'one', name: 'a' },
      { from: world.shop, group: 'one', name: 'b' },
    ])
    const again = await world.open()
    world.clock.advance(DAY)
    await again.retention.retain()
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const issue = await again.house.reader.issue(scope, 'SHOP-1')
    assert.ok(issue !== null)
    const [group] = await again.house.reader.groups(scope, issue.id)
    assert.deepEqual(
      group?.files.map(({ holds }) => holds?.events),
      [2],
    )
    assert.equal((await answers(again, all)).rows.length, 2)
    assert.deepEqual(await findWrongs(again, world), [])
  })
})
