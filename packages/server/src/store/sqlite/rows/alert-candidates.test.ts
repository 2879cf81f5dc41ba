import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { IssueId } from '#base/ids.ts'
import { NOW } from '#testing/builders/times.ts'
import { aNoticeStore } from '#testing/notices/store.ts'
import { Connection } from '../connection.ts'
import { addCandidates, moveCandidates } from './alert-candidates.ts'

it('what waits of an issue that goes into another is no escalation of that one', async (t) => {
  const { arrive, path } = await aNoticeStore(t, { clock: manualClock(NOW), webhook: null, beats: false })
  await arrive({ group: 'a' }, { group: 'b' })
  const db = Connection.openWriter(path)
  t.after(() => db.close())
  const [from, into] = db.all<{ id: IssueId }>('SELECT id FROM issues ORDER BY id').map(({ id }) => id)
  assert.ok(from !== undefined && into !== undefined)
  db.run('DELETE FROM alert_candidates')
  const moments = ['touched', 'comment', 'new'] as const
  addCandidates(
    db,
    moments.map((moment) => ({ issueId: from, moment, atMs: NOW })),
  )
  const progress = (json: string, moment: string) =>
    db.run(`UPDATE alert_candidates SET facts = json_set(facts, '$.progress', json(?)) WHERE moment = ?`, [
      json,
      moment,
    ])
  progress('{"after":3,"escalation":{"perHour":9}}', 'touched')
  progress('{"after":4,"escalation":null}', 'comment')
  moveCandidates(db, [{ from, into }])
  const sql = `SELECT issue_id AS issue, moment, facts -> '$.progress' AS progress FROM alert_candidates ORDER BY id`
  assert.deepEqual(db.all(sql), [
    { issue: into, moment: 'touched', progress: '{"after":3,"escalation":null}' },
    { issue: into, moment: 'comment', progress: '{"after":4,"escalation":null}' },
    { issue: into, moment: 'new', progress: null },
  ])
})
