/** Server actions as builds name them. */
import type { AskedAction, NamedAction } from '#ports/artifacts.ts'
import type { Connection } from '../connection.ts'

/** Within a transaction. */
export function addActions(db: Connection, bundle: number, actions: readonly NamedAction[]): void {
  const sql = 'INSERT OR IGNORE INTO actions (bundle_id, action_id, file, name) VALUES (?, ?, ?, ?)'
  for (const { id, file, name } of actions) db.run(sql, [bundle, id, file, name])
}

/** Ids are hashes of where an action is defined: another release that has the id means the same. */
export function namedActions(db: Connection, asked: readonly AskedAction[]): readonly (NamedAction | null)[] {
  const sql = `SELECT a.action_id AS id, a.file, a.name FROM actions a
    JOIN bundles b ON b.id = a.bundle_id
    JOIN bundle_projects p ON p.bundle_id = b.id AND p.project_id = ?
    WHERE a.action_id = ? ORDER BY b.release IS ? DESC, b.id DESC LIMIT 1`
  return asked.map(({ project, release, id }) => db.get<NamedAction>(sql, [project, id, release]) ?? null)
}
