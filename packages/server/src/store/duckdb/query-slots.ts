/**
 * Reads of the column store: at most `telemetryQueriesMax` at once, each on its own connection, each with a deadline.
 * One organisation has all slots but one, and those who wait take turns: searches that take seconds are waited for by
 * the people who make them.
 */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import { type AnswerRow, type Driver, isOutOfMemory, type Parameter, type Session } from './driver.ts'

/** Runs one statement of a read; rejects with `store_timeout` once the read's time is over. */
export type RunQuery = (sql: string, parameters: readonly Parameter[]) => Promise<readonly AnswerRow[]>

export interface ReadOptions {
  /** Scope of whoever asks; `null` for Errata's own upkeep. */
  readonly by: Pick<ReadScope, 'orgId' | 'userId'> | null
  readonly timeoutMs?: number | undefined
}

interface Waiting {
  readonly org: string
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

export class QuerySlots {
  readonly #driver: Driver
  readonly #timeoutMs: number
  readonly #idle: Session[] = []
  /** Reads that wait, by the person who asked, in turn. */
  readonly #lanes = new Map<string, Waiting[]>()
  readonly #runningOf = new Map<string, number>()
  #waiting = 0
  #drained: (() => void) | null = null
  #running = 0
  #closed = false

  constructor(driver: Driver, timeoutMs: number = max('queryTimeoutMs')) {
    this.#driver = driver
    this.#timeoutMs = timeoutMs
  }

  /** Runs a read of one or more statements; the time limit is of them all, waiting for a slot not included. */
  async read<T>(
    work: (query: RunQuery) => Promise<T>,
    { by, timeoutMs = this.#timeoutMs }: ReadOptions = { by: null },
  ): Promise<T> {
    const org = by === null ? 'upkeep' : String(by.orgId)
    await this.#enter(org, `${org}:${by?.userId ?? 'token'}`)
    try {
      return await this.#withSession(work, Math.min(timeoutMs, this.#timeoutMs))
    } finally {
      this.#leave(org)
    }
  }

  /** Refuses what waits, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { refuse } of [...this.#lanes.values()].flat()) refuse(stopping())
    this.#lanes.clear()
    this.#waiting = 0
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

  async #enter(org: string, lane: string): Promise<void> {
    if (this.#closed) throw stopping()
    if (this.#mayRun(org)) {
      this.#begin(org)
      return
    }
    if (this.#waiting >= max('telemetryQueriesWaitingMax')) {
      throw new ErrataError('overloaded', 'too many column queries wait')
    }
    this.#waiting++
    await new Promise<void>((start, refuse) => {
      const waiting = this.#lanes.get(lane)
      if (waiting === undefined) this.#lanes.set(lane, [{ org, start, refuse }])
      else waiting.push({ org, start, refuse })
    })
  }

  #mayRun(org: string): boolean {
    const most = max('telemetryQueriesMax')
    return this.#running < most && (this.#runningOf.get(org) ?? 0) < most - 1
  }

  #begin(org: string): void {
    this.#running++
    this.#runningOf.set(org, (this.#runningOf.get(org) ?? 0) + 1)
  }

  #leave(org: string): void {
    this.#running--
    const left = (this.#runningOf.get(org) ?? 0) - 1
    if (left > 0) this.#runningOf.set(org, left)
    else this.#runningOf.delete(org)
    this.#beginNext()
    if (this.#running === 0) this.#drained?.()
  }

  /** The first of the lane that is next and may run, which then goes behind the others. */
  #beginNext(): void {
    for (const [lane, waiting] of this.#lanes) {
      const [first] = waiting
      if (first === undefined || !this.#mayRun(first.org)) continue
      waiting.shift()
      this.#lanes.delete(lane)
      if (waiting.length > 0) this.#lanes.set(lane, waiting)
      this.#waiting--
      this.#begin(first.org)
      first.start()
      return
    }
  }
}

function tooLarge(cause: unknown): ErrataError {
  return new ErrataError('overloaded', 'a column query needs more memory than it may take', { cause })
}

function stopping(): ErrataError {
  return new ErrataError('stopping', 'the column store is closed')
}
