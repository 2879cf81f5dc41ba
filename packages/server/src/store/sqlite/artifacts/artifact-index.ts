/** What was uploaded: bundles, their files, what became of their maps. */
import { orgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFile, ArtifactIndex, NewBundle } from '#ports/artifacts.ts'
import type { Connection } from '../connection.ts'
import { bundles, files, projectIds } from './bundle-lists.ts'
import { remove } from './removal.ts'

const FAILURES_MAX = max('failedUploadsMax')

export function artifactIndex(db: Connection): ArtifactIndex {
  return {
    bundleSha1: (bundle) =>
      db.get<{ sha1: string }>('SELECT sha1 FROM bundles WHERE id = ?', [bundle])?.sha1 ?? null,
    bundleOf: (org, { sha1, release, dist }) =>
      db.get<{ id: number }>(
        `SELECT id FROM bundles WHERE org_id = ? AND sha1 = ? AND coalesce(release, '') = ? AND coalesce(dist, '') = ?`,
        [org, sha1, release ?? '', dist ?? ''],
      ) ?? null,
    addBundle: (bundle) => db.transaction(() => addBundle(db, bundle)),
    addProjects: (bundle, projects) => db.transaction(() => addProjects(db, bundle, projects)),
    addFailure: (failure) =>
      db.transaction(() => {
        const { orgId, projects, release, atMs, what, reason, by } = failure
        db.run(
          `INSERT INTO failed_uploads (org_id, projects, release, at_ms, what, reason, uploaded_by)
            VALUES (?, ?, ?, ?, ?, ?, ?)`,
          [orgId, JSON.stringify(projects), release, atMs, what, reason, by],
        )
        db.run(
          `DELETE FROM failed_uploads WHERE org_id = ?1 AND id <= (
            SELECT id FROM failed_uploads WHERE org_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
          [orgId, FAILURES_MAX],
        )
      }),
    waitingMaps: (limit) => waitingMaps(db, limit),
    mapDone: (org, mapKey, { bytes, problem }) => {
      db.run('UPDATE maps SET state = ?, bytes = ?, problem = ? WHERE org_id = ? AND map_key = ?', [
        ...[problem === null ? 'ready' : 'damaged', bytes, problem, org, mapKey],
      ])
    },
    noteUsed: (mapKeys, atMs) =>
      db.transaction(() => {
        for (const key of mapKeys) {
          db.run(
            `UPDATE bundles SET used_ms = ?1 WHERE coalesce(used_ms, 0) < ?1
              AND id IN (SELECT bundle_id FROM files WHERE map_key = ?2)`,
            [atMs, key],
          )
        }
      }),
    bundles: (scope, filter) => bundles(db, scope, filter),
    files: (scope, bundle, limit) => files(db, scope, { bundle, limit }),
    failures: (scope, limit) =>
      db
        .all<FailureRow>('SELECT * FROM failed_uploads WHERE org_id = ? ORDER BY id DESC LIMIT ?', [
          ...[scope.orgId, limit],
        ])
        .map((row) => ({
          ...{ id: row.id, atMs: row.at_ms, release: row.release, what: row.what, reason: row.reason },
          projects: projectIds(row.projects),
          by: row.uploaded_by,
        }))
        .filter(({ projects }) => projects.every((project) => scope.projects.includes(project))),
    usage: (org) =>
      db.get<{ bundles: number; bytes: number }>(
        'SELECT count(*) AS bundles, coalesce(sum(bytes), 0) AS bytes FROM bundles WHERE org_id = ?',
        [org],
      ) ?? { bundles: 0, bytes: 0 },
    remove: (org, which) => db.transaction(() => remove(db, org, which)),
  }
}

interface FailureRow {
  readonly id: number
  readonly projects: string
  readonly release: string | null
  readonly at_ms: number
  readonly what: string
  readonly reason: string
  readonly uploaded_by: string
}

function addBundle(db: Connection, bundle: NewBundle): { readonly id: number; readonly isNew: boolean } {
  const { orgId, kind, sha1, name, release, dist, bytes, uploadedMs, by } = bundle
  const { changes, lastId } = db.run(
    `INSERT INTO bundles (org_id, kind, sha1, name, release, dist, bytes, uploaded_ms, uploaded_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [orgId, kind, sha1, name, release, dist, bytes, uploadedMs, by],
  )
  const known = `SELECT id FROM bundles WHERE org_id = ? AND sha1 = ? AND coalesce(release, '') = ? AND coalesce(dist, '') = ?`
  const id =
    changes > 0
      ? lastId
      : (db.get<{ id: number }>(known, [orgId, sha1, release ?? '', dist ?? ''])?.id ?? lastId)
  addProjects(db, id, bundle.projects)
  if (changes > 0) for (const file of bundle.files) addFile(db, { bundle: id, org: orgId, file })
  return { id, isNew: changes > 0 }
}

function addProjects(db: Connection, bundle: number, projects: readonly number[]): void {
  for (const project of projects) {
    db.run('INSERT OR IGNORE INTO bundle_projects (bundle_id, project_id) VALUES (?, ?)', [bundle, project])
  }
}

function addFile(
  db: Connection,
  { bundle, org, file }: { readonly bundle: number; readonly org: number; readonly file: ArtifactFile },
): void {
  db.run(
    `INSERT INTO files (bundle_id, path, type, url, debug_id, map_reference, bytes, map_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [bundle, file.path, file.type, file.url, file.debugId, file.mapReference, file.bytes, file.mapKey],
  )
  if (file.type === 'source_map' && file.mapKey !== null) {
    db.run(`INSERT OR IGNORE INTO maps (org_id, map_key, state) VALUES (?, ?, 'waiting')`, [org, file.mapKey])
  }
}

interface WaitingRow {
  readonly org_id: number
  readonly map_key: string
  readonly bundle_id: number
  readonly path: string
  readonly minified_path: string | null
}

function waitingMaps(db: Connection, limit: number): ReturnType<ArtifactIndex['waitingMaps']> {
  const rows = db.all<WaitingRow>(
    `SELECT m.org_id, m.map_key, f.bundle_id, f.path, (
        SELECT path FROM files o WHERE o.bundle_id = f.bundle_id AND o.map_key = f.map_key
          AND o.type = 'minified_source' LIMIT 1) AS minified_path
      FROM maps m JOIN files f ON f.id = (
        SELECT f2.id FROM files f2 JOIN bundles b ON b.id = f2.bundle_id AND b.org_id = m.org_id
          WHERE f2.map_key = m.map_key AND f2.type = 'source_map' ORDER BY f2.id LIMIT 1)
      WHERE m.state = 'waiting' ORDER BY f.id LIMIT ?`,
    [limit],
  )
  return rows.map((row) => ({
    ...{ mapKey: row.map_key, bundle: row.bundle_id, path: row.path, minifiedPath: row.minified_path },
    orgId: orgId(row.org_id),
  }))
}
