import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { issueId } from '#base/ids.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { value } from '#testing/contract/control/stores.ts'
import { aWorld, type Opened, store, type World } from '#testing/worlds/retention.ts'

const DAY_MS = 86_400_000
const SECRET = 'Zanzibar'

/** Files below the directory that hold the text anywhere, their logs and what is unused in them included. */
async function filesHolding(directory: string, text: string): Promise<readonly string[]> {
  const found = []
  for (const name of await readdir(directory, { recursive: true })) {
    const path = join(directory, name)
    if ((await stat(path)).isFile() && (await readFile(path)).includes(text)) found.push(name)
  }
  return found
}

/** Issues, of which every third says the secret, in title and tags. */
async function storeSecrets(world: World, opened: Opened, issues: number): Promise<void> {
  const events = Array.from({ length: issues }, (_, index) => {
    const word = index % 3 === 0 ? SECRET : 'Plain'
    const tags = { note: `${word} ${index}`, region: 'eu', place: `${word.repeat(index % 7)}.` }
    return { from: world.shop, group: `${word} ${index}`, tags }
  })
  await store(opened, events, 50)
}

async function deleteSecrets(world: World, { house, retention }: Opened): Promise<void> {
  const projects = [world.shop.projectId]
  const scope = scopeForTest({ orgId: world.org, projects })
  const text = [{ value: SECRET, negated: false }]
  const filter = aFilter({ startMs: 0, endMs: Number.MAX_SAFE_INTEGER, text })
  for (;;) {
    const { rows } = await house.reader.list(scope, filter, { sort: 'date', limit: 100, cursor: null })
    if (rows.length === 0) break
    const ids = rows.map(({ id }) => issueId(id))
    value(await house.control.deleteIssues({ orgId: world.org, projects, ids }, anActor()))
  }
  await retention.refresh()
}

describe('what was deleted', () => {
  it('is in no file once everything is compacted, nor in what files have unused', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await storeSecrets(world, opened, 600)
    assert.ok((await filesHolding(world.directory, SECRET)).length > 0)
    await deleteSecrets(world, opened)
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual(await filesHolding(world.directory, SECRET), [])
    assert.notDeepEqual(await filesHolding(world.directory, 'Plain'), [])
  })

  it('is gone from the control store with the steps of a server too', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await storeSecrets(world, opened, 300)
    await deleteSecrets(world, opened)
    // Days that have ended are compacted; a day after it, a deletion is let go of.
    world.clock.advance(2 * DAY_MS)
    await opened.retention.compact()
    await opened.retention.compact()
    assert.equal((await opened.retention.overview()).pendingDeletions, 0)
    assert.deepEqual(await filesHolding(world.directory, SECRET), [])
  })
})
