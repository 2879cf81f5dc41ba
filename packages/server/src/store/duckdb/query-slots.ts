/** Reads of the column store: at most `telemetryQueriesMax` at once, each on its own connection, each with a deadline. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { type AnswerRow, type Driver, isOutOfMemory, type Parameter, type Session } from './driver.ts'

/** Runs one statement of a read; rejects with `store_timeout` once the read's time is over. */
export type RunQuery = (sql: string, parameters: readonly Parameter[]) => Promise<readonly AnswerRow[]>

export class QuerySlots {
  readonly #driver: Driver
  readonly #timeoutMs: number
  readonly #idle: Session[] = []
  readonly #waiting: { readonly start: () => void; readonly refuse: (error: Error) => void }[] = []
  #drained: (() => void) | null = null
  #running = 0
  #closed = false

  constructor(driver: Driver, timeoutMs: number = max('queryTimeoutMs')) {
    this.#driver = driver
    this.#timeoutMs = timeoutMs
  }

  /** Runs a read of one or more statements; the time limit is of them all, waiting for a slot not included. */
  async read<T>(work: (query: RunQuery) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    await this.#enter()
    try {
      return await this.#withSession(work, Math.min(timeoutMs, this.#timeoutMs))
    } finally {
      this.#leave()
    }
  }

  /** Refuses what waits, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { refuse } of this.#waiting.splice(0)) refuse(stopping())
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    for (const session of this.#idle.splice(0)) session.close()
  }

  async #withSession<T>(work: (query: RunQuery) => Promise<T>, timeoutMs: number): Promise<T> {
    const session = this.#idle.pop() ?? (await this.#driver.connect())
    let late = false
    const timer = setTimeout(() => {
      late = true
      session.interrupt()
    }, timeoutMs)
    const timeout = (cause?: unknown) =>
      new ErrataError('store_timeout', `a column query took longer than ${timeoutMs} ms`, { cause })
    try {
      return await work(async (sql, parameters) => {
        if (late) throw timeout()
        return session.query(sql, parameters)
      })
    } catch (error) {
      if (late && !(error instanceof ErrataError)) throw timeout(error)
      throw isOutOfMemory(error) ? tooLarge(error) : error
    } finally {
      clearTimeout(timer)
      // One that was interrupted is not trusted to be at rest.
      if (late || this.#closed) session.close()
      else this.#idle.push(session)
    }
  }

  async #enter(): Promise<void> {
    if (this.#closed) throw stopping()
    if (this.#running < max('telemetryQueriesMax')) {
      this.#running++
      return
    }
    if (this.#waiting.length >= max('telemetryQueriesWaitingMax')) {
      throw new ErrataError('overloaded', 'too many column queries wait')
    }
    // Whoever leaves hands its slot over: `#running` stays as it is.
    await new Promise<void>((start, refuse) => this.#waiting.push({ start, refuse }))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next.start()
      return
    }
    this.#running--
    if (this.#running === 0) this.#drained?.()
  }
}

function tooLarge(cause: unknown): ErrataError {
  return new ErrataError('overloaded', 'a column query needs more memory than it may take', { cause })
}

function stopping(): ErrataError {
  return new ErrataError('stopping', 'the column store is closed')
}
