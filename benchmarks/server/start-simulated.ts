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

export interface SimulatedStart {
  /** The product's module. */
  readonly entry: string
  readonly data: string
  readonly clock: Clock
  /** Size that the data directory may take. */
  readonly maxDisk?: string
}

export interface RunningSimulation extends AsyncDisposable {
  readonly pid: number
  readonly host: string
  readonly port: number
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
