/**
 * Answers that are kept while nothing changes: figures that a page reads again for each person who opens it. What a batch
 * stores or a change writes forgets those of its organisation, and every minute begins anew, as hours and ages go on.
 */
import type { Clock } from '#base/clock.ts'
import { MINUTE_MS } from '#base/durations.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'

interface Kept {
  readonly orgId: OrgId
  readonly answer: Promise<unknown>
}

export class KeptAnswers {
  readonly #clock: Clock
  readonly #answers = new Map<string, Kept>()

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock
  }

  /** Returns a port of which the answers of some methods are kept; their first argument is the scope. */
  port<T extends object>(of: T, methods: readonly (keyof T & string)[]): T {
    const kept = new Set<string | symbol>(methods)
    return new Proxy<T>(of, {
      get: (target: object, name) => {
        const method = Reflect.get(target, name)
        if (!kept.has(name)) return method
        return (scope: ReadScope, ...args: readonly unknown[]) =>
          this.#answer(scope, [name, ...args], () => method(scope, ...args))
      },
    })
  }

  /** Forgets what was answered to organisations. */
  forget(orgs: ReadonlySet<OrgId>): void {
    for (const [key, { orgId }] of this.#answers) if (orgs.has(orgId)) this.#answers.delete(key)
  }

  forgetAll(): void {
    this.#answers.clear()
  }

  /** The same question, asked while the first is being answered, waits for that answer. */
  #answer(scope: ReadScope, question: readonly unknown[], read: () => Promise<unknown>): Promise<unknown> {
    const minute = Math.floor(this.#clock.now() / MINUTE_MS)
    const key = JSON.stringify([scope.orgId, scope.projects, scope.isGuest, minute, question], minuteOfRange)
    const kept = this.#answers.get(key)
    if (kept !== undefined) return kept.answer
    const answer = read()
    if (key.length > max('keptQuestionChars')) return answer
    const own: Kept = { orgId: scope.orgId, answer }
    answer.catch(() => {
      if (this.#answers.get(key) === own) this.#answers.delete(key)
    })
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined && this.#answers.size >= max('keptAnswersMax')) this.#answers.delete(oldest)
    this.#answers.set(key, own)
    return answer
  }
}

/** Ranges of a minute are of the same hours and slots: whole ones are read. One that is on the minute is its own. */
function minuteOfRange(key: string, value: unknown): unknown {
  if ((key !== 'startMs' && key !== 'endMs') || typeof value !== 'number') return value
  return [Math.floor(value / MINUTE_MS), value % MINUTE_MS === 0]
}
