/** Answers which exceptions of spans an SDK told of already, by what is remembered of failed requests. */
import type { AskedError } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { traceIdKey } from '../rows/trace-key.ts'

export function toldErrors(db: Connection, asked: readonly AskedError[]): readonly boolean[] {
  // The primary key of server_failures.
  const sql = `SELECT 1 FROM server_failures f
    JOIN groups g ON g.id = f.group_id
    JOIN issues i ON i.id = g.issue_id
    JOIN projects p ON p.id = f.project_id
    WHERE f.trace = ? AND i.type = ? AND i.value = ?
      AND p.org_id = (SELECT org_id FROM projects WHERE id = ?)
    LIMIT 1`
  return asked.map(({ projectId, traceId, type, value }) => {
    const trace = traceIdKey(traceId)
    return trace !== null && db.get(sql, [trace, type, value, projectId]) !== undefined
  })
}
