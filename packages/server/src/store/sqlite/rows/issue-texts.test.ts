import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { silentLog as log } from '#base/log.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { aHash } from '#testing/builders/ids.ts'
import { anEvent, type EventShape } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { value as taken } from '#testing/contract/control/stores.ts'
import { aControlWorld } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'

async function store(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-texts-'))
  const path = join(directory, 'control.sqlite')
  const write = openNewControl({ path, clock: systemClock, log })
  const read = openControlReader({ path, clock: systemClock, log })
  const db = Connection.openWriter(path)
  t.after(async () => {
    db.close()
    await read.close()
    await write.close()
    rmSync(directory, { recursive: true })
  })
  const world = await aControlWorld({ write, read, close: async () => {} })
  let next = 1
  const send = async (...shapes: Omit<EventShape, 'projectId'>[]) => {
    const events = shapes.map((shape) => anEvent({ ...shape, projectId: world.shop }))
    await write.applyBatch(aBatch(next, events))
    next += shapes.length
  }
  const idOf = async (group: string) => {
    const issue = await read.issueOfGroup(world.scope, world.shop, aHash(group))
    assert.ok(issue)
    return issue.id
  }
  db.script(`CREATE VIRTUAL TABLE temp.said USING fts5vocab ('main', 'issue_text', 'row');
    CREATE VIRTUAL TABLE temp.anew USING fts5 (text, tokenize = 'trigram case_sensitive 1', detail = none);
    CREATE VIRTUAL TABLE temp.wanted USING fts5vocab ('temp', 'anew', 'row')`)
  const assertIndexed = () => {
    db.script('DELETE FROM temp.anew; INSERT INTO temp.anew (rowid, text) SELECT id, text FROM issue_texts')
    const terms = (of: string) => db.all(`SELECT term, doc FROM temp.${of} ORDER BY term`)
    assert.deepEqual(terms('said'), terms('wanted'))
  }
  const found = (pattern: string) =>
    db.all<{ id: number }>('SELECT rowid AS id FROM issue_text WHERE text GLOB ?', [pattern]).length
  return { write, world, db, send, idOf, assertIndexed, found }
}

describe('the index of texts', () => {
  it('has the trigrams of every issue as it is called now, and of none that is gone', async (t) => {
    const { write, world, db, send, idOf, assertIndexed, found } = await store(t)
    const own = () => db.get<{ n: number }>('SELECT count(*) AS n FROM issue_own_texts')?.n
    await send(
      { group: 'a', title: 'Error: CART of 1' },
      { group: 'b', title: 'Error: Größe ÜBER 2' },
      { group: 'c', title: 'Error: third' },
    )
    assertIndexed()
    assert.deepEqual([own(), found('*cart of*'), found('*größe über*')], [1, 1, 1])
    await send({ group: 'a', title: 'Error: Ærø' }, { group: 'b', title: 'Error: size' })
    await send({ group: 'a', title: 'Error: ÆRØ again' }, { group: 'b', title: 'Error: size again' })
    assertIndexed()
    assert.deepEqual([own(), found('*cart of*'), found('*ærø again*'), found('*size again*')], [1, 0, 1, 1])
    const [a, b, c] = [await idOf('a'), await idOf('b'), await idOf('c')]
    const ada = anActor(NOW, { userId: world.owner, label: 'Ada' })
    const chosen = (id: typeof a) => ({ orgId: world.org, projects: world.scope.projects, ids: [id] })
    taken(await write.merge(chosen(a), b, ada))
    assertIndexed()
    assert.deepEqual(taken(await write.undoMerge(chosen(b), ada)), [a])
    assertIndexed()
    assert.deepEqual([own(), found('*ærø again*')], [1, 1])
    taken(await write.deleteIssues(chosen(a), anActor()))
    taken(await write.deleteIssues(chosen(c), anActor()))
    assertIndexed()
    assert.deepEqual([own(), found('*rr*'), found('*err*')], [0, 1, 1])
    taken(await write.deleteProject(world.org, world.shop, anActor()))
    assertIndexed()
    await send({ group: 'never', title: 'Error: nowhere' })
    assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  })
})
