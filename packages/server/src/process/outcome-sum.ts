/** Outcomes of a batch, the same ones of a minute as one: a flood of refusals stays a handful of rows. */
import { MINUTE_MS } from '#base/durations.ts'
import type { CountedOutcome } from '#model/outcome.ts'

export class OutcomeSum {
  /** Milliseconds since 1970 UTC; 0 before anything was counted. */
  newestMs = 0
  readonly #sums = new Map<string, CountedOutcome>()

  add(outcome: CountedOutcome): void {
    this.newestMs = Math.max(this.newestMs, outcome.atMs)
    const key = JSON.stringify([
      outcome.projectId,
      outcome.keyId,
      outcome.outcome,
      outcome.reason,
      outcome.category,
      Math.floor(outcome.atMs / MINUTE_MS),
    ])
    const sum = this.#sums.get(key)
    this.#sums.set(
      key,
      sum === undefined ? outcome : { ...outcome, quantity: sum.quantity + outcome.quantity },
    )
  }

  addAll(outcomes: readonly CountedOutcome[]): void {
    for (const outcome of outcomes) this.add(outcome)
  }

  all(): readonly CountedOutcome[] {
    return [...this.#sums.values()]
  }
}
