import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Product } from './build.ts'

export interface Clock {
  /** What it shows when the machine's clock shows `sinceMs`. */
  readonly startMs: number
  readonly sinceMs: number
  readonly rate: number
}

export interface SimulatedStart {
  /** The product's module. */
  readonly entry: string
  readonly data: string
  readonly clock: Clock
  /** What the data directory may take. */
  readonly maxDisk?: string
}

export interface RunningSimulation extends AsyncDisposable {
  readonly pid: number
  readonly host: string
  readonly port: number
  /** Drains and closes. */
  stop(): Promise<void>
}

/** As `bin/errata.mjs` starts it. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32']

export async function startSimulated(
  product: Product,
  given: Omit<SimulatedStart, 'entry'>,
): Promise<RunningSimulation> {
  const start: SimulatedStart = { entry: join(product.directory, 'dist/index.js'), ...given }
  const child = fork(
    fileURLToPath(new URL('./simulated-errata.ts', import.meta.url)),
    [JSON.stringify(start)],
    {
      execArgv: FLAGS,
      env: { ...process.env, UV_THREADPOOL_SIZE: '16', MALLOC_ARENA_MAX: '2' },
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)))
    void ended.then((code) => reject(new Error(`Errata ended with ${code} before it listened`)))
  })
  return {
    pid: child.pid ?? 0,
    host: '127.0.0.1',
    port,
    async stop() {
      child.send('stop')
      const code = await ended
      if (code !== 0) throw new Error(`Errata ended with ${code}`)
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}
