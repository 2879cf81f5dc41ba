/** People who look at pages at the same time, each at the next one as soon as the last has come: a closed loop. */
import { Agent, get } from 'node:http'

export interface ViewersSpec {
  readonly host: string
  readonly port: number
  readonly count: number
  /** Returns the address and headers of the next page. */
  readonly ask: (page: number) => {
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
  }
}

export interface Viewed {
  /** Pages by status; those broken off under `broken`. */
  readonly byStatus: Readonly<Record<string, number>>
  /** Milliseconds of those that were answered with a page, a missing one included. */
  readonly pagesMs: readonly number[]
  readonly elapsedMs: number
}

export interface RunningViewers {
  stop(): Promise<Viewed>
}

interface PageAnswer {
  readonly status: number
  readonly retryAfterSeconds: number
}

/** Pause where a refusal names none. Otherwise a viewer waits as long as it is told. */
const PAUSE_MS = 100

export function startViewers(spec: ViewersSpec): RunningViewers {
  const agent = new Agent({ keepAlive: true, maxSockets: spec.count })
  const stopped = new AbortController()
  const byStatus: Record<string, number> = {}
  const pagesMs: number[] = []
  const startMs = performance.now()
  let asked = 0
  const look = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const sentMs = performance.now()
      const { status, retryAfterSeconds } = await open({ ...spec, ...spec.ask(asked++), agent, stopped })
      if (stopped.signal.aborted) return
      byStatus[status === 0 ? 'broken' : status] = (byStatus[status === 0 ? 'broken' : status] ?? 0) + 1
      if (status === 200 || status === 404) pagesMs.push(performance.now() - sentMs)
      else await pause(Math.max(PAUSE_MS, retryAfterSeconds * 1_000), stopped.signal)
    }
  }
  const looking = Array.from({ length: spec.count }, look)
  return {
    async stop() {
      const elapsedMs = performance.now() - startMs
      stopped.abort()
      agent.destroy()
      await Promise.all(looking)
      return { byStatus, pagesMs, elapsedMs }
    },
  }
}

interface Opening {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly agent: Agent
  readonly stopped: AbortController
}

/** Status 0: the connection broke. */
function open({ stopped, ...options }: Opening): Promise<PageAnswer> {
  return new Promise((resolve) => {
    const broken = () => resolve({ status: 0, retryAfterSeconds: 0 })
    const request = get({ ...options, signal: stopped.signal }, (response) => {
      const { statusCode: status = 0, headers } = response
      response.on('error', broken).on('end', () => {
        resolve({ status, retryAfterSeconds: Number(headers['retry-after'] ?? 0) })
      })
      response.resume()
    })
    request.on('error', broken)
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
