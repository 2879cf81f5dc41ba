/** Takes bundles out, and says what of the files nobody names any more. */

import { DAY_MS } from '#base/durations.ts'
import type { OrgId } from '#base/ids.ts'
import type { BundlesToRemove, RemovedBundles } from '#ports/artifacts.ts'
import type { Connection } from '../connection.ts'

/** Within a transaction. */
export function remove(db: Connection, org: OrgId, which: BundlesToRemove): RemovedBundles {
  if ('project' in which) leaveProject(db, which.project)
  const ids = idsOf(db, org, which)
  const removed: { readonly id: number; readonly sha1: string }[] = []
  const mapKeys = new Set<string>()
  for (const id of ids) {
    const bundle = db.get<{ sha1: string }>('SELECT sha1 FROM bundles WHERE id = ? AND org_id = ?', [id, org])
    if (bundle === undefined) continue
    const maps = db.all<{ map_key: string }>(
      'SELECT DISTINCT map_key FROM files WHERE bundle_id = ? AND map_key IS NOT NULL',
      [id],
    )
    db.run('DELETE FROM bundles WHERE id = ?', [id])
    for (const { map_key: key } of maps) if (forgetMap(db, org, key)) mapKeys.add(key)
    const isKept = db.get('SELECT 1 FROM bundles WHERE org_id = ? AND sha1 = ?', [org, bundle.sha1])
    if (isKept === undefined) removed.push({ id, sha1: bundle.sha1 })
  }
  return { bundles: removed, mapKeys: [...mapKeys] }
}

function forgetMap(db: Connection, org: OrgId, key: string): boolean {
  const sql =
    'SELECT 1 FROM files f JOIN bundles b ON b.id = f.bundle_id WHERE f.map_key = ? AND b.org_id = ?'
  if (db.get(sql, [key, org]) !== undefined) return false
  db.run('DELETE FROM maps WHERE org_id = ? AND map_key = ?', [org, key])
  return true
}

/** A bundle of several projects stays for the others. */
function leaveProject(db: Connection, project: number): void {
  db.run('DELETE FROM bundle_projects WHERE project_id = ?', [project])
}

function idsOf(db: Connection, org: OrgId, which: BundlesToRemove): readonly number[] {
  if ('ids' in which) return which.ids
  if ('release' in which) {
    return idList(db, 'SELECT id FROM bundles WHERE org_id = ? AND release = ?', [org, which.release])
  }
  if ('project' in which) {
    const sql = `SELECT id FROM bundles b WHERE org_id = ? AND NOT EXISTS (
      SELECT 1 FROM bundle_projects p WHERE p.bundle_id = b.id)`
    return idList(db, sql, [org])
  }
  const { bundlesMax, bytesMax, unusedDaysMax } = which.beyond
  const unusedMs = which.nowMs - unusedDaysMax * DAY_MS
  // The newest stay: what is beyond the count or the bytes, and what resolved nothing for so long.
  return idList(
    db,
    `SELECT id FROM (SELECT id, uploaded_ms, used_ms, row_number() OVER newest AS place, sum(bytes) OVER newest AS taken
      FROM bundles WHERE org_id = ? WINDOW newest AS (ORDER BY id DESC))
      WHERE place > ? OR taken > ? OR max(uploaded_ms, coalesce(used_ms, 0)) < ?`,
    [org, bundlesMax, bytesMax, unusedMs],
  )
}

function idList(db: Connection, sql: string, params: readonly (string | number)[]): readonly number[] {
  return db.all<{ id: number }>(sql, params).map(({ id }) => id)
}
