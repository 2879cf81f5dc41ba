/** Adoption: how much each release of a project was used over a week. */
import type { Clock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { orderReleases } from '#model/release-order.ts'
import type { HealthRead, ReleaseUses } from '#ports/health.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface AdoptionAsked {
  /** `null`: of the whole scope. */
  readonly projects: readonly ProjectId[] | null
  /** Without it, every environment. */
  readonly environment: string | null
}

export interface AdoptionView {
  readonly projectId: ProjectId
  /** Requests are counted where no sessions came: they know days alone, in UTC. */
  readonly counted: 'sessions' | 'requests'
  readonly startMs: number
  readonly stepMs: number
  readonly endMs: number
  /** Uses of all its releases, bucket by bucket. */
  readonly totals: readonly number[]
  /** The most used, the newest first. */
  readonly releases: readonly AdoptedRelease[]
  /** How many further ones were used; they are in the totals. */
  readonly others: number
}

export interface AdoptedRelease {
  readonly version: string
  readonly counts: readonly number[]
  /** Share of all uses in the last 24 hours, or today; `null` if there were none. */
  readonly lately: number | null
  /** When it was first deployed within the range; `null` where nobody said so. */
  readonly deployedMs: number | null
}

interface AdoptionQueries {
  /**
   * Returns adoption in the most used projects asked for; empty if no release had sessions or requests for a
   * week.
   */
  adoption(scope: ReadScope, asked: AdoptionAsked): Promise<ProjectsAdoption>
}

export interface ProjectsAdoption {
  /** Views, those with sessions first, at most as many as are shown. */
  readonly views: readonly AdoptionView[]
  /** How many further projects were used. */
  readonly others: number
}

interface AdoptionParts {
  readonly health: Pick<HealthRead, 'sessionsByRelease'>
  readonly requests: Pick<RequestsRead, 'requestsByRelease'>
  readonly releases: Pick<ReleasesRead, 'releaseTimes' | 'deploys'>
  readonly clock: Clock
}

const DAYS = 7
const DAY_HOURS = 24
const STEP_HOURS = 3

export function adoptionQueries(parts: AdoptionParts): AdoptionQueries {
  return {
    adoption: async (scope, asked) => {
      const bySessions = await readSessionUse(parts, scope, asked)
      const counted = new Set(bySessions.map(({ projectId }) => projectId))
      const projects = (asked.projects ?? scope.projects).filter((id) => !counted.has(id))
      // What sessions tell of is not read again.
      const byRequests =
        projects.length === 0 ? [] : await readRequestUse(parts, scope, { ...asked, projects })
      const used = [...bySessions, ...byRequests]
      const shown = used.slice(0, max('adoptionProjectsShownMax'))
      const views = await Promise.all(shown.map((one) => adoptionView(parts, scope, { ...asked, used: one })))
      return { views, others: used.length - shown.length }
    },
  }
}

/** Use of one project's releases. */
interface Used extends Pick<AdoptionView, 'projectId' | 'counted' | 'startMs' | 'stepMs' | 'endMs'> {
  readonly uses: readonly ReleaseUses[]
  /** Buckets that are the last 24 hours, or today. */
  readonly lately: number
}

/** The hour at hand is in it. */
async function readSessionUse(
  { health, clock }: AdoptionParts,
  scope: ReadScope,
  { projects, environment }: AdoptionAsked,
): Promise<readonly Used[]> {
  const endHour = Math.floor(clock.now() / HOUR_MS) + 1
  const startHour = endHour - DAYS * DAY_HOURS
  const environments = environment === null ? null : [environment]
  const range = { startHour, endHour, stepHours: STEP_HOURS }
  const uses = await health.sessionsByRelease(scope, { projects, environments, ...range })
  return mostUsedFirst(uses, {
    ...{ counted: 'sessions', lately: DAY_HOURS / STEP_HOURS, stepMs: STEP_HOURS * HOUR_MS },
    ...{ startMs: startHour * HOUR_MS, endMs: endHour * HOUR_MS },
  })
}

/** By the day: what is older is kept so. Today is the last of them. */
async function readRequestUse(
  { requests, clock }: AdoptionParts,
  scope: ReadScope,
  { projects, environment }: AdoptionAsked,
): Promise<readonly Used[]> {
  const endMs = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS
  const startMs = endMs - DAYS * DAY_MS
  const query = { projects, startMs, endMs, ...(environment === null ? {} : { environment }) }
  const uses = await requests.requestsByRelease(scope, query, DAY_MS)
  return mostUsedFirst(uses, { counted: 'requests', lately: 1, startMs, stepMs: DAY_MS, endMs })
}

function mostUsedFirst(
  uses: readonly ReleaseUses[],
  range: Omit<Used, 'projectId' | 'uses'>,
): readonly Used[] {
  const allOf = ({ uses: own }: Used) => own.reduce((total, { counts }) => total + sum(counts), 0)
  return [...Map.groupBy(uses, ({ projectId }) => projectId)]
    .map(([projectId, own]): Used => ({ ...range, projectId, uses: own }))
    .sort((a, b) => allOf(b) - allOf(a))
}

async function adoptionView(
  { releases, ...parts }: AdoptionParts,
  scope: ReadScope,
  { used, environment }: AdoptionAsked & { readonly used: Used },
): Promise<AdoptionView> {
  const { uses: own, lately, projectId, ...range } = used
  const totals =
    own[0]?.counts.map((_, at) => own.reduce((total, { counts }) => total + (counts[at] ?? 0), 0)) ?? []
  const shown = [...own]
    .sort((a, b) => sum(b.counts) - sum(a.counts))
    .slice(0, max('adoptionReleasesShownMax'))
  const times = await releases.releaseTimes(scope, [projectId])
  const atOf = new Map(times.map(({ version, atMs }) => [version, atMs]))
  const ordered = orderReleases(
    shown.map(({ release, counts }) => ({
      ...{ version: release, counts, place: projectId },
      atMs: atOf.get(release) ?? firstMs(counts, range),
    })),
  )
  const all = sum(totals.slice(-lately))
  const views = ordered.map(
    async ({ version, counts }): Promise<AdoptedRelease> => ({
      ...{ version, counts },
      lately: all === 0 ? null : sum(counts.slice(-lately)) / all,
      deployedMs: await deployedIn({ releases, ...parts }, scope, { version, environment, ...range }),
    }),
  )
  return {
    ...{ projectId, ...range, totals, others: own.length - shown.length },
    releases: await Promise.all(views),
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** Returns the first time of a release that nobody created. */
function firstMs(
  counts: readonly number[],
  { startMs, stepMs }: Pick<AdoptionView, 'startMs' | 'stepMs'>,
): number {
  return startMs + counts.findIndex((count) => count > 0) * stepMs
}

async function deployedIn(
  { releases }: Pick<AdoptionParts, 'releases'>,
  scope: ReadScope,
  asked: Pick<AdoptionView, 'startMs' | 'endMs'> & {
    readonly version: string
    readonly environment: string | null
  },
): Promise<number | null> {
  const { version, environment, startMs, endMs } = asked
  const deploys = await releases.deploys(scope, version)
  const times = deploys
    .filter((deploy) => environment === null || deploy.environment === environment)
    .map(({ finishedMs }) => finishedMs)
  const first = Math.min(...times)
  return first >= startMs && first < endMs ? first : null
}
