/** Counts what a file holds of groups: with each commit, and anew by upkeep. */
import { type FileName, type FileWords, fileNameOf } from '#model/file-name.ts'
import type { ControlRetention, GroupInFile } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'

type GroupContents = Pick<ControlRetention, 'uncountedFiles' | 'groupsInFile' | 'setContents'>

export function groupContentStore(db: Connection): GroupContents {
  return {
    uncountedFiles: async () => uncountedFiles(db),
    groupsInFile: async (file, after, count) => groupsInFile(db, file, { after, count }),
    setContents: async (file, contents) => db.transaction(() => writeContents(db, file, contents)),
  }
}

interface CountedGroup extends GroupInFile {
  readonly events: number | null
}

function uncountedFiles(db: Connection): readonly FileName[] {
  // group_files_uncounted
  const sql = `SELECT DISTINCT g.kind, f.day, f.retention_days AS retentionDays
    FROM group_files f JOIN groups g ON g.id = f.group_id WHERE f.events IS NULL
    ORDER BY f.day, f.retention_days, g.kind`
  return db.all<FileWords>(sql).flatMap((words) => fileNameOf(words) ?? [])
}

/** Groups with rows in a file, and how many each is said to have; `null` while that is not known. */
export function groupsInFile(
  db: Connection,
  { kind, day: at, retentionDays }: FileName,
  { after, count }: { readonly after: number; readonly count: number },
): { readonly groups: readonly CountedGroup[]; readonly last: number | null } {
  const part = 'SELECT id, project_id, hash, kind FROM groups WHERE id > :after ORDER BY id LIMIT :count'
  const groups = db.all<CountedGroup>(
    `SELECT g.id, g.project_id AS projectId, lower(hex(g.hash)) AS hash, f.events FROM (${part}) g
      JOIN group_files f ON f.group_id = g.id AND f.day = :day AND f.retention_days = :days
      WHERE g.kind = :kind ORDER BY g.id`,
    { after, count, kind, day: at, days: retentionDays },
  )
  const seen = db.get<{ last: number | null; groups: number }>(
    `SELECT max(id) AS last, count(*) AS groups FROM (${part})`,
    { after, count },
  )
  return { groups, last: seen === undefined || seen.groups < count ? null : seen.last }
}

function writeContents(
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
