/** Releases as maps of rows, and what reads and writes of them share. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import {
  environmentCounts,
  type NamedRelease,
  releaseCounts,
  releasesOfSessions,
} from '#issues/release-counts.ts'
import { max } from '#limits/limits.ts'
import { withMoreEvents } from '#model/recent-events.ts'
import type { TimedRelease } from '#model/release-order.ts'
import { mayEventsMake } from '#model/release-rules.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { ReleasePlace } from '#ports/releases.ts'
import type { ReleaseRow, Tables } from '../tables.ts'

export function releasedAt({ version, releasedMs, createdMs }: ReleaseRow): TimedRelease {
  return { version, atMs: releasedMs ?? createdMs }
}

export function byNewest(a: ReleaseRow, b: ReleaseRow): number {
  return releasedAt(b).atMs - releasedAt(a).atMs || b.id - a.id
}

/** Newest first. */
export function releasesOfProject(of: Tables, project: ProjectId): readonly ReleaseRow[] {
  return of.releases.where(({ projects }) => projects.has(project)).sort(byNewest)
}

export function releaseWithCommit(of: Tables, project: ProjectId, commit: string): TimedRelease | null {
  const first = releasesOfProject(of, project)
    .filter(({ commits }) => commits.some(({ id }) => id === commit))
    .at(-1)
  return first === undefined ? null : releasedAt(first)
}

export function releasedMs(of: Tables, project: ProjectId | undefined, version: string): number | null {
  const row = of.releases.find(
    (each) => project !== undefined && each.projects.has(project) && each.version === version,
  )
  return row === undefined ? null : releasedAt(row).atMs
}

/** What is said of a version belongs to the projects that it is said of: its parts that may be seen, oldest first. */
export function partsOf(of: Tables, { orgId, readable, version }: ReleasePlace): readonly ReleaseRow[] {
  return of.releases
    .where(
      (each) =>
        each.orgId === orgId && each.version === version && readable.some((id) => each.projects.has(id)),
    )
    .sort((a, b) => a.id - b.id)
}

/** One of all parts: what the oldest says counts. */
export function joined(parts: readonly [ReleaseRow, ...(readonly ReleaseRow[])]): ReleaseRow {
  const [first] = parts
  const said = <Key extends 'ref' | 'url' | 'startedMs' | 'releasedMs'>(key: Key) =>
    parts.find((each) => each[key] !== null)?.[key] ?? null
  const commits = new Map(parts.flatMap((each) => each.commits.map((one) => [one.id, one] as const)))
  const deploys = new Map(parts.flatMap((each) => each.deploys.map((one) => [one.id, one] as const)))
  return {
    ...first,
    status: parts.some(({ status }) => status === 'open') ? 'open' : 'archived',
    ...{ ref: said('ref'), url: said('url'), startedMs: said('startedMs'), releasedMs: said('releasedMs') },
    createdMs: Math.min(...parts.map(({ createdMs }) => createdMs)),
    projects: new Map(parts.flatMap((each) => [...each.projects])),
    environments: new Map(parts.flatMap((each) => [...each.environments])),
    commits: [...commits.values()],
    deploys: [...deploys.values()].sort((a, b) => b.id - a.id),
  }
}

export function insertRelease(
  to: Tables,
  release: { readonly orgId: OrgId; readonly version: string; readonly createdMs: number },
): ReleaseRow {
  const id = to.releases.nextId()
  const row: ReleaseRow = {
    ...{ ...release, createdMs: Math.floor(release.createdMs), id, status: 'open', ref: null, url: null },
    ...{ startedMs: null, releasedMs: null, projects: new Map(), commits: [], deploys: [] },
    environments: new Map(),
  }
  to.releases.put(id, row)
  return row
}

export const NOTHING_SEEN = { firstEventMs: null, lastEventMs: null, eventCount: 0, recent: null } as const

/** Made by the first event that names them, counted by all. */
export function seeReleases(to: Tables, deltas: readonly GroupDelta[]): void {
  for (const { projectId, events, lastMs, ...named } of releaseCounts(deltas)) {
    const { firstMs } = named
    const row = seen(to, { projectId, ...named })
    if (row === null) continue
    const before = row.projects.get(projectId) ?? NOTHING_SEEN
    const projects = new Map(row.projects).set(projectId, {
      firstEventMs: Math.min(before.firstEventMs ?? firstMs, firstMs),
      lastEventMs: Math.max(before.lastEventMs ?? lastMs, lastMs),
      eventCount: before.eventCount + events,
      recent: withMoreEvents(before.recent, { events, atMs: lastMs }),
    })
    to.releases.change(row.id, { projects })
  }
  for (const { projectId, release: version, environment, events } of environmentCounts(deltas)) {
    const row = to.releases.find((each) => each.version === version && each.projects.has(projectId))
    if (row === undefined) continue
    const counts = new Map(row.environments.get(projectId))
    if (!counts.has(environment) && counts.size >= max('releaseEnvironmentsMax')) continue
    counts.set(environment, (counts.get(environment) ?? 0) + events)
    to.releases.change(row.id, { environments: new Map(row.environments).set(projectId, counts) })
  }
}

/** By sessions, which count as no events. */
export function nameReleases(to: Tables, sessions: readonly SessionDelta[]): void {
  for (const named of releasesOfSessions(sessions)) {
    const row = seen(to, named)
    if (row === null || row.projects.has(named.projectId)) continue
    to.releases.change(row.id, { projects: new Map(row.projects).set(named.projectId, NOTHING_SEEN) })
  }
}

function seen(to: Tables, { projectId, release: version, firstMs }: NamedRelease): ReleaseRow | null {
  const orgId = to.projects.get(projectId)?.orgId
  if (orgId === undefined) return null
  const ofOrg = to.releases.where((each) => each.orgId === orgId)
  const there = ofOrg.find((each) => each.version === version && each.projects.has(projectId))
  if (there === undefined && !mayEventsMake(version, ofOrg.length)) return null
  return there ?? insertRelease(to, { orgId, version, createdMs: firstMs })
}

/** A release that no project has any more goes with the last one. */
export function takeFromReleases(to: Tables, project: ProjectId): void {
  for (const row of to.releases.where((each) => each.projects.has(project))) takeFrom(to, row, project)
}

export function takeFrom(to: Tables, { id, projects }: ReleaseRow, project: ProjectId): void {
  const left = new Map([...projects].filter(([other]) => other !== project))
  if (left.size === 0) to.releases.delete(id)
  else to.releases.change(id, { projects: left })
}
