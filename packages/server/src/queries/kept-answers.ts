/**
 * Answers that are kept while nothing changes: figures that a page reads again for each person who opens it. A batch forgets
 * those of its organisations that it may have changed, a change of anybody forgets all, and after a while each begins anew,
 * as hours and ages go on.
 */
import type { Clock } from '#base/clock.ts'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ChangedFigures } from '#ports/ingest.ts'
import type { ReadScope } from '#ports/scope.ts'

/** How long an answer holds. */
export interface AnswerKeeping {
  /** Ranges within the same so many milliseconds are answered alike, and no answer is kept for longer. */
  readonly grainMs: number
  /** Whether a batch may have changed what is answered to the question. */
  readonly isChanged: (changed: ChangedFigures, question: readonly unknown[]) => boolean
}

/** Sums of whole hours, of a range. */
export const OF_HOURS: AnswerKeeping = {
  grainMs: HOUR_MS,
  isChanged: ({ requestHours }, question) => {
    const range = question.find(isRange)
    if (range === undefined) return requestHours.size > 0
    const [start, end] = [Math.floor(range.startMs / HOUR_MS), Math.ceil(range.endMs / HOUR_MS)]
    return [...requestHours].some((hour) => hour >= start && hour < end)
  },
}

/** Stale clicks, by the deploys that they are of. */
export const OF_STALE_CLICKS: AnswerKeeping = {
  grainMs: MINUTE_MS,
  isChanged: ({ hasStaleClicks, hasNewReleases }) => hasStaleClicks || hasNewReleases,
}

/** Requests of releases, by their ages. */
export const OF_RELEASES: AnswerKeeping = {
  grainMs: MINUTE_MS,
  isChanged: ({ requestHours, hasNewReleases }) => requestHours.size > 0 || hasNewReleases,
}

interface Kept {
  readonly orgId: OrgId
  readonly answer: Promise<unknown>
  readonly isChanged: (changed: ChangedFigures) => boolean
}

export class KeptAnswers {
  readonly #clock: Clock
  readonly #answers = new Map<string, Kept>()

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock
  }

  /** Returns a port of which the answers of some methods are kept; their first argument is the scope. */
  port<T extends object>(of: T, methods: { readonly [Method in keyof T]?: AnswerKeeping }): T {
    const kept = new Map<string | symbol, AnswerKeeping>(
      Object.entries<AnswerKeeping | undefined>(methods).flatMap(([name, keeping]) =>
        keeping === undefined ? [] : [[name, keeping]],
      ),
    )
    return new Proxy<T>(of, {
      get: (target: object, name) => {
        const method = Reflect.get(target, name)
        const keeping = kept.get(name)
        if (keeping === undefined) return method
        return (scope: ReadScope, ...args: readonly unknown[]) =>
          this.#answer({ scope, question: [name, ...args], keeping }, () => method(scope, ...args))
      },
    })
  }

  /** Forgets what was answered to organisations, as far as a batch may have changed it. */
  forget(orgs: ReadonlySet<OrgId>, changed: ChangedFigures): void {
    for (const [key, { orgId, isChanged }] of this.#answers)
      if (orgs.has(orgId) && isChanged(changed)) this.#answers.delete(key)
  }

  forgetAll(): void {
    this.#answers.clear()
  }

  /** The same question, asked while the first is being answered, waits for that answer. */
  #answer({ scope, question, keeping }: Asked, read: () => Promise<unknown>): Promise<unknown> {
    const { grainMs } = keeping
    const since = Math.floor(this.#clock.now() / grainMs)
    const { orgId, projects, isGuest } = scope
    const key = JSON.stringify([orgId, projects, isGuest, since, question], grainOfRange(grainMs))
    const kept = this.#answers.get(key)
    if (kept !== undefined) return kept.answer
    const answer = read()
    if (key.length > max('keptQuestionChars')) return answer
    const own: Kept = { orgId, answer, isChanged: (changed) => keeping.isChanged(changed, question) }
    answer.catch(() => {
      if (this.#answers.get(key) === own) this.#answers.delete(key)
    })
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined && this.#answers.size >= max('keptAnswersMax')) this.#answers.delete(oldest)
    this.#answers.set(key, own)
    return answer
  }
}

interface Asked {
  readonly scope: ReadScope
  readonly question: readonly unknown[]
  readonly keeping: AnswerKeeping
}

/** Ranges within a grain are of the same hours and slots: whole ones are read. One that is on its edge is its own. */
function grainOfRange(grainMs: number): (key: string, value: unknown) => unknown {
  return (key, value) => {
    if ((key !== 'startMs' && key !== 'endMs') || typeof value !== 'number') return value
    return [Math.floor(value / grainMs), value % grainMs === 0]
  }
}

function isRange(value: unknown): value is { readonly startMs: number; readonly endMs: number } {
  if (typeof value !== 'object' || value === null || !('startMs' in value) || !('endMs' in value))
    return false
  return typeof value.startMs === 'number' && typeof value.endMs === 'number'
}
