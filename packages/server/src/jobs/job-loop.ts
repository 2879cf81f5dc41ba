/**
 * Runs what is due by the clock, one job after the other, each under a lease. What a job does must bear to be done
 * twice: a process that dies leaves its lease to run out, and the job is run again.
 */
import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { ClaimedJob, JobSettlement, Jobs } from '#ports/jobs.ts'

/** Runs the jobs of one kind. */
export interface JobRunner {
  readonly kind: string
  /**
   * Returns the latest time of the first run after a start at `nowMs`; `null` for a job that others schedule.
   */
  firstDueMs(nowMs: number): number | null
  /**
   * Answers when the same job is due again, `null` when it is done; throws to be tried again later. `stop` says that
   * Errata ends: what is broken off then was no failure, and is due after the next start.
   */
  run(job: ClaimedJob, stop: AbortSignal): Promise<number | null>
}

export interface JobLoopParts {
  readonly jobs: Jobs
  readonly runners: readonly JobRunner[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const LEASE_BYTES = 16
const SHORTEST_WAIT_MS = 20

export class JobLoop {
  readonly #parts: JobLoopParts
  readonly #kinds: readonly string[]
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()
  /** Turns that failed one after another. */
  #failures = 0
  /** Time at which all runners were last scheduled, or a later reading of the clock. */
  #seenMs = Number.POSITIVE_INFINITY

  constructor(parts: JobLoopParts) {
    this.#parts = parts
    this.#kinds = parts.runners.map(({ kind }) => kind)
  }

  /** Looks at once, then whenever something is due, and every `jobPollMs` for what was scheduled meanwhile. */
  start(): void {
    this.#turn = this.#takeTurn()
  }

  /** Takes nothing new, and waits for the job under way, which is told to stop. */
  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#turn
  }

  /** Runs everything that is due; answers how many jobs were tried. Rejects when the store fails. */
  async runDue(): Promise<number> {
    await this.#scheduleOwn()
    const { jobs, clock, random } = this.#parts
    let tried = 0
    while (!this.#stop.signal.aborted) {
      const [job] = await jobs.claimJobs({
        kinds: this.#kinds,
        nowMs: clock.now(),
        leaseMs: max('jobLeaseMs'),
        lease: random.hex(LEASE_BYTES),
        limit: 1,
      })
      if (job === undefined) break
      await this.#run(job)
      tried++
    }
    return tried
  }

  /**
   * At the start, and after the clock was set back, which would leave alone what is due in its old future. A job that
   * waits already stays as it is, unless it waits for longer than from now: a restart puts nothing off.
   */
  async #scheduleOwn(): Promise<void> {
    const { jobs, runners, clock } = this.#parts
    const nowMs = clock.now()
    if (nowMs < this.#seenMs) {
      for (const { kind, firstDueMs } of runners) {
        const dueMs = firstDueMs(nowMs)
        if (dueMs !== null) await jobs.scheduleJob({ kind, key: '', dueMs, ifThere: 'sooner' })
      }
    }
    this.#seenMs = nowMs
  }

  async #run(job: ClaimedJob): Promise<void> {
    const { jobs, log } = this.#parts
    const settlement = await this.#settlementOf(job)
    if (await jobs.settleJob(job, settlement)) return
    log.warn('a job outlived its lease, or was removed while it ran', { kind: job.kind, key: job.key })
  }

  async #settlementOf(job: ClaimedJob): Promise<JobSettlement> {
    const { runners, clock, log } = this.#parts
    const runner = runners.find(({ kind }) => kind === job.kind)
    assert(runner !== undefined, `nobody runs jobs "${job.kind}"`)
    try {
      const dueMs = await runner.run(job, this.#stop.signal)
      return dueMs === null ? { state: 'done' } : { state: 'again', dueMs }
    } catch (cause) {
      if (this.#stop.signal.aborted) return { state: 'again', dueMs: job.dueMs }
      const says = failureReason(cause)
      const { kind, key, tries } = job
      log.warn('a job failed and will be tried again', { kind, key, tries, reason: says })
      return { state: 'failed', dueMs: clock.now() + retryMs(tries), says }
    }
  }

  async #takeTurn(): Promise<void> {
    let waitMs: number
    try {
      await this.runDue()
      waitMs = await this.#untilNextMs()
      if (this.#failures > 0) this.#parts.log.info('jobs run again')
      this.#failures = 0
    } catch (cause) {
      // The store failed. Leases run out by themselves, and a later look finds what is due.
      if (this.#failures === 0)
        this.#parts.log.warn('jobs cannot run: the store fails', { reason: failureReason(cause) })
      waitMs = doubledDelay(max('jobPauseMs'), this.#failures++, max('jobPollMs'))
    }
    if (this.#stop.signal.aborted) return
    this.#timer = setTimeout(() => this.start(), waitMs)
    this.#timer.unref()
  }

  async #untilNextMs(): Promise<number> {
    const { jobs, clock } = this.#parts
    const nextMs = await jobs.nextJobMs(this.#kinds)
    if (nextMs === null) return max('jobPollMs')
    const waitMs = (nextMs - clock.now()) / (clock.rate ?? 1)
    return Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), max('jobPollMs'))
  }
}

function retryMs(tries: number): number {
  return doubledDelay(max('jobRetryMs'), tries - 1, max('jobRetryMsMax'))
}

function doubledDelay(firstMs: number, times: number, mostMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(times, 30), mostMs)
}

function failureReason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, max('jobSaysCharsMax'))
}
