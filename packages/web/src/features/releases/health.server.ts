/** Release health as the list of releases and the page of one show it. */
import type { ProjectId } from '@errata/server/ids'
import { crashFree, type HealthView, healthySessions, type ReleaseHealth } from '@errata/server/queries'
import { isYoung } from '#parts/crash-free.ts'
import { releaseMarks } from '#parts/release-marks.server.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export type ListedHealth = ReturnType<typeof healthRow>

/** By version; releases without sessions are left out. */
export async function listHealth(
  ctx: LoaderContext,
  asked: {
    readonly versions: readonly string[]
    readonly projects: readonly { readonly id: ProjectId }[] | null
    readonly environments: readonly string[] | null
  },
): Promise<Readonly<Record<string, ListedHealth>>> {
  const { engine, scope, nowMs } = requireScope(ctx)
  const projects = asked.projects?.map(({ id }) => id) ?? null
  const found = await engine.queries.releaseHealth(scope, { ...asked, projects })
  return Object.fromEntries([...found].map(([version, health]) => [version, healthRow(health, nowMs)]))
}

function healthRow({ adoption, lastDay, totals, days, span }: ReleaseHealth, nowMs: number) {
  const free = crashFree(totals)
  return {
    adoption: adoption.sessions,
    lastDay: lastDay.sessions,
    sessions: free.sessions,
    people: free.people,
    isExact: totals.isExact,
    isYoung: isYoung(span.firstHour, { sessions: totals.sessions, nowMs }),
    trend: days.map((day) => crashFree(day).sessions),
  }
}

export type PageHealth = NonNullable<Awaited<ReturnType<typeof pageHealth>>>

/** `null` while the release has no sessions. `project`: whose releases and deploys are marked; `null`: of several, none. */
export async function pageHealth(
  ctx: LoaderContext,
  asked: { readonly version: string; readonly before: string | null; readonly project: string | null },
) {
  const org = requireScope(ctx)
  const { engine, scope, url, nowMs } = org
  const { project } = asked
  const view = await engine.queries.healthView(scope, asked)
  const isOfPeople = url.searchParams.get('health') === 'users'
  if (view === null) return null
  const marks = project === null ? [] : await releaseMarks(org, { ...view, project })
  return { ...healthChart(view, { of: isOfPeople ? 'people' : 'sessions', nowMs }), marks }
}

function healthChart(
  view: HealthView,
  { of, nowMs }: { readonly of: 'sessions' | 'people'; readonly nowMs: number },
) {
  const { startMs, stepMs, endMs, isWhole, isOver, shares, before, inRange, adoption, span } = view
  return {
    ...{ of, startMs, stepMs, endMs, isWhole, isOver, shares, adoption, inRange },
    isYoung: isYoung(span.firstHour, { sessions: inRange.sessions, nowMs }),
    healthy: healthySessions(inRange),
    free: crashFree(inRange),
    line: lineOf(view.series, { of, stepMs }),
    before:
      before === null
        ? null
        : {
            version: before.version,
            sessions: before.inRange.sessions,
            free: crashFree(before.inRange),
            line: lineOf(before.series, { of, stepMs }),
          },
    environments: view.environments.map(({ environment, totals, adoption: own }) => ({
      ...{ environment, totals, adoption: own, free: crashFree(totals) },
      isYoung: isYoung(span.firstHour, { sessions: totals.sessions, nowMs }),
    })),
  }
}

const DAY_MS = 86_400_000
/** An hour of a small app has too few sessions to say anything: each point is of so many. */
const HOURS_TOGETHER = 6

/** Crash-free bucket by bucket; `null` where nobody came. */
function lineOf(
  series: HealthView['series'],
  { of, stepMs }: { readonly of: 'sessions' | 'people'; readonly stepMs: number },
): readonly (number | null)[] {
  const together = stepMs < DAY_MS ? HOURS_TOGETHER : 1
  return series.map((_, index) => {
    const window = series.slice(Math.max(0, index + 1 - together), index + 1)
    const sum = (name: 'sessions' | 'crashed' | 'people' | 'crashedPeople') =>
      window.reduce((total, figures) => total + figures[name], 0)
    const [all, crashed] =
      of === 'sessions' ? [sum('sessions'), sum('crashed')] : [sum('people'), sum('crashedPeople')]
    return all === 0 ? null : 1 - Math.min(1, crashed / all)
  })
}
