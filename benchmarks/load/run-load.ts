/** The two ways of sending: as fast as answers come (closed), and on a timetable whatever the answers do (open). */
import { type Answer, LoadConnection, type Target } from './connection.ts'
import { Latencies, type LatencySummary } from './latencies.ts'

export interface LoadResult {
  readonly sent: number
  /** Answered 2xx: acknowledged. */
  readonly accepted: number
  /** Answers by status, those broken off under `broken`. */
  readonly byStatus: Readonly<Record<string, number>>
  /**
   * Latency of acknowledged requests alone, in milliseconds: from the write (closed) or the scheduled time
   * (open).
   */
  readonly latency: LatencySummary
  /** From the first write to the last answer. */
  readonly elapsedMs: number
  readonly reconnects: number
  /** Numbers, counted from the first sent, that were acknowledged; only where asked for. */
  readonly acknowledged?: readonly number[]
}

export interface LoadOptions {
  readonly target: Target
  /** Whole requests, head and body. Each is sent once. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  /** Ends early after this many milliseconds. */
  readonly stopAfterMs?: number
  /** Ends early after this many broken connections in a row: the server is gone. */
  readonly stopAfterBroken?: number
  readonly listAcknowledged?: boolean
}

const BROKEN_MAX = 1_000
const PAUSE_AFTER_BROKEN_MS = 10
/** Far below the seconds that SDKs wait, so that a server is relieved by its refusals far less than in life. */
const PAUSE_AFTER_REFUSAL_MS = 100

/**
 * How long a connection of the closed loop waits before its next request. A server that refuses is asked again after a
 * while, not as fast as it can refuse: the requests of a round would else be used up by refusals, and its rate would be
 * that of the short burst before them. The pause is part of the round's time, and of no latency.
 */
export function pauseAfter({ status, retryAfterSeconds }: Answer): number {
  if (status === 0) return PAUSE_AFTER_BROKEN_MS
  if (status !== 429 && status !== 503) return 0
  return Math.min(PAUSE_AFTER_REFUSAL_MS, (retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000)
}

class Tally {
  readonly latencies = new Latencies()
  readonly byStatus: Record<string, number> = {}
  readonly acknowledged: number[] = []
  readonly #list: boolean
  accepted = 0
  brokenInARow = 0

  constructor(list: boolean) {
    this.#list = list
  }

  count(status: number, number: number, ms: number): void {
    const name = status === 0 ? 'broken' : String(status)
    this.byStatus[name] = (this.byStatus[name] ?? 0) + 1
    this.brokenInARow = status === 0 ? this.brokenInARow + 1 : 0
    if (status < 200 || status > 299) return
    this.accepted++
    // A refusal is quick, a broken connection has no answer: neither says how long an acknowledgement takes.
    this.latencies.add(ms)
    if (this.#list) this.acknowledged.push(number)
  }

  result(sent: number, elapsedMs: number, connections: readonly LoadConnection[]): LoadResult {
    return {
      sent,
      accepted: this.accepted,
      byStatus: this.byStatus,
      latency: this.latencies.summary(),
      elapsedMs,
      reconnects: connections.reduce((sum, { reconnects }) => sum + Math.max(0, reconnects), 0),
      ...(this.#list ? { acknowledged: this.acknowledged } : {}),
    }
  }
}

/** Every connection sends its next request when its last is answered, after a refusal a little later. */
export function runClosed(options: LoadOptions): Promise<LoadResult> {
  const { requests, stopAfterMs = Number.POSITIVE_INFINITY, stopAfterBroken = BROKEN_MAX } = options
  const tally = new Tally(options.listAcknowledged ?? false)
  const connections = makeConnections(options)
  const startMs = performance.now()
  let [next, open, lastAnswerMs] = [0, connections.length, startMs]
  return new Promise((resolve) => {
    const finish = () => {
      open--
      if (open > 0) return
      for (const connection of connections) connection.close()
      resolve(tally.result(next, lastAnswerMs - startMs, connections))
    }
    const sendNext = (connection: LoadConnection): void => {
      const sentMs = performance.now()
      const number = next
      const request = requests[number]
      const isOver = sentMs - startMs > stopAfterMs || tally.brokenInARow >= stopAfterBroken
      if (request === undefined || isOver) {
        finish()
        return
      }
      next++
      connection.send(request, (answer) => {
        lastAnswerMs = performance.now()
        tally.count(answer.status, number, lastAnswerMs - sentMs)
        const pauseMs = next < requests.length ? pauseAfter(answer) : 0
        if (pauseMs > 0) setTimeout(sendNext, pauseMs, connection)
        else sendNext(connection)
      })
    }
    for (const connection of connections) sendNext(connection)
  })
}

export interface OpenOptions extends LoadOptions {
  /** Requests a second. */
  readonly rate: number
}

const TICK_MS = 1

/**
 * Request `n` is due at `n / rate`; its latency counts from then, also while every connection was busy: a server that
 * stalls is charged for the requests that would have come meanwhile.
 */
export function runOpen(options: OpenOptions): Promise<LoadResult> {
  const { requests, rate, stopAfterMs = Number.POSITIVE_INFINITY, stopAfterBroken = BROKEN_MAX } = options
  const tally = new Tally(options.listAcknowledged ?? false)
  const connections = makeConnections(options)
  const idle = [...connections]
  const startMs = performance.now()
  const dueMs = (number: number) => startMs + (number * 1_000) / rate
  let [next, answered] = [0, 0]
  return new Promise((resolve) => {
    const timer = setInterval(tick, TICK_MS)
    function tick(): void {
      const nowMs = performance.now()
      const isOver = nowMs - startMs > stopAfterMs || tally.brokenInARow >= stopAfterBroken
      while (!isOver && idle.length > 0 && next < requests.length && dueMs(next) <= nowMs) sendDue()
      if ((isOver || next >= requests.length) && answered === next) finish()
    }
    function sendDue(): void {
      const connection = idle.pop()
      const request = requests[next]
      if (connection === undefined || request === undefined) return
      const number = next++
      connection.send(request, ({ status }) => {
        answered++
        tally.count(status, number, performance.now() - dueMs(number))
        idle.push(connection)
        if (next < requests.length && dueMs(next) <= performance.now()) sendDue()
      })
    }
    function finish(): void {
      clearInterval(timer)
      const elapsedMs = performance.now() - startMs
      for (const connection of connections) connection.close()
      resolve(tally.result(next, elapsedMs, connections))
    }
  })
}

function makeConnections({ connections, target }: LoadOptions): LoadConnection[] {
  return Array.from({ length: connections }, () => new LoadConnection(target))
}
