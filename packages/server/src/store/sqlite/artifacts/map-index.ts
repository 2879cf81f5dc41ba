/** Finds maps for whoever resolves frames: two or three look-ups by index, a few microseconds each. */
import { orgId, type ProjectId } from '#base/ids.ts'
import type { BuildName, MapIndex, MapState } from '#ports/artifacts.ts'
import { Connection } from '../connection.ts'
import { namedActions } from './named-actions.ts'

interface FileRow {
  readonly url: string
  readonly type: string
  readonly map_reference: string | null
  readonly map_key: string | null
  readonly state: string | null
  readonly problem: string | null
  readonly org_id: number
  readonly name: string
}

const FILE = `f.url, f.type, f.map_reference, f.map_key, m.state, m.problem, b.org_id,
  coalesce(nullif(f.url, ''), f.path) AS name`
const JOINED = `files f
  JOIN bundles b ON b.id = f.bundle_id
  JOIN bundle_projects p ON p.bundle_id = b.id AND p.project_id = :project
  LEFT JOIN maps m ON m.org_id = b.org_id AND m.map_key = f.map_key`
/** Order in which what resolves comes before what may, newest first. */
const BEST_FIRST = `ORDER BY CASE m.state WHEN 'ready' THEN 0 WHEN 'waiting' THEN 1 WHEN 'damaged' THEN 2 ELSE 3 END,
  f.bundle_id DESC, f.type = 'source_map' DESC LIMIT 1`

/** Opens the database of artifacts to read maps alone. The file must exist. */
export function openMapIndex(path: string): MapIndex & { close(): void } {
  const db = Connection.openReader(path)
  return { ...mapIndex(db), close: () => db.close() }
}

export function mapIndex(db: Connection): MapIndex {
  return {
    version: () => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0,
    withDebugId(project, debugId) {
      const row = db.get<FileRow>(`SELECT ${FILE} FROM ${JOINED} WHERE f.debug_id = :debugId ${BEST_FIRST}`, {
        project,
        debugId,
      })
      return row === undefined ? null : mapState(row)
    },
    atAddress: (project, build, addresses) => atAddress(db, project, { build, addresses }),
    isInOtherDist: (project, build, addresses) =>
      addresses.some((url) => isInOtherDist(db, project, { build, url })),
    isKnownTo(org, debugId) {
      const sql = `SELECT 1 FROM files f JOIN bundles b ON b.id = f.bundle_id
        WHERE f.debug_id = :debugId AND b.org_id = :org LIMIT 1`
      return db.get(sql, { org, debugId }) !== undefined
    },
    actions: (asked) => namedActions(db, asked),
  }
}

interface Wanted {
  readonly build: BuildName
  readonly addresses: readonly string[]
}

function atAddress(db: Connection, project: ProjectId, { build, addresses }: Wanted): MapState | null {
  for (const url of addresses) {
    const file = findFileAt(db, project, { build, url, type: 'minified_source' })
    if (file?.map_key) return mapState(file)
    const map = mapAt(db, project, { build, url: mapAddress(url, file?.map_reference ?? null) })
    if (map !== null) return map
    if (file !== undefined) return { state: 'no_map' }
  }
  return null
}

interface FileAt {
  readonly build: BuildName
  readonly url: string
  readonly type: 'minified_source' | 'source_map'
}

function findFileAt(db: Connection, project: ProjectId, { build, url, type }: FileAt): FileRow | undefined {
  return db.get<FileRow>(
    `SELECT ${FILE} FROM ${JOINED}
      WHERE f.url = :url AND f.type = :type AND b.release = :release AND b.dist IS :dist ${BEST_FIRST}`,
    { project, url, type, release: build.release, dist: build.dist },
  )
}

function isInOtherDist(db: Connection, project: ProjectId, { build, url }: Omit<FileAt, 'type'>): boolean {
  const sql = `SELECT 1 FROM ${JOINED}
    WHERE f.url IN (:url, :mapUrl) AND b.release = :release AND b.dist IS NOT :dist LIMIT 1`
  const { release, dist } = build
  return db.get(sql, { project, url, mapUrl: mapAddress(url, null), release, dist }) !== undefined
}

function mapAt(db: Connection, project: ProjectId, at: Omit<FileAt, 'type'>): MapState | null {
  const map = findFileAt(db, project, { ...at, type: 'source_map' })
  return map === undefined ? null : mapState(map)
}

/** Returns the address of a file's map: as it states, else by custom beside it. */
function mapAddress(url: string, reference: string | null): string {
  const name = (reference ?? '').replace(/[?#].*$/, '')
  if (name === '' || name.startsWith('data:')) return `${url}.map`
  if (/^[a-z][a-z0-9+.-]*:|^~/i.test(name)) return name
  const base = url.startsWith('~') ? `http://host${url.slice(1)}` : url
  const found = URL.parse(name, base)?.href ?? name
  return url.startsWith('~') ? found.replace(/^http:\/\/host/, '~') : found
}

function mapState(row: FileRow): MapState {
  if (row.map_key === null || row.state === null) return { state: 'no_map' }
  if (row.state === 'waiting') return { state: 'waiting' }
  if (row.state === 'damaged') return { state: 'damaged', reason: row.problem ?? '' }
  return { state: 'ready', orgId: orgId(row.org_id), mapKey: row.map_key, name: row.name }
}
