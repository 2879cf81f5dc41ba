/** Rows that a project has in a table that is bounded for each project, counted once and remembered. */
import type { ProjectId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'
import type { Kept } from '../memory.ts'

interface CountedTable {
  readonly table: 'request_failures' | 'segment_hints' | 'waiting_vitals'
  readonly counts: Kept<ProjectId, number>
}

/** Whoever adds or removes rows sets the count that is remembered. */
export function rememberedCount(db: Connection, { table, counts }: CountedTable, project: ProjectId): number {
  const known = counts.get(project)
  if (known !== undefined) return known
  const sql = `SELECT count(*) AS count FROM ${table} WHERE project_id = ?`
  const count = db.get<{ count: number }>(sql, [project])?.count ?? 0
  counts.set(project, count)
  return count
}
