/** Refusals counted in memory for a moment, then put into the journal as one record. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { JournalWriter } from '#model/record.ts'

const EXAMPLE_CHARS_MAX = 200

export interface OutcomeCounterOptions {
  readonly journal: Pick<JournalWriter, 'append'>
  readonly clock: Clock
  readonly log: Log
}

export class OutcomeCounter {
  readonly #options: OutcomeCounterOptions
  #counted = new Map<string, CountedOutcome>()
  #timer: NodeJS.Timeout | null = null
  /** The last of those that were asked for: one after the other, so that none ends before what an earlier one took is written. */
  #flushing: Promise<void> = Promise.resolve()
  #isClosed = false
  #isRefused = false

  constructor(options: OutcomeCounterOptions) {
    this.#options = options
  }

  count(outcome: Omit<CountedOutcome, 'atMs'>): void {
    this.#add({ ...outcome, atMs: this.#options.clock.now() })
    this.#schedule()
  }

  /** Resolves when everything counted before the call is in the journal, or stays counted because it refuses. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#append())
    return this.#flushing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.flush()
  }

  async #append(): Promise<void> {
    if (this.#counted.size === 0) return
    const outcomes = [...this.#counted.values()]
    this.#counted = new Map()
    try {
      await this.#options.journal.append({
        type: 'outcomes',
        receivedMs: this.#options.clock.now(),
        outcomes,
      })
      this.#isRefused = false
    } catch (cause) {
      // The journal is full or closed. Nothing counted is lost while the process lives: it goes with a later flush.
      for (const outcome of outcomes) this.#add(outcome)
      if (!this.#isRefused) {
        this.#options.log.warn('outcomes: not in the journal yet', {
          count: outcomes.length,
          reason: cause instanceof Error ? cause.message : String(cause),
        })
      }
      this.#isRefused = true
      this.#schedule()
    }
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.flush()
    }, max('outcomeFlushMs'))
    this.#timer.unref()
  }

  #add(outcome: CountedOutcome): void {
    const name = outcomeName(outcome)
    const known = this.#counted.get(name)
    if (known !== undefined) {
      this.#counted.set(name, { ...known, quantity: known.quantity + outcome.quantity, atMs: outcome.atMs })
    } else if (this.#counted.size < max('outcomeKeysMax')) {
      this.#counted.set(name, shortenExample(outcome))
    } else {
      this.#addOther(outcome)
    }
  }

  /** More kinds than are counted apart: one entry per category, which are few. */
  #addOther({ outcome, category, quantity, atMs }: CountedOutcome): void {
    const other: CountedOutcome = {
      outcome,
      reason: 'other',
      category,
      quantity,
      projectId: null,
      keyId: null,
      atMs,
    }
    const name = outcomeName(other)
    this.#counted.set(name, { ...other, quantity: quantity + (this.#counted.get(name)?.quantity ?? 0) })
  }
}

function outcomeName({ projectId, keyId, outcome, reason, category }: CountedOutcome): string {
  return `${projectId} ${keyId} ${outcome} ${reason} ${category}`
}

function shortenExample(outcome: CountedOutcome): CountedOutcome {
  if (outcome.example === undefined) return outcome
  return { ...outcome, example: outcome.example.slice(0, EXAMPLE_CHARS_MAX) }
}
