/**
 * Counts a batch's calls of the database: with a server behind the connection, each would wait for an answer.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { type ProjectId, projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { aBatch, aSessionBatch } from '#testing/builders/control-batch.ts'
import { aHash } from '#testing/builders/ids.ts'
import { aSession } from '#testing/builders/session.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { countedConnection } from '#testing/counted-connection.ts'
import { openNewControl } from '#testing/new-control.ts'
import { setUpTwoProjects } from '#testing/worlds/two-projects.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'
import { controlCommit } from './apply-batch.ts'

const MORE = 10

describe('calls of a batch', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-calls-'))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  let db: Connection
  let project: ProjectId
  let calls = 0
  let seqs = 0
  before(async () => {
    const control = openNewControl({ path, clock, log: silentLog })
    const reader = openControlReader({ path, clock, log: silentLog })
    const { shop } = await setUpTwoProjects({ control, reader })
    project = shop.projectId
    await reader.close()
    await control.close()
    db = Connection.openWriter(path)
  })
  after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })

  /** Calls for a batch of so many errors in so many groups, which `name` tells from others. */
  async function callsOf(
    commit: ReturnType<typeof controlCommit>,
    name: string,
    count: number,
    groups: number,
  ) {
    const events = Array.from({ length: count }, (_, at) =>
      anEvent({
        projectId: project,
        ...{ name: `${name} ${seqs + at}`, group: `${name} ${at % groups}`, userHash: BigInt(at) },
        ...{ tags: { plan: `plan ${at % 7}`, order: `order ${seqs + at}` }, release: `shop@${at % 3}` },
        ...{
          traceId: aHash(`trace ${seqs + at}`),
          timestampMs: NOW + seqs + at,
          receivedMs: NOW + seqs + at,
        },
      }),
    )
    const first = seqs + 1
    seqs += count
    calls = 0
    await commit.applyBatch(aBatch(first, events))
    return calls
  }

  // More errors meet more of what a batch may have to do, each of which is a call, but none as often as there are errors.
  it('do not grow with the errors, whether their groups are known or new', async () => {
    const commit = controlCommit(
      countedConnection(db, () => calls++),
      clock,
    )
    // Keys, releases and values that nobody has seen are made one by one, in the first batch.
    await callsOf(commit, 'known', 300, 20)
    const known = [await callsOf(commit, 'known', 30, 20), await callsOf(commit, 'known', 300, 20)]
    assert.ok((known[1] ?? 0) <= (known[0] ?? 0) + MORE, `${known[0]} calls, then ${known[1]}`)
    assert.ok((known[1] ?? 0) <= 40, `${known[1]} calls`)
    await callsOf(commit, 'before', 30, 30)
    const fresh = [await callsOf(commit, 'few', 30, 30), await callsOf(commit, 'many', 300, 300)]
    assert.ok((fresh[1] ?? 0) <= (fresh[0] ?? 0) + MORE, `${fresh[0]} calls, then ${fresh[1]}`)
    assert.ok((fresh[1] ?? 0) <= 45, `${fresh[1]} calls`)
  })

  it('are none of stages for which a batch brings nothing', async () => {
    const commit = controlCommit(
      countedConnection(db, () => calls++),
      clock,
    )
    const count = async () => {
      calls = 0
      seqs++
      await commit.applyBatch({ ...aBatch(seqs, []), lastSeq: seq(seqs), parts: [] })
      return calls
    }
    // Rules of alerts, and whether there are mirrors at all, are asked for once.
    await count()
    // How far is applied, read and written.
    assert.equal(await count(), 2)
  })

  it('do not grow with the projects that it names, where issues begin, and come again', async () => {
    const copy = `INSERT INTO projects (org_id, slug, name, options, created_ms)
      SELECT org_id, slug || ?, name, options, created_ms FROM projects WHERE id = ?`
    const ids = Array.from({ length: 90 }, (_, at) => projectId(db.run(copy, [at, project]).lastId))
    const commit = controlCommit(
      countedConnection(db, () => calls++),
      clock,
    )
    const callsIn = async (name: string, projects: readonly ProjectId[]) => {
      const first = seqs + 1
      seqs += projects.length
      const events = projects.map((of, at) =>
        anEvent({
          ...{ projectId: of, name: `${name} ${first + at}`, group: name, release: 'shop@1' },
          ...{ traceId: aHash(`trace ${first + at}`), timestampMs: NOW + first, receivedMs: NOW + first },
        }),
      )
      calls = 0
      await commit.applyBatch(aBatch(first, events))
      return calls
    }
    await callsIn('before', ids.slice(0, 2))
    for (const name of ['begins', 'begins']) {
      const few = await callsIn(name, ids.slice(0, 10))
      const many = await callsIn(name, ids.slice(10))
      assert.ok(many <= few + MORE, `${few} calls, then ${many}`)
    }
  })

  it('do not grow with sessions, of however many releases and people', async () => {
    const commit = controlCommit(
      countedConnection(db, () => calls++),
      clock,
    )
    const callsOfSessions = async (name: string, count: number) => {
      const sessions = Array.from({ length: count }, (_, at) =>
        aSession({
          ...{ projectId: project, id: `${name} ${at}`, person: `${name} ${at}`, startedMs: NOW - at },
          ...{ release: `${name}@${at}`, state: at % 2 === 0 ? 'crashed' : 'healthy' },
        }),
      )
      calls = 0
      await commit.applyBatch(aSessionBatch(++seqs, sessions))
      return calls
    }
    await callsOfSessions('before', 2)
    const few = await callsOfSessions('few', 4)
    const many = await callsOfSessions('many', 200)
    assert.ok(many <= few, `${few} calls, then ${many}`)
    const again = await callsOfSessions('many', 200)
    assert.ok(again <= many, `${many} calls, then ${again} for the same`)
  })

  it('do not grow with new issues whose owners rules name', async () => {
    const rules = `INSERT INTO project_ownership (project_id, rules, code_owners, is_auto_assigned, created_ms, changed_ms)
      SELECT ?, 'tags.plan:* ' || email, '', 0, 0, 0 FROM users LIMIT 1`
    db.run(rules, [project])
    try {
      const commit = controlCommit(
        countedConnection(db, () => calls++),
        clock,
      )
      await callsOf(commit, 'owned before', 5, 5)
      const few = await callsOf(commit, 'owned few', 5, 5)
      const many = await callsOf(commit, 'owned many', 60, 60)
      assert.ok(many <= few + MORE, `${few} calls, then ${many}`)
      assert.equal(db.get<{ count: number }>('SELECT count(*) AS count FROM issue_owners')?.count, 70)
    } finally {
      db.run('DELETE FROM project_ownership WHERE project_id = ?', [project])
    }
  })

  it('do not grow with issues that come back', async () => {
    const commit = controlCommit(
      countedConnection(db, () => calls++),
      clock,
    )
    const resolve = () =>
      db.run(
        `UPDATE issues SET status = 'resolved', substatus = NULL, status_changed_ms = 0 WHERE project_id = ?`,
        [project],
      )
    await callsOf(commit, 'back', 60, 60)
    resolve()
    const few = await callsOf(commit, 'back', 5, 60)
    resolve()
    const many = await callsOf(commit, 'back', 60, 60)
    assert.ok(many <= few + MORE, `${few} calls, then ${many}`)
    const back = "SELECT count(*) AS count FROM activities WHERE kind = 'regressed'"
    assert.equal(db.get<{ count: number }>(back)?.count, 65)
  })

  it('do not grow with groups that nobody remembers', async () => {
    const forgetful = () =>
      controlCommit(
        countedConnection(db, () => calls++),
        clock,
      )
    await callsOf(forgetful(), 'cold', 300, 150)
    const few = await callsOf(forgetful(), 'known', 30, 20)
    const many = await callsOf(forgetful(), 'cold', 300, 150)
    assert.ok(many <= few + MORE, `${few} calls, then ${many}`)
  })
})
