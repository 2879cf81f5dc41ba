/** The control store looked at as a whole: do its own numbers agree, and where does it say events are? */
import { type FileWords, fileNameOf } from '#model/file-name.ts'
import type { ControlChecks, GroupState } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'
import { groupsInFile } from './group-contents.ts'

export function upkeepRead(db: Connection): ControlChecks {
  return {
    groupStates: async (afterId, limit) => groupStates(db, afterId, limit),
    groupCounts: async (file, after, count) => groupsInFile(db, file, { after, count }),
    contradictions: async (limit) =>
      [
        ...db.all<{ text: string }>('SELECT quick_check AS text FROM pragma_quick_check'),
        ...CONTRADICTIONS.flatMap((sql) => db.all<{ text: string }>(`${sql} LIMIT ?`, [limit])),
      ]
        .map(({ text }) => text)
        .filter((text) => text !== 'ok')
        .slice(0, limit),
  }
}

/** Each answers sentences about rows that cannot be so. */
const CONTRADICTIONS: readonly string[] = [
  `SELECT 'issue ' || i.id || ' counts ' || i.event_count || ' events, its groups ' || coalesce(sum(g.event_count), 0)
      AS text
    FROM issues i LEFT JOIN groups g ON g.issue_id = i.id
    GROUP BY i.id HAVING i.event_count <> coalesce(sum(g.event_count), 0)`,
  `SELECT 'issue ' || i.id || ' counts ' || i.payload_count || ' payloads, its groups '
      || coalesce(sum(g.payload_count), 0) AS text
    FROM issues i LEFT JOIN groups g ON g.issue_id = i.id
    GROUP BY i.id HAVING i.payload_count <> coalesce(sum(g.payload_count), 0)`,
  `SELECT 'group ' || g.id || ' counts ' || g.payload_count || ' payloads of ' || g.event_count || ' events' AS text
    FROM groups g WHERE g.payload_count > g.event_count`,
  `SELECT 'issue ' || i.id || ' says it has ' || i.group_count || ' groups, but has ' || count(g.id) AS text
    FROM issues i LEFT JOIN groups g ON g.issue_id = i.id GROUP BY i.id HAVING i.group_count <> count(g.id)`,
  // None is no contradiction: what a late map makes of a group joins its issue before the first event comes.
  `SELECT 'group ' || g.id || ' counts ' || g.event_count || ' events' AS text FROM groups g WHERE g.event_count < 0`,
  `SELECT 'group ' || g.id || ' counts ' || g.event_count || ' events, its hours ' || sum(h.count) AS text
    FROM groups g JOIN group_hours h ON h.group_id = g.id GROUP BY g.id HAVING sum(h.count) > g.event_count`,
  `SELECT 'a row of ' || "table" || ' names one of ' || parent || ' that is gone' AS text
    FROM pragma_foreign_key_check`,
]

function groupStates(db: Connection, afterId: number, limit: number): readonly GroupState[] {
  const sql = `SELECT g.id, g.project_id AS projectId, lower(hex(g.hash)) AS hash, g.event_count AS eventCount,
      g.payload_count AS payloadCount,
      (SELECT json_group_array(json_object('kind', g.kind, 'day', f.day, 'retentionDays', f.retention_days)) FROM group_files f WHERE f.group_id = g.id) AS files
    FROM groups g WHERE g.id > ? ORDER BY g.id LIMIT ?`
  type Row = Omit<GroupState, 'files'> & { readonly files: string }
  return db.all<Row>(sql, [afterId, limit]).map((row) => {
    const files: FileWords[] = JSON.parse(row.files) // as selected
    return { ...row, files: files.flatMap((words) => fileNameOf(words) ?? []) }
  })
}
