/** Takes bundles out, and says what of the files nobody names any more. */

import { DAY_MS } from '#base/durations.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { BundlesToRemove, RemovedBundles } from '#ports/artifacts.ts'
import type { Connection } from '../connection.ts'
import { forgetFailures } from './failed-uploads.ts'

/** Within a transaction. */
export function removeBundles(db: Connection, org: OrgId, which: BundlesToRemove): RemovedBundles {
  const files = new Set<string>()
  const mapKeys = new Set<string>()
  let count = 0
  for (const id of bundleIds(db, org, which)) {
    const bundle = db.get<{ sha1: string }>('SELECT sha1 FROM bundles WHERE id = ? AND org_id = ?', [id, org])
    if (bundle === undefined) continue
    const maps = db.all<{ map_key: string }>(
      'SELECT DISTINCT map_key FROM files WHERE bundle_id = ? AND map_key IS NOT NULL',
      [id],
    )
    db.run('DELETE FROM bundles WHERE id = ?', [id])
    count++
    for (const { map_key: key } of maps) if (forgetMap(db, org, key)) mapKeys.add(key)
    const isKept = db.get('SELECT 1 FROM bundles WHERE org_id = ? AND sha1 = ?', [org, bundle.sha1])
    if (isKept === undefined) files.add(bundle.sha1)
  }
  return { count, files: [...files], mapKeys: [...mapKeys] }
}

function forgetMap(db: Connection, org: OrgId, key: string): boolean {
  const sql =
    'SELECT 1 FROM files f JOIN bundles b ON b.id = f.bundle_id WHERE f.map_key = ? AND b.org_id = ?'
  if (db.get(sql, [key, org]) !== undefined) return false
  db.run('DELETE FROM maps WHERE org_id = ? AND map_key = ?', [org, key])
  return true
}

/** A bundle of several projects stays for the others: answers those of them that nobody has any more. */
function leaveProjects(
  db: Connection,
  ids: readonly number[],
  projects: readonly number[],
): readonly number[] {
  return ids.filter((id) => {
    for (const project of projects)
      db.run('DELETE FROM bundle_projects WHERE bundle_id = ? AND project_id = ?', [id, project])
    return db.get('SELECT 1 FROM bundle_projects WHERE bundle_id = ?', [id]) === undefined
  })
}

function leaveProject(db: Connection, org: OrgId, project: ProjectId): readonly number[] {
  forgetFailures(db, org, project)
  const sql = `SELECT b.id FROM bundle_projects p JOIN bundles b ON b.id = p.bundle_id
    WHERE p.project_id = ? AND b.org_id = ?`
  return leaveProjects(db, idList(db, sql, [project, org]), [project])
}

function bundleIds(db: Connection, org: OrgId, which: BundlesToRemove): readonly number[] {
  if ('ids' in which) {
    const sql = 'SELECT id FROM bundles WHERE org_id = ? AND id IN (SELECT value FROM json_each(?))'
    const own = idList(db, sql, [org, JSON.stringify(which.ids)])
    return which.projects === 'all' ? own : leaveProjects(db, own, which.projects)
  }
  if ('release' in which) {
    const sql = `SELECT b.id FROM bundles b WHERE b.org_id = ? AND b.release = ? AND EXISTS (SELECT 1
      FROM bundle_projects p WHERE p.bundle_id = b.id AND +p.project_id IN (SELECT value FROM json_each(?)))`
    const own = idList(db, sql, [org, which.release, JSON.stringify(which.projects)])
    return leaveProjects(db, own, which.projects)
  }
  if ('bytes' in which) {
    const sql = 'SELECT id FROM bundles WHERE org_id = ? AND sha1 IN (SELECT value FROM json_each(?))'
    return idList(db, sql, [org, JSON.stringify(which.bytes)])
  }
  if ('project' in which) return leaveProject(db, org, which.project)
  const { bundlesMax, bytesMax, unusedDaysMax } = which.beyond
  const unusedMs = which.nowMs - unusedDaysMax * DAY_MS
  // Whichever project has most loses its oldest first, and what resolved nothing for so long goes anyway.
  return idList(
    db,
    `SELECT id FROM (SELECT id, uploaded_ms, used_ms, row_number() OVER (ORDER BY own, id DESC) AS place,
        sum(bytes) OVER (ORDER BY own_bytes, id DESC) AS taken
      FROM (SELECT *, row_number() OVER newest AS own, sum(bytes) OVER newest AS own_bytes
        FROM (SELECT b.id, b.uploaded_ms, b.used_ms, b.bytes,
            (SELECT min(p.project_id) FROM bundle_projects p WHERE p.bundle_id = b.id) AS project
          FROM bundles b WHERE b.org_id = ?)
        WINDOW newest AS (PARTITION BY project ORDER BY id DESC)))
      WHERE place > ? OR taken > ? OR max(uploaded_ms, coalesce(used_ms, 0)) < ?`,
    [org, bundlesMax, bytesMax, unusedMs],
  )
}

function idList(db: Connection, sql: string, params: readonly (string | number)[]): readonly number[] {
  return db.all<{ id: number }>(sql, params).map(({ id }) => id)
}
