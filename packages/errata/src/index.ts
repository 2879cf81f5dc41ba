/** Errata inside another program: the same process that `errata serve` is. */
import { createLog } from '@errata/server/log'
import { readSettings } from '@errata/server/settings'
import { startWithSettings as start } from './start-errata.ts'

export interface ErrataOptions {
  /** Data directory. */
  readonly data: string
  /** 0 takes any free port. */
  readonly port?: number
  readonly host?: string
  /** Public address; default `http://localhost:PORT`. */
  readonly url?: string
  readonly trustedProxies?: readonly string[]
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error'
  /** How much disk the data directory may use, such as "20GB"; beyond it, the oldest events are deleted early. */
  readonly maxDisk?: string
  /** Clock for simulations; default: real time. */
  readonly clock?: SimulatedClock
}

export interface SimulatedClock {
  /** Time shown when the machine's clock shows `sinceMs`; both in milliseconds since 1970 UTC. */
  readonly startMs: number
  readonly sinceMs: number
  /** Milliseconds that pass on it for each real one. */
  readonly rate: number
}

export interface RunningErrata {
  readonly url: string
  readonly port: number
  /** Code that `/setup` asks for; `null` once an owner exists. */
  readonly setupCode: string | null
  /** Stops accepting, drains, closes. */
  close(): Promise<void>
}

/** Starts Errata; rejects with a sentence when an option is wrong or the directory is in use. */
export async function startErrata(options: ErrataOptions): Promise<RunningErrata> {
  const answer = readSettings({
    flags: {
      data: options.data,
      port: String(options.port ?? 9000),
      host: options.host ?? '',
      trustedProxies: (options.trustedProxies ?? []).join(','),
      logLevel: options.logLevel ?? 'warn',
      ...(options.url === undefined ? {} : { url: options.url }),
      ...(options.maxDisk === undefined ? {} : { maxDisk: options.maxDisk }),
    },
    env: {},
  })
  if (!answer.ok) throw new Error(answer.mistakes.join('; '))
  const log = createLog({ level: answer.settings.logLevel, thread: 'main' })
  const { url, port, setupCode, close } = await start({
    settings: answer.settings,
    log,
    clock: options.clock ?? null,
  })
  return { url, port, setupCode, close }
}
