/** Lists of bundles and their files, for people. */
import { type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type {
  ArtifactFile,
  ArtifactType,
  Bundle,
  BundleFilter,
  ReleaseArtifacts,
  ReleaseFile,
  ReleaseFileFilter,
  UploadKind,
} from '#ports/artifacts.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'

interface BundleRow {
  readonly id: number
  readonly kind: UploadKind
  readonly name: string
  readonly release: string | null
  readonly dist: string | null
  readonly bytes: number
  readonly uploaded_ms: number
  readonly uploaded_by: string
  readonly used_ms: number | null
  readonly projects: string
  readonly file_count: number
  readonly debug_id_count: number
  readonly ready: number
  readonly waiting: number
  readonly damaged: number
}

/** Readable: of the organisation, and at least one of its projects is the viewer's. */
const READABLE = `b.org_id = :org AND EXISTS (SELECT 1 FROM bundle_projects p WHERE p.bundle_id = b.id
  AND +p.project_id IN (SELECT value FROM json_each(:projects)))`

/** Newest first. */
export function bundles(db: Connection, scope: ReadScope, filter: BundleFilter): readonly Bundle[] {
  const wanted =
    filter.project === null ? scope.projects : scope.projects.filter((id) => id === filter.project)
  const mapState = (state: string) => `(SELECT count(DISTINCT f.map_key) FROM files f
    JOIN maps m ON m.org_id = b.org_id AND m.map_key = f.map_key WHERE f.bundle_id = b.id AND m.state = '${state}')`
  const text = filter.text.trim()
  const rows = db.all<BundleRow>(
    `SELECT b.*, (SELECT json_group_array(project_id) FROM bundle_projects p WHERE p.bundle_id = b.id) AS projects,
        (SELECT count(*) FROM files f WHERE f.bundle_id = b.id) AS file_count,
        (SELECT count(DISTINCT debug_id) FROM files f WHERE f.bundle_id = b.id) AS debug_id_count,
        ${mapState('ready')} AS ready, ${mapState('waiting')} AS waiting, ${mapState('damaged')} AS damaged
      FROM bundles b
      WHERE ${READABLE} AND (:release IS NULL OR b.release = :release) AND (:before IS NULL OR b.id < :before)
        AND (:text = '' OR b.release LIKE :like ESCAPE '\\' OR EXISTS (SELECT 1 FROM files f
          WHERE f.bundle_id = b.id AND (f.debug_id = :debugId OR f.url LIKE :like ESCAPE '\\')))
      ORDER BY b.id DESC LIMIT :limit`,
    {
      ...{ org: scope.orgId, projects: JSON.stringify(wanted), release: filter.release },
      ...{ before: filter.beforeId, text, limit: filter.limit },
      like: `%${text.replace(/[\\%_]/g, '\\$&')}%`,
      debugId: text.replaceAll('-', '').toLowerCase(),
    },
  )
  return rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, name: row.name, release: row.release, dist: row.dist, bytes: row.bytes },
    projects: projectIds(row.projects).filter((id) => scope.projects.includes(id)),
    ...{ fileCount: row.file_count, debugIdCount: row.debug_id_count },
    maps: { ready: row.ready, waiting: row.waiting, damaged: row.damaged },
    ...{ uploadedMs: row.uploaded_ms, uploadedBy: row.uploaded_by, usedMs: row.used_ms },
  }))
}

interface FileRow {
  readonly path: string
  readonly type: ArtifactType
  readonly url: string
  readonly debug_id: string | null
  readonly map_reference: string | null
  readonly bytes: number
  readonly map_key: string | null
}

/** By name; `null` for a bundle that is not the viewer's. */
export function files(
  db: Connection,
  scope: ReadScope,
  { bundle, limit }: { readonly bundle: number; readonly limit: number },
): readonly ArtifactFile[] | null {
  const readable = db.get(`SELECT 1 FROM bundles b WHERE b.id = :bundle AND ${READABLE}`, {
    ...{ bundle, org: scope.orgId, projects: JSON.stringify(scope.projects) },
  })
  if (readable === undefined) return null
  return db
    .all<FileRow>('SELECT * FROM files WHERE bundle_id = ? ORDER BY path LIMIT ?', [bundle, limit])
    .map((row) => ({
      ...{ path: row.path, type: row.type, url: row.url, bytes: row.bytes },
      ...{ debugId: row.debug_id, mapReference: row.map_reference, mapKey: row.map_key },
    }))
}

export function artifactsOfReleases(
  db: Connection,
  scope: ReadScope,
  releases: readonly string[],
): readonly ReleaseArtifacts[] {
  // bundles_by_release
  const sql = `SELECT b.release, count(*) AS bundles, sum(b.bytes) AS bytes, max(b.uploaded_ms) AS uploadedMs,
      max(b.used_ms) AS usedMs,
      sum((SELECT count(*) FROM files f WHERE f.bundle_id = b.id)) AS files,
      sum((SELECT count(DISTINCT f.debug_id) FROM files f WHERE f.bundle_id = b.id)) AS debugIds
    FROM bundles b WHERE ${READABLE} AND b.release IN (SELECT value FROM json_each(:releases)) GROUP BY b.release`
  return db.all<ReleaseArtifacts>(sql, {
    ...{ org: scope.orgId, projects: JSON.stringify(scope.projects) },
    releases: JSON.stringify(releases.slice(0, max('pageRowsMax'))),
  })
}

/** Oldest first, by the index of the release's bundles. */
export function releaseFiles(
  db: Connection,
  scope: Pick<ReadScope, 'orgId' | 'projects'>,
  { release, project, name, id, afterId, limit }: ReleaseFileFilter,
): readonly ReleaseFile[] {
  const wanted = project === null ? scope.projects : scope.projects.filter((each) => each === project)
  return db.all<ReleaseFile>(
    `SELECT f.id, f.bundle_id AS bundle, f.url AS name, b.dist, f.map_reference AS mapReference, f.bytes, b.sha1,
        (SELECT count(*) FROM files o WHERE o.bundle_id = b.id) AS filesBeside, b.uploaded_ms AS uploadedMs
      FROM bundles b JOIN files f ON f.bundle_id = b.id
      WHERE ${READABLE} AND b.release = :release AND f.id > :after AND (:id IS NULL OR f.id = :id)
        AND (:name IS NULL OR (f.url = :name AND b.dist IS :dist))
      ORDER BY f.id LIMIT :limit`,
    {
      ...{ org: scope.orgId, projects: JSON.stringify(wanted), release, after: afterId, limit },
      ...{ id: id ?? null, name: name?.name ?? null, dist: name?.dist ?? null },
    },
  )
}

/** Reads a JSON array that this store wrote. */
export function projectIds(json: string): readonly ProjectId[] {
  const ids: readonly number[] = JSON.parse(json)
  return ids.map(projectId)
}
