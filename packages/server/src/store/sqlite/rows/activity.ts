/** What happened to an issue, and by whom: written in the transaction of the change itself. */
import type { IssueId } from '#base/ids.ts'
import type { Activity, ActivityKind } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'

export const INSERT_ACTIVITY = {
  insert: 'INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail)',
  columns: 6,
}

export function writeActivity(
  db: Connection,
  issue: IssueId,
  note: {
    readonly kind: ActivityKind
    readonly atMs: number
    /** `null` for Errata itself. */
    readonly actor: Actor | null
    readonly detail?: Activity['detail']
  },
): void {
  const sql =
    'INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail) VALUES (?, ?, ?, ?, ?, ?)'
  const { kind, atMs, actor, detail } = note
  db.run(sql, [
    issue,
    kind,
    atMs,
    actor?.userId ?? null,
    actor?.label ?? 'Errata',
    JSON.stringify(detail ?? {}),
  ])
}
