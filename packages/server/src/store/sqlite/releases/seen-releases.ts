/** The stage of releases as events and sessions name them: made by the first one, events are counted. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { foldText } from '#issues/issue-names.ts'
import {
  type EnvironmentCount,
  environmentCounts,
  type NamedRelease,
  type ReleaseCount,
  releaseCounts,
  releasesOfSessions,
} from '#issues/release-counts.ts'
import { max } from '#limits/limits.ts'
import { type RecentEvents, withMoreEvents } from '#model/recent-events.ts'
import { releaseNameRule } from '#model/release-rules.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { BatchProjects } from '../batch-projects.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import type { Stage } from '../stage.ts'
import type { KnownRelease, ReleaseMemory, RememberedReleases } from './known-releases.ts'
import { countReleases, makeRoom } from './release-room.ts'

interface ReleasesAtHand {
  readonly counts: readonly ReleaseCount[]
  readonly environments: readonly EnvironmentCount[]
  /** Sessions name releases too, and count as no events. */
  readonly named: readonly NamedRelease[]
  readonly projects: BatchProjects
  readonly remembered: ReleaseMemory
}

/** Parts of a batch that releases look at. */
interface AtReleases {
  readonly deltas: readonly GroupDelta[]
  readonly sessions: readonly SessionDelta[]
  readonly projects: BatchProjects
  readonly remembered: { readonly releases: ReleaseMemory }
}

/** Releases that are not known and have a name that events may make. */
interface ReleasesThere {
  readonly fresh: readonly PlacedRelease[]
}

type ReleaseChanges = ReleasesThere & ReleasesAtHand

export interface ReleasesStory {
  /** A release came, or a project or environment of one, or an event of it before its first. */
  readonly hasNewReleases: boolean
}

/** Before the groups, so that what begins or comes back with the batch finds its release. */
export const RELEASE_STAGE: Stage<ReleasesAtHand, ReleasesThere, ReleaseChanges, AtReleases, ReleasesStory> =
  {
    name: 'releases',
    pick({ deltas, sessions, projects, remembered }) {
      const counts = releaseCounts(deltas)
      const named = releasesOfSessions(sessions)
      if (counts.length === 0 && named.length === 0) return null
      const environments = environmentCounts(deltas)
      return { counts, environments, named, projects, remembered: remembered.releases }
    },
    load(db, { counts, named, projects, remembered: { known, counts: rooms } }) {
      const missing = new Map<string, NamedRelease>()
      for (const one of [...counts, ...named]) {
        const name = seenReleaseKey(one)
        // Those that are known count as used.
        if (known.get(name) === undefined && !missing.has(name)) missing.set(name, one)
      }
      const asked = [...missing.values()].flatMap((release): PlacedRelease[] => {
        const orgId = projects.get(release.projectId)?.orgId
        return orgId === undefined ? [] : [{ ...release, orgId }]
      })
      const found = findReleases(db, asked)
      for (const name of missing.keys()) know(known, name, found.get(name))
      loadRecent(db, ofKnown(known, counts))
      const fresh = asked.filter(
        (one) => !found.has(seenReleaseKey(one)) && releaseNameRule(one.release) === null,
      )
      countReleases(db, fresh, rooms)
      return { fresh }
    },
    decide: ({ fresh }, input) => ({ ...input, fresh }),
    save(db, { fresh, counts, environments, named, remembered }) {
      const { known } = remembered
      const inUse = ofKnown(known, counts).map(({ release }) => release.id)
      makeReleases(db, fresh, { ...remembered, inUse })
      const isEarlier = addReleaseCounts(db, ofKnown(known, counts))
      const isElsewhere = addEnvironments(db, ofKnown(known, environments))
      const added = db.runEach(
        ADD_PROJECT,
        ofKnown(known, named).map(({ release, count: { projectId } }) => [release.id, projectId]),
      )
      const hasProject = added.some(({ changes }) => changes > 0)
      return { hasNewReleases: fresh.length > 0 || isEarlier || isElsewhere || hasProject }
    },
  }

function know(known: RememberedReleases, name: string, id: number | undefined, recent?: null): void {
  known.set(
    name,
    id === undefined ? null : { id, recent, firstMs: Number.POSITIVE_INFINITY, environments: new Set() },
  )
}

function ofKnown<T extends Pick<ReleaseCount, 'projectId' | 'release'>>(
  known: RememberedReleases,
  counts: readonly T[],
): readonly Counted<T>[] {
  return counts.flatMap((count) => {
    const release = known.get(seenReleaseKey(count)) ?? null
    return release === null ? [] : [{ release, count }]
  })
}

/** Makes room for each in turn: what goes for one is no longer there for the next. */
function makeReleases(
  db: Connection,
  releases: readonly PlacedRelease[],
  { known, counts, inUse }: ReleaseMemory & { readonly inUse: readonly number[] },
): void {
  let fresh: PlacedRelease[] = []
  for (const one of releases) {
    const { orgId, projectId, firstMs } = one
    const { isThere, gone } = makeRoom(db, { orgId, projectId, atMs: firstMs }, { counts, inUse })
    if (isThere) fresh.push(one)
    if (gone.length === 0) continue
    const ids = new Set(gone)
    known.deleteWhere((release) => release !== null && ids.has(release.id))
    // What is counted anew counts these.
    insertReleases(db, known, fresh)
    fresh = []
  }
  insertReleases(db, known, fresh)
}

function insertReleases(db: Connection, known: RememberedReleases, releases: readonly PlacedRelease[]): void {
  const made = db.runEach(
    INSERT,
    releases.map(({ orgId, release, firstMs }) =>
      insertParams({ orgId, version: release, createdMs: firstMs }),
    ),
  )
  for (const [at, one] of releases.entries()) know(known, seenReleaseKey(one), made[at]?.lastId, null)
}

interface Counted<Count> {
  readonly release: KnownRelease
  readonly count: Count
}

const COUNT = {
  insert: `INSERT INTO release_projects (release_id, project_id, first_event_ms, last_event_ms, event_count,
    recent_day, recent_events, recent_before)`,
  columns: 8,
  after: `ON CONFLICT (release_id, project_id) DO UPDATE SET event_count = event_count + excluded.event_count,
    first_event_ms = min(coalesce(first_event_ms, excluded.first_event_ms), excluded.first_event_ms),
    last_event_ms = max(coalesce(last_event_ms, excluded.last_event_ms), excluded.last_event_ms),
    recent_day = excluded.recent_day, recent_events = excluded.recent_events,
    recent_before = excluded.recent_before`,
}

function seenReleaseKey({ projectId, release }: Pick<ReleaseCount, 'projectId' | 'release'>): string {
  return `${projectId} ${release}`
}

/** Shape of counts of environments that are known to have a row. */
const ADD_TO_ENVIRONMENT = {
  insert: 'INSERT INTO release_environments (release_id, project_id, environment, event_count)',
  columns: 4,
  after: `ON CONFLICT (release_id, project_id, environment) DO UPDATE SET
    event_count = event_count + excluded.event_count`,
}

// One that has a row is counted on; of others there is a bound.
const COUNT_ENVIRONMENT = `INSERT INTO release_environments (release_id, project_id, environment, event_count)
  SELECT :release, :project, :environment, :events
  WHERE EXISTS (SELECT 1 FROM release_environments WHERE release_id = :release AND project_id = :project
      AND environment = :environment)
    OR (SELECT count(*) FROM release_environments WHERE release_id = :release AND project_id = :project) < :most
  ON CONFLICT (release_id, project_id, environment) DO UPDATE SET event_count = event_count + :events`

/** Answers whether one of them is new, or may be. */
function addEnvironments(db: Connection, counted: readonly Counted<EnvironmentCount>[]): boolean {
  const rows = new BulkInsert(db, ADD_TO_ENVIRONMENT)
  const asked: Counted<EnvironmentCount>[] = []
  for (const one of counted) {
    const { projectId, environment, events } = one.count
    if (one.release.environments.has(environment)) rows.add(one.release.id, projectId, environment, events)
    else asked.push(one)
  }
  rows.flush()
  const done = db.runEach(
    COUNT_ENVIRONMENT,
    asked.map(({ release, count: { projectId: project, environment, events } }) => {
      return { release: release.id, project, environment, events, most: max('releaseEnvironmentsMax') }
    }),
  )
  for (const [at, { release, count }] of asked.entries())
    if ((done[at]?.changes ?? 0) > 0) release.environments.add(count.environment)
  return done.some(({ changes }) => changes > 0)
}

/** Reads what the next events of releases are added to, where it is not known. */
function loadRecent(db: Connection, counted: readonly Counted<ReleaseCount>[]): void {
  // The primary key.
  const sql = `SELECT recent_day AS day, recent_events AS events, recent_before AS before, first_event_ms AS firstMs
    FROM release_projects
    WHERE release_id = ? AND project_id = ? AND recent_day IS NOT NULL`
  const asked = counted.filter(({ release }) => release.recent === undefined)
  const known = db.getEach<RecentEvents & { readonly firstMs: number }>(
    sql,
    asked.map(({ release, count }) => [release.id, count.projectId]),
  )
  for (const [at, { release }] of asked.entries()) {
    const row = known[at]
    release.recent = row === undefined ? null : { day: row.day, events: row.events, before: row.before }
    if (row !== undefined) release.firstMs = row.firstMs
  }
}

/** Answers whether an event is the first of its release in its project. */
function addReleaseCounts(db: Connection, counted: readonly Counted<ReleaseCount>[]): boolean {
  const rows = new BulkInsert(db, COUNT)
  let isEarlier = false
  for (const { release, count } of counted) {
    const { projectId, events, firstMs, lastMs } = count
    const recent = withMoreEvents(release.recent ?? null, { events, atMs: lastMs })
    release.recent = recent
    isEarlier ||= firstMs < release.firstMs
    release.firstMs = Math.min(firstMs, release.firstMs)
    rows.add(release.id, projectId, firstMs, lastMs, events, recent.day, recent.events, recent.before)
  }
  rows.flush()
  return isEarlier
}

interface PlacedRelease extends NamedRelease {
  readonly orgId: OrgId
}

/**
 * Ids by project and name. What others say of the version isn't this project's. Asked once for each version: where a
 * thousand projects have one of the same name, each of them would be looked at for each other.
 */
function findReleases(db: Connection, asked: readonly PlacedRelease[]): ReadonlyMap<string, number> {
  const versions = Map.groupBy(asked, ({ orgId, release }) => `${orgId} ${release}`)
  const found = new Map<string, number>()
  // releases_by_version, then the primary key of release_projects by its first column alone: `+`
  const sql = `SELECT r.id, rp.project_id AS projectId, r.version AS release
    FROM releases r CROSS JOIN release_projects rp ON rp.release_id = r.id
    WHERE r.org_id = ? AND r.version = ? AND +rp.project_id IN (SELECT value FROM json_each(?))`
  const rows = db.allEach<NamedRow>(
    sql,
    [...versions.values()].flatMap((releases) => {
      const [first] = releases
      const projects = JSON.stringify(releases.map(({ projectId }) => projectId))
      return first === undefined ? [] : [[first.orgId, first.release, projects]]
    }),
  )
  for (const row of rows.flat()) found.set(seenReleaseKey(row), row.id)
  return found
}

type NamedRow = Pick<NamedRelease, 'projectId' | 'release'> & { readonly id: number }

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

const ADD_PROJECT = 'INSERT OR IGNORE INTO release_projects (release_id, project_id) VALUES (?, ?)'

export function addProject(db: Connection, release: number, project: ProjectId): void {
  db.run(ADD_PROJECT, [release, project])
}
