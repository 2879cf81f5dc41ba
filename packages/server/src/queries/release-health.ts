/** Release health: adoption, and how many sessions and people met no crash. */
import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import { addCounts, NO_SESSIONS } from '#issues/session-changes.ts'
import { max } from '#limits/limits.ts'
import type { HealthFigures, HealthGroup, HealthQuery, HealthRead, HealthSpan } from '#ports/health.ts'
import type { ReadScope } from '#ports/scope.ts'

interface HealthQueries {
  /** Groups that have sessions in the range; see `HealthRead.health`. */
  sessionStats(scope: ReadScope, query: HealthQuery): Promise<readonly HealthGroup[]>
  /** By version; releases without sessions are left out. At most `healthReleasesMax` are asked for. */
  releaseHealth(
    scope: ReadScope,
    asked: Pick<HealthQuery, 'projects' | 'environments'> & { readonly versions: readonly string[] },
  ): Promise<ReadonlyMap<string, ReleaseHealth>>
  /** `before`: the release that it is compared with. `null` while it has no sessions. */
  healthView(
    scope: ReadScope,
    asked: { readonly version: string; readonly before: string | null },
  ): Promise<HealthView | null>
}

/** Share of all sessions, or people, of its projects in the last 24 hours; `null` if there were none. */
export interface Adoption {
  readonly sessions: number | null
  readonly people: number | null
}

export interface ReleaseHealth {
  readonly adoption: Adoption
  readonly lastDay: HealthFigures
  /** Figures of the last 14 days, and day by day. */
  readonly totals: HealthFigures
  readonly days: readonly HealthFigures[]
  readonly span: HealthSpan
}

export interface HealthView extends ReleaseHealth {
  /** Start of the buckets; `stepMs` is the length of each. */
  readonly startMs: number
  readonly stepMs: number
  readonly endMs: number
  readonly series: readonly HealthFigures[]
  /** Its share of the sessions of its projects, bucket by bucket; `null` where there were none. */
  readonly shares: readonly (number | null)[]
  readonly environments: readonly EnvironmentHealth[]
  /** The figures of the same stretch of its life: since its first session, or of the same days. */
  readonly before: {
    readonly version: string
    readonly inRange: HealthFigures
    readonly series: readonly HealthFigures[]
  } | null
  /** Figures of the series' range. */
  readonly inRange: HealthFigures
  /** The range begins with its first session. */
  readonly isWhole: boolean
  /** The range ends with its last session, and not now. */
  readonly isOver: boolean
}

interface EnvironmentHealth {
  /** Empty where sessions name none. */
  readonly environment: string
  readonly totals: HealthFigures
  readonly adoption: Adoption
}

const DAY_HOURS = 24
const SHOWN_HOURS = 14 * DAY_HOURS
/** Up to so old a release is shown by the hour. */
const BY_HOUR_MAX = 2 * DAY_HOURS

export function healthQueries({
  health,
  clock,
}: {
  readonly health: HealthRead
  readonly clock: Clock
}): HealthQueries {
  return {
    sessionStats: (scope, query) => health.health(scope, query),
    releaseHealth: (scope, asked) => releaseHealth(health, scope, { ...asked, endHour: endHourAt(clock) }),
    healthView: (scope, asked) => healthView(health, scope, { ...asked, endHour: endHourAt(clock) }),
  }
}

/** The hour at hand belongs to "until now". */
function endHourAt(clock: Clock): number {
  return Math.floor(clock.now() / HOUR_MS) + 1
}

export const NO_FIGURES: HealthFigures = { ...NO_SESSIONS, people: 0, crashedPeople: 0, isExact: true }

const EVERYWHERE = { projects: null, environments: null } as const
const EVERYTHING = { ...EVERYWHERE, releases: null } as const

interface AskedHealth extends Pick<HealthQuery, 'projects' | 'environments'> {
  readonly versions: readonly string[]
  readonly endHour: number
}

async function releaseHealth(
  health: HealthRead,
  scope: ReadScope,
  { versions, endHour, ...where }: AskedHealth,
): Promise<ReadonlyMap<string, ReleaseHealth>> {
  const releases = versions.slice(0, max('healthReleasesMax'))
  if (releases.length === 0) return new Map()
  const lastDay = { ...where, releases: null, startHour: endHour - DAY_HOURS, endHour, stepHours: null }
  const lastMidnight = Math.ceil(endHour / DAY_HOURS) * DAY_HOURS
  const [spans, ofReleases, ofProjects, days] = await Promise.all([
    health.healthSpans(scope, releases),
    health.health(scope, { ...lastDay, releases, groupBy: ['project', 'release'] }),
    health.health(scope, { ...lastDay, groupBy: ['project'] }),
    health.health(scope, {
      ...{ ...where, releases, groupBy: ['release'] },
      ...{ startHour: lastMidnight - SHOWN_HOURS, endHour: lastMidnight, stepHours: DAY_HOURS },
    }),
  ])
  return new Map(
    spans.map((span) => {
      const { release } = span
      const own = ofReleases.filter((group) => group.release === release)
      const group = days.find((each) => each.release === release)
      return [
        release,
        {
          adoption: adoptionOf(own, ofProjects),
          lastDay: sumHealth(own),
          totals: group?.totals ?? NO_FIGURES,
          days: group?.series ?? [],
          span,
        },
      ]
    }),
  )
}

/** Among the projects that had sessions of it. People of several projects are summed up: nobody knows who is the same. */
function adoptionOf(own: readonly HealthGroup[], ofProjects: readonly HealthGroup[]): Adoption {
  const projects = new Set(own.map(({ projectId }) => projectId))
  return adoptionShare(
    sumHealth(own),
    sumHealth(ofProjects.filter(({ projectId }) => projects.has(projectId))),
  )
}

function adoptionShare(own: HealthFigures, all: HealthFigures): Adoption {
  return {
    sessions: all.sessions === 0 ? null : own.sessions / all.sessions,
    people: all.people === 0 ? null : Math.min(1, own.people / all.people),
  }
}

function sumHealth(groups: readonly HealthGroup[]): HealthFigures {
  return groups.reduce<HealthFigures>(
    (sum, { totals }) => ({
      ...addCounts(sum, totals),
      people: sum.people + totals.people,
      crashedPeople: sum.crashedPeople + totals.crashedPeople,
      isExact: sum.isExact && totals.isExact,
    }),
    NO_FIGURES,
  )
}

/** The stretch of a release's life that is shown. */
interface Stretch extends Pick<HealthQuery, 'startHour' | 'endHour'> {
  readonly stepHours: number
  readonly isWhole: boolean
  readonly isOver: boolean
}

/** Until now, or until its last session where it had none for a day. */
function healthStretch({ firstHour, lastHour }: HealthSpan, nowHour: number): Stretch {
  const isOver = lastHour < nowHour - DAY_HOURS
  const endHour = isOver ? lastHour + 1 : nowHour
  if (endHour - firstHour <= BY_HOUR_MAX)
    return { startHour: firstHour, endHour, stepHours: 1, isWhole: true, isOver }
  const midnight = Math.ceil(endHour / DAY_HOURS) * DAY_HOURS
  const firstDay = Math.floor(firstHour / DAY_HOURS) * DAY_HOURS
  const startHour = Math.max(firstDay, midnight - SHOWN_HOURS)
  return { startHour, endHour: midnight, stepHours: DAY_HOURS, isWhole: startHour === firstDay, isOver }
}

/** Both are looked at for as long, each since its first session; an older one in the same days. */
function sameStretch(of: Stretch, span: HealthSpan): Stretch {
  if (!of.isWhole) return of
  const startHour = of.stepHours === 1 ? span.firstHour : Math.floor(span.firstHour / DAY_HOURS) * DAY_HOURS
  return { ...of, startHour, endHour: startHour + of.endHour - of.startHour }
}

async function healthView(
  health: HealthRead,
  scope: ReadScope,
  {
    version,
    before,
    endHour,
  }: { readonly version: string; readonly before: string | null; readonly endHour: number },
): Promise<HealthView | null> {
  const versions = before === null ? [version] : [version, before]
  const known = await releaseHealth(health, scope, { ...EVERYWHERE, versions, endHour })
  const own = known.get(version)
  if (own === undefined) return null
  const stretch = healthStretch(own.span, endHour)
  const earlier = before === null ? undefined : known.get(before)
  const ofOne = { ...EVERYTHING, releases: [version] }
  const byProject = await health.health(scope, { ...ofOne, ...stretch, groupBy: ['project'] })
  const projects = byProject.flatMap(({ projectId }) => (projectId === undefined ? [] : [projectId]))
  const [whole, all, environments, compared] = await Promise.all([
    health.health(scope, { ...ofOne, ...stretch, groupBy: [] }),
    health.health(scope, { ...EVERYTHING, projects, ...stretch, groupBy: [] }),
    readHealthByEnvironment(health, scope, { version, projects, stretch, endHour }),
    earlier === undefined || before === null
      ? null
      : health.health(scope, {
          ...{ ...EVERYTHING, releases: [before], ...sameStretch(stretch, earlier.span), groupBy: [] },
        }),
  ])
  const series = whole[0]?.series ?? []
  return {
    ...own,
    ...{ startMs: stretch.startHour * HOUR_MS, endMs: stretch.endHour * HOUR_MS },
    ...{ stepMs: stretch.stepHours * HOUR_MS, series, environments },
    ...{ isWhole: stretch.isWhole, isOver: stretch.isOver },
    inRange: whole[0]?.totals ?? NO_FIGURES,
    shares: series.map(
      (figures, index) => adoptionShare(figures, all[0]?.series[index] ?? NO_FIGURES).sessions,
    ),
    before:
      compared === null || before === null || compared[0] === undefined
        ? null
        : { version: before, inRange: compared[0].totals, series: compared[0].series },
  }
}

async function readHealthByEnvironment(
  health: HealthRead,
  scope: ReadScope,
  asked: {
    readonly version: string
    readonly projects: HealthQuery['projects']
    readonly stretch: Stretch
    readonly endHour: number
  },
): Promise<readonly EnvironmentHealth[]> {
  const { version, projects, stretch, endHour } = asked
  const groupBy = ['environment'] as const
  const lastDay = {
    ...EVERYTHING,
    projects,
    startHour: endHour - DAY_HOURS,
    endHour,
    stepHours: null,
    groupBy,
  }
  const [groups, own, all] = await Promise.all([
    health.health(scope, { ...EVERYTHING, ...stretch, stepHours: null, releases: [version], groupBy }),
    health.health(scope, { ...lastDay, releases: [version] }),
    health.health(scope, lastDay),
  ])
  const totalsOf = (list: readonly HealthGroup[], name: string) =>
    list.find(({ environment }) => environment === name)?.totals ?? NO_FIGURES
  return groups
    .map(({ environment = '', totals }) => ({
      ...{ environment, totals },
      adoption: adoptionShare(totalsOf(own, environment), totalsOf(all, environment)),
    }))
    .sort((a, b) => b.totals.sessions - a.totals.sessions)
}

/** Returns the share of sessions without a crash, and of people; `null` if there were none. */
export function crashFree({ sessions, crashed, people, crashedPeople }: HealthFigures): Adoption {
  return {
    sessions: sessions === 0 ? null : 1 - crashed / sessions,
    people: people === 0 ? null : 1 - Math.min(1, crashedPeople / people),
  }
}

/** Sessions that met no failure at all. */
export function healthySessions({ sessions, errored, unhandled, abnormal, crashed }: HealthFigures): number {
  return sessions - errored - unhandled - abnormal - crashed
}
