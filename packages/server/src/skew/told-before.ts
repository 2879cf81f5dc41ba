/** Clicks of halves that were told just before, by what has to be alike. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import { nearTimes, type StaleClick, TOGETHER_MS } from './clicks.ts'

const NEAR_MAX = max('staleNearMax')

/** Holds a click as often as halves of it were told, each time with all of them so far. */
export class ToldBefore {
  readonly #orders = new Map<StaleClick, number>()
  readonly #orgOf: (project: ProjectId) => OrgId | null
  /** Clicks by organisation and trace, in their order. */
  readonly #byTrace = new Map<string, StaleClick[]>()
  readonly #byTime = new Map<string, StaleClick[]>()

  /** `null`: of a project that is gone. */
  constructor(orgOf: (project: ProjectId) => OrgId | null) {
    this.#orgOf = orgOf
  }

  add(click: StaleClick): void {
    this.#orders.set(click, this.#orders.size)
    if (click.traceId !== null) addTo(this.#byTrace, this.#traceKey(click, click.traceId), click)
    addTo(this.#byTime, timeKey(click.projectId, timeOf(click.atMs)), click)
  }

  /** Returns clicks of the trace in the organisation, and of about the time in the project; the one told last comes first. */
  near(seen: StaleClickSeen): readonly StaleClick[] {
    const { from, until } = nearTimes(seen)
    const { traceId } = seen
    const ofTrace = traceId === null ? undefined : this.#byTrace.get(this.#traceKey(seen, traceId))
    const found = (ofTrace ?? []).slice(-NEAR_MAX)
    for (let time = timeOf(from); time <= timeOf(until); time++)
      found.push(...(this.#byTime.get(timeKey(seen.projectId, time)) ?? []).slice(-NEAR_MAX))
    const orderOf = (click: StaleClick) => this.#orders.get(click) ?? 0
    return [...new Set(found)].sort((a, b) => orderOf(b) - orderOf(a))
  }

  /** A client names its trace itself: that of another organisation is another. */
  #traceKey({ projectId }: Pick<StaleClickSeen, 'projectId'>, trace: string): string {
    return `${this.#orgOf(projectId)} ${trace}`
  }
}

function timeOf(atMs: number): number {
  return Math.floor(atMs / TOGETHER_MS)
}

function timeKey(project: ProjectId, time: number): string {
  return `${project} ${time}`
}

function addTo(lists: Map<string, StaleClick[]>, key: string, click: StaleClick): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [click])
  else list.push(click)
}
