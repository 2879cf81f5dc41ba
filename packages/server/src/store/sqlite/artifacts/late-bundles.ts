/** Uploads whose stored events are still to be looked at: noted with the upload, so that no crash forgets it. */
import type { LateBundle, LateBundles } from '#ports/late-maps.ts'
import type { Connection } from '../connection.ts'
import { projectIds } from './bundle-lists.ts'

/** Notes a late bundle, in the transaction that gives it to projects. */
export function noteLate(db: Connection, bundle: number): void {
  db.run('INSERT OR REPLACE INTO late_bundles (bundle_id) VALUES (?)', [bundle])
}

export function lateBundles(db: Connection): LateBundles {
  return {
    lateBundles: (limit) => readLate(db, limit),
    mended: (mark) => {
      db.run('DELETE FROM late_bundles WHERE mark = ?', [mark])
    },
  }
}

interface LateRow {
  readonly mark: number
  readonly release: string | null
  readonly projects: string
  readonly debugIds: string
}

function readLate(db: Connection, limit: number): readonly LateBundle[] {
  // files_by_bundle; a map that waits is one of `maps_waiting`.
  const rows = db.all<LateRow>(
    `SELECT l.mark, b.release,
        (SELECT json_group_array(project_id) FROM bundle_projects p WHERE p.bundle_id = b.id) AS projects,
        (SELECT json_group_array(DISTINCT debug_id) FROM files f WHERE f.bundle_id = b.id AND debug_id IS NOT NULL)
          AS debugIds
      FROM late_bundles l JOIN bundles b ON b.id = l.bundle_id
      WHERE NOT EXISTS (SELECT 1 FROM files f JOIN maps m ON m.org_id = b.org_id AND m.map_key = f.map_key
        WHERE f.bundle_id = b.id AND m.state = 'waiting')
      ORDER BY l.mark LIMIT ?`,
    [limit],
  )
  return rows.map(({ mark, release, projects, debugIds: ids }) => {
    const debugIds: readonly string[] = JSON.parse(ids)
    return { mark, release, projects: projectIds(projects), debugIds }
  })
}
