import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch, withGroups } from '#testing/builders/control-batch.ts'
import { aHash } from '#testing/builders/ids.ts'
import { anEvent, type EventShape } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { Connection } from '../connection.ts'

const TRACE = '0123456789abcdef0123456789abcdef'
const directory = mkdtempSync(join(tmpdir(), 'errata-moves-'))
after(() => rmSync(directory, { recursive: true, force: true }))

describe('groups that change hands in one batch', () => {
  let files = 0
  let path: string
  let project: ProjectId
  let writer: ReturnType<typeof openNewControl>
  let seq: number
  beforeEach(async () => {
    path = join(directory, `${++files}.sqlite`)
    writer = openNewControl({ path, clock: manualClock(NOW), log })
    project = value(await writer.createFirstOwner(FIRST_OWNER, anActor())).projectId
    seq = 1
  })

  /** `formers`: by the name of a group, those that its events were of before. */
  async function send(
    shapes: readonly Partial<EventShape>[],
    formers: Readonly<Record<string, readonly string[]>> = {},
  ) {
    const batch = aBatch(
      seq,
      shapes.map((shape) => anEvent({ projectId: project, ...shape })),
    )
    seq += shapes.length
    const former = new Map(Object.entries(formers).map(([name, of]) => [aHash(name), of.map(aHash)]))
    const parts = withGroups(batch, (group) => {
      const formerHashes = former.get(group.hash)
      return formerHashes === undefined ? group : { ...group, formerHashes }
    })
    return writer.applyBatch({ ...batch, parts })
  }

  /** The issue of each group, by its place among all; and how often each was seen. */
  async function issuesOf(...groups: readonly string[]) {
    await writer.close()
    const db = Connection.openReader(path)
    try {
      const issues = db.all<{ id: number; count: number; groups: number }>(
        'SELECT id, event_count AS count, group_count AS groups FROM issues WHERE project_id = ? ORDER BY id',
        [project],
      )
      const of = groups.map((name) => {
        const sql = 'SELECT issue_id AS id FROM groups WHERE project_id = ? AND hash = ?'
        const row = db.get<{ id: number }>(sql, [project, Buffer.from(aHash(name), 'hex')])
        return issues.findIndex(({ id }) => id === row?.id)
      })
      return { of, counts: issues.map(({ count, groups: owned }) => [count, owned]) }
    } finally {
      db.close()
    }
  }

  it('follow a group that another issue had before, with the mirror of its failure', async () => {
    await send([{ group: 'old' }])
    const page = { traceId: TRACE, handled: false, route: '/late' }
    const { newIssues } = await send(
      [
        { ...page, group: 'mirror', isMirror: true, requestKind: 'browser' },
        { ...page, group: 'server', requestKind: 'document' },
      ],
      { server: ['old'] },
    )
    assert.equal(newIssues, 0)
    assert.deepEqual(await issuesOf('old', 'server', 'mirror'), { of: [0, 0, 0], counts: [[3, 3]] })
  })

  it('go to the first of their former groups, each to its own', async () => {
    await send([{ group: 'one' }, { group: 'two' }])
    await send([{ group: 'a' }, { group: 'b' }, { group: 'c' }], { a: ['none', 'two', 'one'], b: ['one'] })
    assert.deepEqual(await issuesOf('one', 'two', 'a', 'b', 'c'), {
      of: [0, 1, 1, 0, 2],
      counts: [
        [2, 2],
        [2, 2],
        [1, 1],
      ],
    })
  })

  it('go where the group went that they follow', async () => {
    await send([{ group: 'old' }])
    await send([{ group: 'first' }, { group: 'second' }], { first: ['old'], second: ['first'] })
    assert.deepEqual(await issuesOf('old', 'first', 'second'), { of: [0, 0, 0], counts: [[3, 3]] })
  })
})
