import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { ActionNamed } from '#ports/requests.ts'
import { NOW } from '#testing/builders/times.ts'
import { openNewControl } from '#testing/new-control.ts'
import { setUpTwoProjects } from '#testing/worlds/two-projects.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'
import { Memory } from '../memory.ts'
import { ActionStore, rememberActions } from './action-store.ts'

const MOST = max('actionNamesPerProjectMax')

describe('names of actions that one batch tells', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-told-names-'))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  let projectId: ProjectId
  let db: Connection
  before(async () => {
    const control = openNewControl({ path, clock, log })
    const reader = openControlReader({ path, clock, log })
    projectId = (await setUpTwoProjects({ control, reader })).shop.projectId
    await reader.close()
    await control.close()
    db = Connection.openWriter(path)
  })
  after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  beforeEach(() => db.run('DELETE FROM action_names'))

  const named = (id: string, receivedMs = NOW, name = `name of ${id}`): ActionNamed => {
    return { projectId, id, name, receivedMs }
  }
  const namedOf = (count: number, receivedMs = NOW) =>
    Array.from({ length: count }, (_, at) => named(`id-${String(at).padStart(5, '0')}`, receivedMs))
  const stored = () =>
    db.all<{ id: string }>('SELECT action_id AS id FROM action_names ORDER BY action_id').map(({ id }) => id)

  for (const count of [MOST - 1, MOST, MOST + 1, 2 * MOST])
    it(`are kept up to the bound, those told last: of ${count}`, () => {
      const told = namedOf(count)
      new ActionStore(db, rememberActions(new Memory())).named(told)
      assert.deepEqual(
        stored(),
        told.slice(-MOST).map(({ id }) => id),
      )
    })

  it('go by their day first, and by when they were told again', () => {
    const told = namedOf(MOST)
    const [first, second] = told
    assert.ok(first !== undefined && second !== undefined)
    const again = { ...first, name: 'told again' }
    new ActionStore(db, rememberActions(new Memory())).named([
      ...told,
      again,
      named('next'),
      named('old', NOW - DAY_MS),
    ])
    const left = stored()
    assert.equal(left.length, MOST)
    assert.deepEqual(
      [first.id, second.id, 'next', 'old'].map((id) => left.includes(id)),
      [...[true, false, true, false]],
    )
  })

  it('are not forgotten for others of the batch', () => {
    const store = new ActionStore(db, rememberActions(new Memory()))
    store.named(namedOf(MOST, NOW - DAY_MS))
    const [oldest] = stored()
    assert.ok(oldest !== undefined)
    store.named([named(oldest, NOW, 'another'), named('next')])
    assert.equal(stored().length, MOST)
    assert.ok(stored().includes(oldest) && stored().includes('next'))
  })
})
