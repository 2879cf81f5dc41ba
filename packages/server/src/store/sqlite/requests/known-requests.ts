/** All that the commit remembers of requests. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Memory } from '../memory.ts'
import { rememberActions } from './action-store.ts'
import { rememberCosts } from './cost-store.ts'
import { rememberFailures } from './failure-join.ts'
import { rememberRoutes } from './known-route-store.ts'
import { rememberSeries } from './series-store.ts'

export type RequestMemory = ReturnType<typeof rememberRequests>

export function rememberRequests(memory: Memory) {
  return {
    series: rememberSeries(memory),
    failures: rememberFailures(memory),
    costs: rememberCosts(memory),
    actions: rememberActions(memory),
    routes: rememberRoutes(memory),
    /** Hints that a project has of segments to come. */
    hints: memory.keep<ProjectId, number>({ most: max('projectCountsRememberedMax') }),
    /** Vitals that it has of pages to come. */
    waitingVitals: memory.keep<ProjectId, number>({ most: max('projectCountsRememberedMax') }),
  }
}
