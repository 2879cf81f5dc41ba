/** What of groups is in a file: counted with each commit, and anew by upkeep. */
import { day } from '#base/ids.ts'
import { RETENTION_DAYS } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'
import type { ControlRetention, GroupInFile } from '#ports/retention.ts'
import type { Connection } from '../connection.ts'

type GroupContents = Pick<ControlRetention, 'uncountedFiles' | 'groupsInFile' | 'setContents'>

export function groupContents(db: Connection): GroupContents {
  return {
    uncountedFiles: async () => uncountedFiles(db),
    groupsInFile: async (file, after, count) => groupsInFile(db, file, { after, count }),
    setContents: async (file, contents) => db.transaction(() => setContents(db, file, contents)),
  }
}

interface CountedGroup extends GroupInFile {
  readonly events: number | null
}

function uncountedFiles(db: Connection): readonly FileName[] {
  // group_files_uncounted
  const sql = `SELECT DISTINCT day, retention_days AS retentionDays FROM group_files WHERE events IS NULL
    ORDER BY day, retention_days`
  return db.all<{ day: number; retentionDays: number }>(sql).flatMap((row) => {
    const retentionDays = RETENTION_DAYS.find((known) => known === row.retentionDays)
    return retentionDays === undefined ? [] : [{ day: day(row.day), retentionDays }]
  })
}

/** Groups with rows in a file, and how many each is said to have; `null` while that is not known. */
export function groupsInFile(
  db: Connection,
  { day: at, retentionDays }: FileName,
  { after, count }: { readonly after: number; readonly count: number },
): { readonly groups: readonly CountedGroup[]; readonly last: number | null } {
  const part = 'SELECT id, project_id, hash FROM groups WHERE id > :after ORDER BY id LIMIT :count'
  const groups = db.all<CountedGroup>(
    `SELECT g.id, g.project_id AS projectId, lower(hex(g.hash)) AS hash, f.events FROM (${part}) g
      JOIN group_files f ON f.group_id = g.id AND f.day = :day AND f.retention_days = :days ORDER BY g.id`,
    { after, count, day: at, days: retentionDays },
  )
  const seen = db.get<{ last: number | null; groups: number }>(
    `SELECT max(id) AS last, count(*) AS groups FROM (${part})`,
    { after, count },
  )
  return { groups, last: seen === undefined || seen.groups < count ? null : seen.last }
}

function setContents(
  db: Connection,
  { day: at, retentionDays }: FileName,
  contents: Parameters<GroupContents['setContents']>[1],
): void {
  const place = 'WHERE group_id = ? AND day = ? AND retention_days = ?'
  for (const { id, holds } of contents) {
    if (holds === null) {
      db.run(`DELETE FROM group_files ${place}`, [id, at, retentionDays])
      continue
    }
    const numbers = holds === 'unknown' ? [null, null, null] : [holds.events, holds.firstMs, holds.lastMs]
    const sql = `UPDATE group_files SET events = ?, first_ms = ?, last_ms = ? ${place}`
    db.run(sql, [...numbers, id, at, retentionDays])
  }
}
