/**
 * Reads of the column store: at most `telemetryQueriesMax` at once, each on its own connection, each with a deadline.
 * One organisation has all slots but one, and those who wait take turns. A read that takes long gives its slot up and goes
 * on beside the others, one of a person: searches that take seconds are waited for by the people who make them.
 */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { WaitsFor } from '#ports/waits.ts'
import { type AnswerRow, type Driver, type DuckSession, isOutOfMemory, type Parameter } from './driver.ts'

/** Runs one statement of a read; rejects with `store_timeout` once the read's time is over. */
export type RunQuery = (sql: string, parameters: readonly Parameter[]) => Promise<readonly AnswerRow[]>

export interface ReadOptions {
  /** Scope of whoever asks; `null` for Errata's own upkeep. */
  readonly by: Pick<ReadScope, 'orgId' | 'userId'> | null
  readonly timeoutMs?: number | undefined
}

type Asking = ReadOptions['by']

/** Organisation and person that a read counts for. */
interface Asker {
  readonly org: string
  readonly person: string
}

interface Waiting extends Asker {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

/** Reads that run, or go on beside those that do, by asker. */
class Running {
  readonly #of = new Map<string, number>()
  #all = 0

  get all(): number {
    return this.#all
  }

  of(asker: string): number {
    return this.#of.get(asker) ?? 0
  }

  add({ org, person }: Asker, change: 1 | -1): void {
    this.#all += change
    for (const asker of [org, person]) {
      const count = this.of(asker) + change
      if (count > 0) this.#of.set(asker, count)
      else this.#of.delete(asker)
    }
  }
}

export class QuerySlots {
  readonly #driver: Driver
  readonly #timeoutMs: number
  readonly #idle: DuckSession[] = []
  /** Reads that wait, by the person who asked, in turn. */
  readonly #lanes = new Map<string, Waiting[]>()
  readonly #running = new Running()
  /** Reads that gave their slot up. */
  readonly #long = new Running()
  readonly #patienceMs: number
  #waiting = 0
  #drained: (() => void) | null = null
  #closed = false

  constructor(
    driver: Driver,
    timeoutMs: number = max('queryTimeoutMs'),
    patienceMs: number = max('telemetryQueryPatienceMs'),
  ) {
    this.#driver = driver
    this.#timeoutMs = timeoutMs
    this.#patienceMs = patienceMs
  }

  /** Runs a read of one or more statements; the time limit is of them all, waiting for a slot not included. */
  async read<T>(
    work: (query: RunQuery) => Promise<T>,
    { by, timeoutMs = this.#timeoutMs }: ReadOptions = { by: null },
  ): Promise<T> {
    const asker = askerOf(by)
    await this.#enter(asker)
    let isLong = false
    const patience = setTimeout(() => {
      isLong = this.#giveUpSlot(asker)
    }, this.#patienceMs)
    try {
      return await this.#withSession(work, Math.min(timeoutMs, this.#timeoutMs))
    } finally {
      clearTimeout(patience)
      this.#leave(asker, isLong)
    }
  }

  /** Returns whose reads a read of this person waits for; `null` while none of theirs waits. */
  waitOf(by: Asking): WaitsFor | null {
    const { org, person } = askerOf(by)
    if (!this.#lanes.has(person)) return null
    const ofPerson = this.#running.of(person) + this.#long.of(person)
    const ofOrg = this.#running.of(org) + this.#long.of(org)
    if (ofPerson > 0 && ofPerson === ofOrg) return 'own'
    return ofOrg > 0 ? 'organisation' : 'others'
  }

  /** Refuses what waits, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { refuse } of [...this.#lanes.values()].flat()) refuse(stopping())
    this.#lanes.clear()
    this.#waiting = 0
    if (this.#running.all + this.#long.all > 0) {
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
      throw isOutOfMemory(error) ? queryTooLarge(error) : error
    } finally {
      clearTimeout(timer)
      // One that was interrupted is not trusted to be at rest.
      if (late || this.#closed) session.close()
      else this.#idle.push(session)
    }
  }

  async #enter(asker: Asker): Promise<void> {
    if (this.#closed) throw stopping()
    if (this.#mayRun(asker)) {
      this.#running.add(asker, 1)
      return
    }
    if (this.#waiting >= max('telemetryQueriesWaitingMax')) {
      throw new ErrataError('overloaded', 'too many column queries wait')
    }
    this.#waiting++
    await new Promise<void>((start, refuse) => {
      const waiting = this.#lanes.get(asker.person)
      if (waiting === undefined) this.#lanes.set(asker.person, [{ ...asker, start, refuse }])
      else waiting.push({ ...asker, start, refuse })
    })
  }

  #mayRun({ org, person }: Asker): boolean {
    const most = max('telemetryQueriesMax')
    if (this.#running.all >= most || this.#running.of(org) >= most - 1) return false
    return this.#long.of(person) === 0 || this.#running.of(person) === 0
  }

  /** Answers whether there was room beside the slots. */
  #giveUpSlot(asker: Asker): boolean {
    const most = max('telemetryQueriesLongMax')
    if (this.#long.all >= most || this.#long.of(asker.org) >= most - 1 || this.#long.of(asker.person) > 0)
      return false
    this.#running.add(asker, -1)
    this.#long.add(asker, 1)
    this.#beginNext()
    return true
  }

  #leave(asker: Asker, isLong: boolean): void {
    const left = isLong ? this.#long : this.#running
    left.add(asker, -1)
    this.#beginNext()
    if (this.#running.all + this.#long.all === 0) this.#drained?.()
  }

  /** Begins who may, the first of each lane in turn, which then goes behind the others. */
  #beginNext(): void {
    for (const [lane, waiting] of this.#lanes) {
      const [first] = waiting
      if (first === undefined || !this.#mayRun(first)) continue
      waiting.shift()
      this.#lanes.delete(lane)
      if (waiting.length > 0) this.#lanes.set(lane, waiting)
      this.#waiting--
      this.#running.add(first, 1)
      first.start()
      return
    }
  }
}

function askerOf(by: Asking): Asker {
  const org = by === null ? 'upkeep' : String(by.orgId)
  return { org, person: `${org}:${by?.userId ?? 'token'}` }
}

function queryTooLarge(cause: unknown): ErrataError {
  return new ErrataError('overloaded', 'a column query needs more memory than it may take', { cause })
}

function stopping(): ErrataError {
  return new ErrataError('stopping', 'the column store is closed')
}
