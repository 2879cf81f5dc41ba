/** Reads changes of feature flags. */
import { FLAG_CHANGES } from '#model/tables/flags.ts'
import type { FlagsRead } from '#ports/flags.ts'
import type { Connection } from '../connection.ts'
import { readRow } from '../tables/rows.ts'
import { selectedColumns } from '../tables/statements.ts'

const COLUMNS = selectedColumns(FLAG_CHANGES, { without: ['orgId', 'createdMs'] })

export function flagsRead(db: Connection): FlagsRead {
  return {
    flagChanges: async ({ orgId, projects: readable }, { projects, flag, startMs, endMs, after, limit }) => {
      const among = projects === null ? readable : projects.filter((id) => readable.includes(id))
      // flag_changes_by_time, from its end
      const sql = `SELECT ${COLUMNS} FROM flag_changes
        WHERE org_id = :org AND at_ms >= :start AND at_ms < :end
          AND (at_ms, id) < (:afterMs, :afterId)
          AND (project_id IS NULL OR project_id IN (SELECT value FROM json_each(:projects)))
          AND (:flag IS NULL OR flag = :flag)
        ORDER BY at_ms DESC, id DESC LIMIT :limit`
      const params = {
        ...{ org: orgId, start: startMs, end: endMs, flag, limit },
        ...{ afterMs: after?.atMs ?? endMs, afterId: after?.id ?? 0 },
        projects: JSON.stringify(among),
      }
      return db.all<object>(sql, params).map((row) => readRow(FLAG_CHANGES, row))
    },
  }
}
