/** The list of projects: what came of late, and how each fares. Counters alone, nothing is counted anew. */
import type { Clock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { SpikeState } from '#model/spike-state.ts'
import type { HealthFigures, HealthRead } from '#ports/health.ts'
import type { OutcomeGroup, OutcomesRead } from '#ports/ingest.ts'
import type { IssuesRead, ProjectIssues } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import { isQuiet, projectHealth, type Rhythm, rhythmOf, SILENCE_DAYS } from './project-health.ts'
import type { ProjectOverview, ProjectState } from './types.ts'

export interface OverviewParts {
  readonly projects: Pick<ProjectsRead, 'projects' | 'keys' | 'hourlyVolume'>
  readonly issues: Pick<IssuesRead, 'countByProject' | 'lastSeenByProject'>
  readonly outcomes: Pick<OutcomesRead, 'outcomes'>
  readonly releases: Pick<ReleasesRead, 'latestReleases'>
  readonly health: Pick<HealthRead, 'health'>
  readonly spikeState?: (project: ProjectId) => SpikeState | null
  readonly clock: Clock
}

const HOURS = 24
/** Projects whose keys, or whose last four weeks, are read for one list; of others it says that they were not looked at. */
const LOOKED_INTO_MAX = 50
/** Most projects whose releases are read here; beyond it, the page reads those it shows. */
const RELEASES_READ_MAX = 100
const LIMITED: readonly OutcomeName[] = ['rate_limited', 'abuse', 'cardinality_limited']

/** Lists that follow each other look into different silences: what a quiet project did before does not change. */
export function createProjectOverviews(parts: OverviewParts) {
  const rhythms = new QuietRhythms(parts)
  return {
    projectOverviews: (scope: ReadScope) => projectOverviews({ ...parts, rhythms }, scope),
    projectStates: async (scope: ReadScope): Promise<readonly ProjectState[]> => {
      const facts = await readHealthFacts({ ...parts, rhythms }, scope, {
        lastSeen: await parts.issues.lastSeenByProject(scope),
        releases: NO_RELEASES,
      })
      return facts.map(({ project, errors, lastEventMs, health: { state } }) => ({
        ...{ project, errors, lastEventMs, state },
      }))
    },
    latestReleases: (scope: ReadScope, projects: readonly ProjectId[]) =>
      latestReleases(parts, scope, projects),
  }
}

/** The name of the release that a project grew with is no part of its state. */
const NO_RELEASES: ReadonlyMap<ProjectId, TimedRelease> = new Map()

async function projectOverviews(parts: WithRhythms, scope: ReadScope): Promise<readonly ProjectOverview[]> {
  const [counts, releases, sessions] = await Promise.all([
    parts.issues.countByProject(scope),
    latestReleases(parts, scope, scope.projects.length > RELEASES_READ_MAX ? [] : null),
    sessionsOfDay(parts, scope, parts.clock.now()),
  ])
  const facts = await readHealthFacts(parts, scope, { lastSeen: counts, releases })
  const issues = new Map(counts.map((count) => [count.projectId, count]))
  return facts.map(({ project, ...own }) => ({
    ...{ project, ...own },
    issues: issues.get(project.id) ?? noIssues(project.id),
    latestRelease: releases.get(project.id) ?? null,
    sessions: sessions.get(project.id) ?? null,
  }))
}

type WithRhythms = OverviewParts & { readonly rhythms: QuietRhythms }

/** Reads what a project's health follows from, and says its health. */
async function readHealthFacts(
  parts: WithRhythms,
  scope: ReadScope,
  known: {
    readonly lastSeen: readonly Pick<ProjectIssues, 'projectId' | 'lastSeenMs'>[]
    readonly releases: ReadonlyMap<ProjectId, TimedRelease>
  },
): Promise<readonly Pick<ProjectOverview, 'project' | 'errors' | 'trend' | 'lastEventMs' | 'health'>[]> {
  const nowMs = parts.clock.now()
  const startMs = (Math.floor(nowMs / HOUR_MS) - 2 * HOURS + 1) * HOUR_MS
  const range = { startMs, endMs: startMs + 2 * HOURS * HOUR_MS, intervalMs: HOUR_MS }
  const groupBy = ['outcome', 'category', 'project'] as const
  const [projects, { groups }] = await Promise.all([
    parts.projects.projects(scope),
    parts.outcomes.outcomes(scope, { ...range, projects: null, keys: null, groupBy }),
  ])
  const lastSeen = new Map(known.lastSeen.map(({ projectId, lastSeenMs }) => [projectId, lastSeenMs]))
  const lastEventMs = ({ id }: Project) => lastSeen.get(id) ?? null
  const [rhythms, keyless] = await Promise.all([
    parts.rhythms.of(
      projects.flatMap((project): readonly Quiet[] => {
        const lastMs = lastEventMs(project)
        return lastMs !== null && isQuiet({ nowMs, lastEventMs: lastMs }) ? [{ id: project.id, lastMs }] : []
      }),
      nowMs,
    ),
    withoutKey(
      parts,
      scope,
      projects.filter(({ firstEventMs }) => firstEventMs === null),
    ),
  ])
  const groupsOf = Map.groupBy(groups, ({ projectId }) => projectId)
  return projects.map((project) => {
    const own = groupsOf.get(project.id) ?? []
    const errors = outcomeSeries(
      own,
      ({ outcome, category }) => outcome === 'accepted' && category === 'error',
    )
    const limited = outcomeSeries(own, ({ outcome }) => outcome !== undefined && LIMITED.includes(outcome))
    const release = known.releases.get(project.id) ?? null
    const health = projectHealth({
      ...{ nowMs, release },
      firstEventMs: project.firstEventMs,
      lastEventMs: lastEventMs(project),
      hasKey: !keyless.has(project.id),
      errors: sum(errors.slice(HOURS)),
      errorsBefore: sum(errors.slice(0, HOURS)),
      limited: sum(limited.slice(HOURS)),
      spike: project.options.spikeProtection ? (parts.spikeState?.(project.id) ?? null) : null,
      rhythm: rhythms.get(project.id) ?? null,
    })
    return {
      project,
      errors: sum(errors.slice(HOURS)),
      trend: { startMs: startMs + HOURS * HOUR_MS, stepMs: HOUR_MS, counts: errors.slice(HOURS) },
      lastEventMs: lastEventMs(project),
      health,
    }
  })
}

function noIssues(projectId: ProjectId): Omit<ProjectIssues, 'lastSeenMs'> {
  return { projectId, unresolved: 0, new: 0, regressed: 0 }
}

/** Per hour, of all groups that are asked for. */
function outcomeSeries(
  groups: readonly OutcomeGroup[],
  isAsked: (group: OutcomeGroup) => boolean,
): readonly number[] {
  const series = new Array<number>(2 * HOURS).fill(0)
  for (const group of groups.filter(isAsked)) {
    for (const [index, count] of group.series.entries()) series[index] = (series[index] ?? 0) + count
  }
  return series
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

async function latestReleases(
  { releases }: Pick<OverviewParts, 'releases'>,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): Promise<ReadonlyMap<ProjectId, TimedRelease>> {
  if (projects?.length === 0) return new Map()
  const all = await releases.latestReleases(scope, projects)
  return new Map(all.map(({ projectId, ...release }) => [projectId, release] as const))
}

/** Returns sessions of the last 24 hours, the running one included. */
async function sessionsOfDay(
  { health }: OverviewParts,
  scope: ReadScope,
  nowMs: number,
): Promise<ReadonlyMap<ProjectId, HealthFigures>> {
  const endHour = Math.floor(nowMs / HOUR_MS) + 1
  const all = { projects: null, releases: null, environments: null }
  const range = { startHour: endHour - HOURS, endHour, stepHours: null }
  const groups = await health.health(scope, { ...range, ...all, groupBy: ['project'] })
  return new Map(
    groups.flatMap(({ projectId, totals }) =>
      projectId === undefined ? [] : [[projectId, totals] as const],
    ),
  )
}

interface Quiet {
  readonly id: ProjectId
  readonly lastMs: number
}

/** Memory of quiet projects' rhythms by their last event: nothing changes while none comes. */
class QuietRhythms {
  readonly #projects: OverviewParts['projects']
  readonly #known = new Map<
    ProjectId,
    { readonly lastMs: number; readonly day: number; readonly rhythm: Rhythm }
  >()

  constructor({ projects }: Pick<OverviewParts, 'projects'>) {
    this.#projects = projects
  }

  /** Returns the rhythms that are known, and a few more: first of those that fell silent last. */
  async of(quiet: readonly Quiet[], nowMs: number): Promise<ReadonlyMap<ProjectId, Rhythm>> {
    const day = Math.floor(nowMs / DAY_MS)
    const isKnown = ({ id, lastMs }: Quiet) => {
      const known = this.#known.get(id)
      return known !== undefined && known.lastMs === lastMs && known.day === day
    }
    const unknown = quiet.filter((one) => !isKnown(one)).sort((a, b) => b.lastMs - a.lastMs)
    const sinceMs = nowMs - SILENCE_DAYS * DAY_MS
    await Promise.all(
      unknown.slice(0, LOOKED_INTO_MAX).map(async ({ id, lastMs }) => {
        const hours = await this.#projects.hourlyVolume(id, 'error', sinceMs)
        this.#known.delete(id)
        this.#known.set(id, { lastMs, day, rhythm: rhythmOf(hours) })
      }),
    )
    const found = quiet.filter(isKnown).flatMap(({ id }) => {
      const known = this.#known.get(id)
      return known === undefined ? [] : [[id, known.rhythm] as const]
    })
    for (const id of this.#known.keys()) {
      if (this.#known.size <= max('quietProjectsRemembered')) break
      this.#known.delete(id)
    }
    return new Map(found)
  }
}

/** Returns projects that wait for their first event and have no active key. */
async function withoutKey(
  { projects }: OverviewParts,
  scope: ReadScope,
  waiting: readonly Project[],
): Promise<ReadonlySet<ProjectId>> {
  const read = waiting.slice(0, LOOKED_INTO_MAX).map(async ({ id }) => {
    const keys = await projects.keys(scope, id)
    return keys.some(({ isActive }) => isActive) ? [] : [id]
  })
  return new Set((await Promise.all(read)).flat())
}
