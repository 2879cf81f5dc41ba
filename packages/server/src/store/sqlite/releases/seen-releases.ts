/** Releases as events and sessions name them: made by the first one, events are counted. Lives as long as its connection. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { foldText } from '#issues/issue-names.ts'
import {
  type EnvironmentCount,
  environmentCounts,
  type NamedRelease,
  type ReleaseCount,
  releaseCounts,
} from '#issues/release-counts.ts'
import { max } from '#limits/limits.ts'
import { type RecentEvents, withMoreEvents } from '#model/recent-events.ts'
import { releaseNameRule } from '#model/release-rules.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { forgetOldest } from '../rows/forget-oldest.ts'
import { makeRoom, type ReleaseCounts } from './release-room.ts'

export class SeenReleases {
  readonly #db: Connection
  /** Project and name to the release; `null`: there is none, and events make none. */
  readonly #known = new Map<string, number | null>()

  readonly #counts: ReleaseCounts = new Map()

  constructor(db: Connection) {
    this.#db = db
  }

  discard(): void {
    this.#known.clear()
    this.#counts.clear()
  }

  /** Before the groups, so that what begins or comes back with the batch finds its release. */
  add(deltas: readonly GroupDelta[]): void {
    const counts = releaseCounts(deltas)
    this.#load(counts)
    const counted = counts.flatMap((count) => {
      const release = this.#known.get(nameOf(count)) ?? null
      return release === null ? [] : [{ release, count }]
    })
    addCounts(this.#db, counted)
    const ofEnvironments = environmentCounts(deltas).flatMap((count) => {
      const release = this.#known.get(nameOf(count)) ?? null
      return release === null ? [] : [environmentParams(release, count)]
    })
    this.#db.runEach(COUNT_ENVIRONMENT, ofEnvironments)
    forgetOldest(this.#known, max('releasesRememberedMax'))
  }

  /** Sessions name releases too, and count as no events. */
  name(named: readonly NamedRelease[]): void {
    this.#load(named)
    for (const one of named) {
      const release = this.#known.get(nameOf(one)) ?? null
      if (release !== null) addProject(this.#db, release, one.projectId)
    }
  }

  /** Finds or makes those that are not known. */
  #load(named: readonly NamedRelease[]): void {
    const missing = new Map<string, NamedRelease>()
    for (const one of named) if (!this.#known.has(nameOf(one))) missing.set(nameOf(one), one)
    const orgs = orgsOf(this.#db, [...missing.values()])
    const asked = [...missing.values()].flatMap((release): PlacedRelease[] => {
      const orgId = orgs.get(release.projectId)
      return orgId === undefined ? [] : [{ ...release, orgId }]
    })
    const rows = this.#db.getEach<{ readonly id: number }>(
      FIND,
      asked.map(({ projectId, orgId, release }) => [projectId, orgId, release]),
    )
    for (const key of missing.keys()) this.#known.set(key, null)
    for (const [at, one] of asked.entries()) this.#known.set(nameOf(one), rows[at]?.id ?? null)
    this.#make(asked.filter((one, at) => rows[at] === undefined && releaseNameRule(one.release) === null))
  }

  #make(releases: readonly PlacedRelease[]): void {
    let fresh: PlacedRelease[] = []
    for (const one of releases) {
      const { orgId, projectId, firstMs } = one
      const { isThere, gone } = makeRoom(
        this.#db,
        { orgId, projectId, atMs: firstMs },
        { counts: this.#counts },
      )
      if (isThere) fresh.push(one)
      if (gone.length === 0) continue
      this.#forget(new Set(gone))
      // What is counted anew counts these.
      this.#insert(fresh)
      fresh = []
    }
    this.#insert(fresh)
  }

  #insert(releases: readonly PlacedRelease[]): void {
    const made = this.#db.runEach(
      INSERT,
      releases.map(({ orgId, release, firstMs }) =>
        insertParams({ orgId, version: release, createdMs: firstMs }),
      ),
    )
    for (const [at, one] of releases.entries()) this.#known.set(nameOf(one), made[at]?.lastId ?? null)
  }

  #forget(gone: ReadonlySet<number>): void {
    for (const [key, id] of this.#known) if (id !== null && gone.has(id)) this.#known.delete(key)
  }
}

const COUNT = `INSERT INTO release_projects (release_id, project_id, first_event_ms, last_event_ms, event_count,
    recent_day, recent_events, recent_before)
  VALUES (:release, :project, :first, :last, :events, :day, :ofDay, :before)
  ON CONFLICT (release_id, project_id) DO UPDATE SET event_count = event_count + :events,
    first_event_ms = min(coalesce(first_event_ms, :first), :first),
    last_event_ms = max(coalesce(last_event_ms, :last), :last),
    recent_day = :day, recent_events = :ofDay, recent_before = :before`

function nameOf({ projectId, release }: Pick<ReleaseCount, 'projectId' | 'release'>): string {
  return `${projectId} ${release}`
}

// One that is known is counted on; of others there is a bound.
const COUNT_ENVIRONMENT = `INSERT INTO release_environments (release_id, project_id, environment, event_count)
  SELECT :release, :project, :environment, :events
  WHERE EXISTS (SELECT 1 FROM release_environments WHERE release_id = :release AND project_id = :project
      AND environment = :environment)
    OR (SELECT count(*) FROM release_environments WHERE release_id = :release AND project_id = :project) < :most
  ON CONFLICT (release_id, project_id, environment) DO UPDATE SET event_count = event_count + :events`

function environmentParams(release: number, { projectId, environment, events }: EnvironmentCount) {
  return { release, project: projectId, environment, events, most: max('releaseEnvironmentsMax') }
}

function addCounts(
  db: Connection,
  counted: readonly { readonly release: number; readonly count: ReleaseCount }[],
): void {
  // The primary key.
  const sql = `SELECT recent_day AS day, recent_events AS events, recent_before AS before FROM release_projects
    WHERE release_id = ? AND project_id = ? AND recent_day IS NOT NULL`
  const known = db.getEach<RecentEvents>(
    sql,
    counted.map(({ release, count }) => [release, count.projectId]),
  )
  const rows = counted.map(({ release, count: { projectId: project, events, firstMs, lastMs } }, at) => {
    const { day, events: ofDay, before } = withMoreEvents(known[at] ?? null, { events, atMs: lastMs })
    return { release, project, events, first: firstMs, last: lastMs, day, ofDay, before }
  })
  db.runEach(COUNT, rows)
}

interface PlacedRelease extends NamedRelease {
  readonly orgId: OrgId
}

// release_projects_by_project. What others say of the version isn't this project's.
const FIND = `SELECT r.id FROM releases r JOIN release_projects rp ON rp.release_id = r.id AND rp.project_id = ?
  WHERE r.org_id = ? AND r.version = ?`

function orgsOf(db: Connection, named: readonly NamedRelease[]): ReadonlyMap<ProjectId, OrgId> {
  if (named.length === 0) return new Map()
  const sql = 'SELECT id, org_id AS orgId FROM projects WHERE id IN (SELECT value FROM json_each(?))'
  const ids = JSON.stringify([...new Set(named.map(({ projectId }) => projectId))])
  const rows = db.all<{ readonly id: ProjectId; readonly orgId: OrgId }>(sql, [ids])
  return new Map(rows.map(({ id, orgId }) => [id, orgId]))
}

const INSERT = `INSERT INTO releases (org_id, version, folded, status, created_ms) VALUES (?, ?, ?, 'open', ?)`

interface NewRelease {
  readonly orgId: OrgId
  readonly version: string
  readonly createdMs: number
}

function insertParams({ orgId, version, createdMs }: NewRelease) {
  return [orgId, version, foldText(version), Math.floor(createdMs)]
}

export function insertRelease(db: Connection, release: NewRelease): number {
  return db.run(INSERT, insertParams(release)).lastId
}

export function addProject(db: Connection, release: number, project: ProjectId): void {
  db.run('INSERT OR IGNORE INTO release_projects (release_id, project_id) VALUES (?, ?)', [release, project])
}
