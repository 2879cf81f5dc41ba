/**
 * Feeds journal ranges to process threads and hands their batches to the one commit in seq order.
 *
 *   journal ──takeRange──▶ [in flight, oldest first] ──▶ idle worker ──▶ packed batch ──(in order)──▶ commit ──▶ release
 *
 * A range stays in flight until the commit has applied it. A worker that dies or hangs is replaced and its range
 * given out again; an envelope that fails `processTriesMax` times is marked for quarantine. When a commit fails,
 * the stores are brought back to what the control store says and everything in flight is processed again. Where
 * nobody can tell which envelope is to blame (the thread died, the commit failed), the range is cut into parts until
 * one envelope is left, so that its neighbours are stored. Where the journal's file cannot be read, no envelope is to
 * blame: the range waits, and is given up only after long (`journalReadPatienceMs`).
 */
import type { Clock } from '#base/clock.ts'
import type { Seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { StallWatch } from '#base/stall-watch.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange, JournalWriter } from '#model/record.ts'
import { Crew, type CrewSize, fixedCrew } from './crew.ts'
import { type Flight, isDiskFailure, newFlight, quarantineAll, splitFlight } from './flight.ts'
import { readFailure } from './read-failure.ts'

/** A process thread, as the dispatcher sees it. */
export interface ProcessWorker<Packed> {
  /** Rejects with a `WorkerFailure` when an envelope could not be processed, with any error when the thread died. */
  process(range: JournalRange, quarantine: readonly Seq[]): Promise<Packed>
  /** Ends the thread at once; a new one takes its place. */
  replace(): Promise<void>
  /** Ends the thread, which has no range; it begins anew when it is given one. Left out: it always runs. */
  rest?(): void
}

export interface CommitPort<Packed, Applied> {
  commit(packed: Packed): Promise<Applied>
  /** Brings the stores back to what the control store says. Answers its applied seq. */
  recover(): Promise<Seq>
}

export interface DispatchOptions<Packed, Applied> {
  readonly journal: Pick<JournalWriter, 'takeRange' | 'onSynced' | 'release' | 'giveUp'>
  /** Every thread that there may be; one that is not needed yet begins with its first range. */
  readonly workers: readonly ProcessWorker<Packed>[]
  /** Bounds of how many work; default: all. */
  readonly crew?: CrewSize
  readonly commit: CommitPort<Packed, Applied>
  readonly clock: Clock
  readonly log: Log
  readonly onApplied: (applied: Applied, range: JournalRange) => void
  /** A thread silent for so long is replaced; default `processTimeoutMs` of the limits. */
  readonly processTimeoutMs?: number
  /** Pause before what failed is tried again; default `commitRetryMs` of the limits. */
  readonly retryMs?: number
}

/** The seq of the envelope a worker failed on, when it could tell. */
export class WorkerFailure extends Error {
  readonly seq: Seq | null
  constructor(message: string, seq: Seq | null, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'WorkerFailure'
    this.seq = seq
  }
}

/** A flight in the hands of a worker. */
interface Given<Packed> {
  readonly flight: Flight<Packed>
  readonly round: number
  /** Resolves when it is the first of what the worker has. */
  readonly begun: Promise<void>
  readonly begin: () => void
}

export class Dispatch<Packed, Applied> {
  readonly #options: DispatchOptions<Packed, Applied>
  readonly #commitWatch: StallWatch
  readonly #crew: Crew
  readonly #flights: Flight<Packed>[] = []
  /** Ranges given to each worker, in its working order. */
  readonly #given: Map<ProcessWorker<Packed>, Given<Packed>[]>
  #committing = false
  #stopped = false
  #failure: string | null = null
  #timer: NodeJS.Timeout | null = null
  #restTimer: NodeJS.Timeout | null = null
  /** When a range was last taken, on the clock that never goes back. */
  #takenMs = Number.NEGATIVE_INFINITY
  #idle: (() => void)[] = []

  constructor(options: DispatchOptions<Packed, Applied>) {
    this.#options = options
    this.#commitWatch = new StallWatch({ clock: options.clock, stallMs: max('commitStallMs') })
    this.#given = new Map(options.workers.map((worker) => [worker, []]))
    this.#crew = new Crew(options.crew ?? fixedCrew(options.workers.length), options.clock)
    options.journal.onSynced(() => this.#pump())
  }

  /** Why nothing is stored at the moment, in words; `null` while all is well. */
  failing(): string | null {
    return this.#failure ?? this.#commitWatch.stalled()
  }

  start(): void {
    this.#pump()
  }

  /** Resolves when everything synced so far is applied, or when dispatching has stopped. */
  async drained(): Promise<void> {
    if (this.#stopped) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
      this.#pump()
    })
  }

  /** Takes no more ranges; what is in flight is left to the next start's replay. */
  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#restTimer !== null) clearTimeout(this.#restTimer)
    this.#settleIdle()
  }

  /** Takes what there is room for and hands on what is ready. Called whenever one of both may have changed. */
  #pump(): void {
    if (this.#stopped) return
    do this.#take()
    while (this.#lookAtCrew() === 'more')
    for (const flight of this.#flights) if (flight.state === 'waiting') this.#give(flight)
    void this.#commitReady()
    if (this.#flights.length === 0) this.#settleIdle()
  }

  #take(): void {
    const room = this.#room()
    while (this.#flights.length < room) {
      const waitMs = this.#msUntilPart()
      const fill = waitMs > 0 ? 'full' : 'any'
      const range = this.#options.journal.takeRange(max('batchEnvelopesMax'), max('batchBytesMax'), fill)
      if (range === null) {
        if (waitMs > 0) this.#pumpIn(waitMs)
        break
      }
      this.#takenMs = this.#options.clock.elapsed()
      this.#flights.push(newFlight(range))
    }
  }

  #room(): number {
    return this.#crew.awake * max('batchesInFlightMax')
  }

  /**
   * Begins or ends a thread; `more` if one more takes ranges now. The log waits for threads while all have as many
   * ranges as they may, and few are ready: where the commit is behind, more of them would not help.
   */
  #lookAtCrew(): 'more' | 'enough' {
    const before = this.#crew.awake
    const ready = this.#flights.filter(({ state }) => state === 'ready' || state === 'paused').length
    const isWaiting = this.#flights.length >= this.#room() && ready <= before
    const busy = [...this.#given.values()].filter(({ length }) => length > 0).length
    const awake = this.#crew.look({ isWaiting, busy })
    if (awake !== before) this.#options.log.info('process threads', { threads: awake })
    if (awake < before) this.#rest()
    if (awake > this.#crew.least) this.#lookLater()
    return awake > before ? 'more' : 'enough'
  }

  /** Ends the threads that work no more; one that has a range yet ends at a later look. */
  #rest(): void {
    const asleep = this.#options.workers.slice(this.#crew.awake)
    for (const worker of asleep) if (this.#given.get(worker)?.length === 0) worker.rest?.()
  }

  /** Looks once more: while nothing comes, nothing else asks whether a thread may end. */
  #lookLater(): void {
    this.#restTimer ??= setTimeout(() => {
      this.#restTimer = null
      this.#rest()
      this.#pump()
    }, max('processThreadRestMs'))
    this.#restTimer.unref()
  }

  /**
   * Each batch pays for its commits: a part batch waits for company where another went lately, unless somebody waits
   * for the last of them; a full one never does.
   */
  #msUntilPart(): number {
    if (this.#idle.length > 0) return 0
    return this.#takenMs + max('batchDelayMs') - this.#options.clock.elapsed()
  }

  #pumpIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#pump()
    }, ms)
  }

  #give(flight: Flight<Packed>): void {
    const worker = this.#leastLoaded()
    if (worker === null) return
    flight.state = 'working'
    const { promise, resolve } = Promise.withResolvers<void>()
    const given: Given<Packed> = { flight, round: ++flight.round, begun: promise, begin: resolve }
    const before = this.#given.get(worker) ?? []
    before.push(given)
    if (before.length === 1) given.begin()
    void this.#work(given, worker)
  }

  async #work(given: Given<Packed>, worker: ProcessWorker<Packed>): Promise<void> {
    const { flight, round, begun } = given
    const ms = this.#options.processTimeoutMs ?? max('processTimeoutMs')
    try {
      const packed = await withinBatchTime(worker.process(flight.range, [...flight.quarantine]), {
        begun,
        ms,
      })
      if (flight.round === round) {
        flight.packed = packed
        flight.state = 'ready'
        flight.unreadableSinceMs = null
      }
    } catch (cause) {
      if (flight.round === round) await this.#workFailed(given, worker, cause)
    } finally {
      const all = this.#given.get(worker)
      if (all?.includes(given)) all.splice(all.indexOf(given), 1)
      all?.[0]?.begin()
      this.#pump()
    }
  }

  /** Notes the try against the envelope that failed; a thread that cannot say which one is replaced. */
  async #workFailed(given: Given<Packed>, worker: ProcessWorker<Packed>, cause: unknown): Promise<void> {
    const { flight } = given
    const reason = cause instanceof Error ? cause.message : String(cause)
    const failed = cause instanceof WorkerFailure ? cause.seq : null
    flight.state = 'waiting'
    if (cause instanceof WorkerFailure && failed === null) {
      const failure = readFailure(reason)
      const isOver = failure === 'unreadable' && flight.range.isGivenUp === true
      if (failure !== null && !isOver) return this.#pause(flight, failure, reason)
    }
    // A thread works on the first of what it has: what waited behind it died with the thread and is not to blame.
    if (failed === null && this.#given.get(worker)?.[0] !== given) return
    const culprit = failed ?? flight.range.firstSeq
    const tries = (flight.tries.get(culprit) ?? 0) + 1
    flight.tries.set(culprit, tries)
    this.#options.log.error('processing failed', {
      firstSeq: flight.range.firstSeq,
      seq: failed,
      tries,
      reason,
    })
    const isLast = tries >= max('processTriesMax')
    if (isLast && failed !== null) flight.quarantine.add(failed)
    else if (isLast && this.#split(flight) === 'whole') quarantineAll(flight)
    if (failed === null) await this.#replace(worker)
  }

  /** The range is tried again after a while, and given up after long: what is behind it waits for it. */
  #pause(flight: Flight<Packed>, failure: 'exhausted' | 'unreadable', reason: string): void {
    const nowMs = this.#options.clock.elapsed()
    flight.unreadableSinceMs = failure === 'exhausted' ? null : (flight.unreadableSinceMs ?? nowMs)
    const waitedMs = nowMs - (flight.unreadableSinceMs ?? nowMs)
    const isGivenUp = waitedMs >= max('journalReadPatienceMs')
    const { file, firstSeq } = flight.range
    this.#failure = `the journal cannot be read: ${reason}`
    this.#options.log.error('journal: a range cannot be read', {
      file,
      firstSeq,
      reason,
      waitedMs,
      isGivenUp,
    })
    if (isGivenUp) {
      flight.range = { ...flight.range, isGivenUp: true }
      this.#options.journal.giveUp(file)
    }
    flight.state = 'paused'
    const resume = () => {
      if (flight.state !== 'paused') return
      flight.state = 'waiting'
      this.#pump()
    }
    setTimeout(resume, this.#options.retryMs ?? max('journalReadRetryMs'))
  }

  /**
   * Replaces a dead worker. Ranges that waited behind the failed one begin afresh: the failure is not theirs.
   */
  async #replace(worker: ProcessWorker<Packed>): Promise<void> {
    for (const { flight, round } of this.#given.get(worker)?.splice(0) ?? []) {
      if (flight.round !== round || flight.state !== 'working') continue
      flight.round++
      flight.state = 'waiting'
    }
    await worker.replace()
  }

  /** Puts its parts in a flight's place; `whole` when it cannot be cut. */
  #split(flight: Flight<Packed>): 'cut' | 'whole' | 'unreadable' {
    const parts = splitFlight(flight)
    const at = this.#flights.indexOf(flight)
    if (parts === null) return 'unreadable'
    if (parts.length <= 1 || at === -1) return 'whole'
    flight.round++
    this.#flights.splice(at, 1, ...parts)
    return 'cut'
  }

  async #commitReady(): Promise<void> {
    if (this.#committing) return
    this.#committing = true
    let progress = false
    try {
      for (let flight = this.#nextReady(); flight !== null; flight = this.#nextReady()) {
        await this.#commitOne(flight.flight, flight.packed)
        progress = true
      }
    } catch (cause) {
      await this.#commitFailed(cause)
    } finally {
      this.#committing = false
    }
    if (progress) this.#pump()
  }

  /** The oldest flight, when it is ready; the packed batch is taken out, for its buffers are handed over. */
  #nextReady(): { readonly flight: Flight<Packed>; readonly packed: Packed } | null {
    const flight = this.#flights[0]
    if (this.#stopped || flight === undefined || flight.state !== 'ready' || flight.packed === null)
      return null
    const packed = flight.packed
    flight.packed = null
    return { flight, packed }
  }

  async #commitOne(flight: Flight<Packed>, packed: Packed): Promise<void> {
    const applied = await this.#commitWatch.during('a commit', () => this.#options.commit.commit(packed))
    this.#flights.shift()
    this.#failure = null
    this.#options.journal.release(flight.range.lastSeq)
    this.#options.onApplied(applied, flight.range)
  }

  /** Everything in flight is processed again once the stores are back at what the control store says. */
  async #commitFailed(cause: unknown): Promise<void> {
    this.#failure = cause instanceof Error ? cause.message : String(cause)
    this.#options.log.error('commit failed', { reason: this.#failure })
    if (this.#stopped) return
    this.#blameCommit(this.#failure)
    const applied = await this.#recover()
    if (applied === null) return
    while (this.#flights[0] !== undefined && this.#flights[0].range.lastSeq <= applied) {
      const done = this.#flights.shift()
      if (done !== undefined) this.#options.journal.release(done.range.lastSeq)
    }
    for (const flight of this.#flights) {
      flight.round++
      flight.state = 'waiting'
      flight.packed = null
    }
    this.#pump()
  }

  /** Tried until it succeeds: a commit before that would fail for no fault of its batch. `null` once stopped. */
  async #recover(): Promise<Seq | null> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, this.#options.retryMs ?? max('commitRetryMs')))
      if (this.#stopped) return null
      try {
        return await this.#options.commit.recover()
      } catch (cause) {
        this.#failure = cause instanceof Error ? cause.message : String(cause)
        this.#options.log.error('recovery failed', { reason: this.#failure })
      }
    }
  }

  /**
   * A batch that keeps failing on a sound disk is cut down to the envelope behind it, which is set aside. When the
   * commit fails without that envelope as well, it was not the envelope: it is taken back, and tried for ever.
   */
  #blameCommit(reason: string): void {
    const [flight] = this.#flights
    if (flight === undefined || isDiskFailure(reason)) return
    if (++flight.commitTries < max('processTriesMax') || this.#split(flight) !== 'whole') return
    const isAside = flight.quarantine.size > 0
    flight.commitTries = isAside ? 0 : max('processTriesMax') - 1
    if (isAside) flight.quarantine.clear()
    else quarantineAll(flight)
  }

  #leastLoaded(): ProcessWorker<Packed> | null {
    let best: ProcessWorker<Packed> | null = null
    let bestLoad = max('batchesInFlightMax')
    for (const worker of this.#options.workers.slice(0, this.#crew.awake)) {
      const length = this.#given.get(worker)?.length ?? 0
      if (length < bestLoad) {
        best = worker
        bestLoad = length
      }
    }
    return best
  }

  #settleIdle(): void {
    const waiting = this.#idle
    this.#idle = []
    for (const resolve of waiting) resolve()
  }
}

/** The time runs once the thread has `begun`: what waits behind a slow range is not slow. */
async function withinBatchTime<T>(
  work: Promise<T>,
  { begun, ms }: { readonly begun: Promise<void>; readonly ms: number },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const late = new Promise<never>((_, reject) => {
    const start = () => {
      if (isOver) return
      timer = setTimeout(() => reject(new WorkerFailure(`no answer within ${ms} ms`, null)), ms)
    }
    void begun.then(start)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}
