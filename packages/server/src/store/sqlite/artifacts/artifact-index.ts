/** Keeps uploads: bundles, their files, and the state of their maps. */
import { HOUR_MS } from '#base/durations.ts'
import { type OrgId, orgId, projectId } from '#base/ids.ts'
import type {
  ArtifactFile,
  ArtifactIndex,
  ArtifactUsage,
  HeldArtifacts,
  NewBundle,
} from '#ports/artifacts.ts'
import type { Connection } from '../connection.ts'
import { artifactsOfReleases, bundles, files, releaseFiles } from './bundle-lists.ts'
import { failedUploads } from './failed-uploads.ts'
import { noteLate } from './late-bundles.ts'
import { addActions, namedActions } from './named-actions.ts'
import { removeBundles } from './removal.ts'

/** A bundle is noted as used at most so often. */
const USED_EVERY_MS = HOUR_MS
const SAME_UPLOAD = `org_id = ? AND sha1 = ? AND kind = ? AND coalesce(release, '') = ? AND coalesce(dist, '') = ?`

export function artifactIndex(db: Connection): ArtifactIndex {
  return {
    ...failedUploads(db),
    bundleSha1: (bundle) =>
      db.get<{ sha1: string }>('SELECT sha1 FROM bundles WHERE id = ?', [bundle])?.sha1 ?? null,
    bundleOf: (org, upload) => bundleOf(db, org, upload),
    hasBytes: (org, sha1) =>
      db.get('SELECT 1 FROM bundles WHERE org_id = ? AND sha1 = ? LIMIT 1', [org, sha1]) !== undefined,
    addBundle: (bundle) => db.transaction(() => addBundle(db, bundle)),
    addProjects: (bundle, projects) => db.transaction(() => addProjects(db, bundle, projects)),
    actions: (asked) => namedActions(db, asked),
    ...mapStates(db),
    noteUsed: (org, mapKeys, atMs) =>
      db.transaction(() => {
        for (const key of mapKeys) noteUsed(db, { org, key, atMs })
      }),
    bundles: (scope, filter) => bundles(db, scope, filter),
    files: (scope, bundle, limit) => files(db, scope, { bundle, limit }),
    ofReleases: (scope, releases) => artifactsOfReleases(db, scope, releases),
    releaseFiles: (scope, filter) => releaseFiles(db, scope, filter),
    usage: (org) =>
      db.get<ArtifactUsage>(
        'SELECT count(*) AS bundles, coalesce(sum(bytes), 0) AS bytes FROM bundles WHERE org_id = ?',
        [org],
      ) ?? { bundles: 0, bytes: 0 },
    held: () => readHeldArtifacts(db),
    names: (org) => ({
      bundles: db
        .all<{ sha1: string }>('SELECT DISTINCT sha1 FROM bundles WHERE org_id = ?', [org])
        .map(({ sha1 }) => sha1),
      maps: db
        .all<{ key: string }>(`SELECT map_key AS key FROM maps WHERE org_id = ? AND state = 'ready'`, [org])
        .map(({ key }) => key),
    }),
    remove: (org, which) => db.transaction(() => removeBundles(db, org, which)),
  }
}

type MapStates = Pick<ArtifactIndex, 'waitingMaps' | 'mapBegun' | 'mapPutBack' | 'mapDone'>

function mapStates(db: Connection): MapStates {
  const ofMap = 'WHERE org_id = ? AND map_key = ?'
  return {
    waitingMaps: (limit) => waitingMaps(db, limit),
    mapBegun: (org, mapKey) =>
      db.get<{ tries: number }>(`UPDATE maps SET tries = tries + 1 ${ofMap} RETURNING tries`, [org, mapKey])
        ?.tries ?? 0,
    mapPutBack: (org, mapKey) => {
      db.run(`UPDATE maps SET state = 'waiting', tries = max(0, tries - 1) ${ofMap}`, [org, mapKey])
    },
    mapDone: (org, mapKey, { bytes, problem }) => {
      const state = problem === null ? 'ready' : 'damaged'
      const sql = `UPDATE maps SET state = ?, bytes = ?, problem = ?, tries = 0 ${ofMap}`
      return db.run(sql, [state, bytes, problem, org, mapKey]).changes > 0
    },
  }
}

function bundleOf(
  db: Connection,
  org: OrgId,
  { kind, sha1, release, dist }: Pick<NewBundle, 'kind' | 'sha1' | 'release' | 'dist'>,
): { readonly id: number } | null {
  const params = [org, sha1, kind, release ?? '', dist ?? '']
  return db.get<{ id: number }>(`SELECT id FROM bundles WHERE ${SAME_UPLOAD}`, params) ?? null
}

function noteUsed(
  db: Connection,
  { org, key, atMs }: { readonly org: OrgId; readonly key: string; readonly atMs: number },
): void {
  db.run(
    `UPDATE bundles SET used_ms = ?1 WHERE org_id = ?2 AND coalesce(used_ms, 0) < ?3
      AND id IN (SELECT bundle_id FROM files WHERE map_key = ?4)`,
    [atMs, org, atMs - USED_EVERY_MS / 2, key],
  )
}

function readHeldArtifacts(db: Connection): HeldArtifacts {
  const projects = db.all<{ org: number; id: number }>(
    `SELECT DISTINCT b.org_id AS org, p.project_id AS id FROM bundle_projects p JOIN bundles b ON b.id = p.bundle_id
      UNION SELECT f.org_id, j.value FROM failed_uploads f, json_each(f.projects) j`,
  )
  return {
    organisations: db
      .all<{ org: number }>('SELECT DISTINCT org_id AS org FROM bundles')
      .map(({ org }) => orgId(org)),
    projects: projects.map(({ org, id }) => ({ orgId: orgId(org), id: projectId(id) })),
  }
}

function addBundle(db: Connection, bundle: NewBundle): { readonly id: number; readonly isNew: boolean } {
  const { orgId, kind, sha1, name, release, dist, bytes, uploadedMs, by } = bundle
  const { changes, lastId } = db.run(
    `INSERT INTO bundles (org_id, kind, sha1, name, release, dist, bytes, uploaded_ms, uploaded_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [orgId, kind, sha1, name, release, dist, bytes, uploadedMs, by],
  )
  const id = changes > 0 ? lastId : (bundleOf(db, orgId, bundle)?.id ?? lastId)
  addProjects(db, id, bundle.projects)
  if (changes > 0) {
    for (const file of bundle.files) addFile(db, { bundle: id, org: orgId, file })
    addActions(db, id, bundle.actions ?? [])
  }
  return { id, isNew: changes > 0 }
}

function addProjects(db: Connection, bundle: number, projects: readonly number[]): void {
  const sql = 'INSERT OR IGNORE INTO bundle_projects (bundle_id, project_id) VALUES (?, ?)'
  const added = projects.filter((project) => db.run(sql, [bundle, project]).changes > 0)
  if (added.length > 0) noteLate(db, bundle)
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
  // A minified file that carries its own map is one as well.
  if (file.mapKey !== null && (file.type === 'source_map' || file.mapReference === 'data:')) {
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
          WHERE f2.map_key = m.map_key AND (f2.type = 'source_map' OR f2.map_reference = 'data:')
          ORDER BY f2.id LIMIT 1)
      WHERE m.state = 'waiting' ORDER BY f.id LIMIT ?`,
    [limit],
  )
  return rows.map((row) => ({
    ...{ mapKey: row.map_key, bundle: row.bundle_id, path: row.path, minifiedPath: row.minified_path },
    orgId: orgId(row.org_id),
  }))
}
