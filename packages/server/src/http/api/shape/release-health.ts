/** Health of a release in one project, in the words of the tools that read it: percentages, `null` without sessions. */
import type { HealthFigures } from '#ports/health.ts'
import { crashFree, NO_FIGURES } from '#queries/release-health.ts'

export type HealthShape = ReturnType<typeof healthShape>

export interface ShapedHealth {
  /** Figures of the period asked for. */
  readonly totals: HealthFigures
  readonly lastDay: HealthFigures
  /** Figures of the whole project. */
  readonly projectLastDay: HealthFigures
}

export function healthShape({ totals, lastDay, projectLastDay }: ShapedHealth) {
  const free = crashFree(totals)
  return {
    hasHealthData: totals.sessions > 0,
    adoption: sharePercent(lastDay.people, projectLastDay.people),
    sessionsAdoption: sharePercent(lastDay.sessions, projectLastDay.sessions),
    crashFreeSessions: free.sessions === null ? null : free.sessions * 100,
    crashFreeUsers: free.people === null ? null : free.people * 100,
    totalSessions: totals.sessions,
    totalUsers: totals.people,
    totalSessions24h: lastDay.sessions,
    totalUsers24h: lastDay.people,
    totalProjectSessions24h: projectLastDay.sessions,
    totalProjectUsers24h: projectLastDay.people,
    sessionsCrashed: totals.crashed,
    sessionsErrored: totals.errored + totals.unhandled,
    ...{ durationP50: null, durationP90: null, stats: {} },
  }
}

function sharePercent(own: number, all: number): number | null {
  return all === 0 ? null : Math.min(100, (own / all) * 100)
}

export const NO_HEALTH: HealthShape = healthShape({
  ...{ totals: NO_FIGURES, lastDay: NO_FIGURES, projectLastDay: NO_FIGURES },
})
