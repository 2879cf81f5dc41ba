import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../packages/errata/bin/node-flags.mjs'
import type { Product } from './build.ts'

export interface Clock {
  /** Time it shows when the machine's clock shows `sinceMs`. */
  readonly startMs: number
  readonly sinceMs: number
  readonly rate: number
}

/** So many milliseconds behind the machine's clock at first, and as much less as `catchUp` says then. */
export interface LateStart {
  readonly behindMs: number
}

export interface SimulatedStart {
  /** The product's module. */
  readonly entry: string
  readonly data: string
  /** `null`: the machine's. */
  readonly clock: Clock | LateStart | null
  /** Greatest size of the data directory. */
  readonly maxDisk?: string
}

export interface RunningSimulation extends AsyncDisposable {
  readonly pid: number
  readonly host: string
  readonly port: number
  /** Asked for by the first owner; `null` once there is one. */
  readonly setupCode: string | null
  /** A late clock shows at least this time from now on. */
  catchUp(atMs: number): void
  /** Drains and closes. */
  stop(): Promise<void>
}

export async function startSimulated(
  product: Product,
  given: Omit<SimulatedStart, 'entry'>,
): Promise<RunningSimulation> {
  const start: SimulatedStart = { entry: join(product.directory, 'dist/index.js'), ...given }
  const child = fork(
    fileURLToPath(new URL('./simulated-errata.ts', import.meta.url)),
    [JSON.stringify(start)],
    {
      execArgv: NODE_FLAGS,
      env: { ...process.env, ...NODE_ENVIRONMENT },
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const { port, setupCode } = await new Promise<Pick<RunningSimulation, 'port' | 'setupCode'>>(
    (resolve, reject) => {
      // Sent by simulated-errata.ts.
      child.once('message', (message) => resolve(message as Pick<RunningSimulation, 'port' | 'setupCode'>))
      void ended.then((code) => reject(new Error(`Errata ended with ${code} before it listened`)))
    },
  )
  return {
    pid: child.pid ?? 0,
    host: '127.0.0.1',
    port,
    setupCode,
    catchUp: (atMs) => void child.send({ catchUp: atMs }),
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
