/**
 * A worker thread of the engine with its remote calls: started, awaited until ready, watched until it is closed. One
 * that dies by itself is begun again where that is safe; else whoever started it is told.
 */
import { Worker } from 'node:worker_threads'
import { ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Damage } from '#model/damage.ts'
import type { ThreadStart } from '../directory/paths.ts'
import { toldDamage, toldFileDamage } from './damage.ts'
import { RemoteCaller, remotePort } from './remote.ts'

/** Length of a reason in the log. */
const REASON_CHARS = 200

export interface EngineThreadOptions {
  readonly name: string
  readonly url: URL
  readonly start: ThreadStart
  readonly log: Log
  /** Reaction to an unexpected end: a new thread, or one call with the reason. */
  readonly whenDead: 'restart' | ((reason: string) => void)
  /** Hears of a file in which the thread met damage. */
  readonly onFileDamage?: (damage: Damage) => void
  /** Hears every message of the thread. */
  readonly onMessage?: (message: unknown) => void
}

export class EngineThread {
  readonly #options: EngineThreadOptions
  #life: ThreadLife
  #isClosing = false
  /** Milliseconds before the next start. */
  #pauseMs = 0
  #timer: NodeJS.Timeout | null = null
  /** Damage reported by an earlier thread. */
  #damage: string | null = null

  private constructor(options: EngineThreadOptions, life: ThreadLife) {
    this.#options = options
    this.#life = life
    this.#watch(life)
  }

  /** Starts the thread and waits for its `{ready: true}`. */
  static async start(options: EngineThreadOptions): Promise<EngineThread> {
    return new EngineThread(options, await ThreadLife.begin(options))
  }

  get name(): string {
    return this.#options.name
  }

  /** True while there is no thread. */
  get ended(): boolean {
    return this.#life.endedBy !== null
  }

  /**
   * Returns the damage of the store that the thread has open, until the process ends; `null` if there is
   * none.
   */
  get damage(): string | null {
    return this.#damage ?? this.#life.damage
  }

  /** Returns a port as `RemoteCaller.port`, of the thread that lives at the time of each call. */
  port<T extends object>(name: string, timeoutMs: number | null = max('queryTimeoutMs')): T {
    return remotePort<T>((method, args) => this.#life.caller.call({ target: name, method, args, timeoutMs }))
  }

  /** Asks the thread to close its stores, then ends it. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#life.close()
  }

  #watch(life: ThreadLife): void {
    void life.ended.then((reason) => {
      if (!this.#isClosing) this.#died(life, reason)
    })
  }

  #died(life: ThreadLife, reason: string): void {
    const { name, log, whenDead } = this.#options
    this.#damage ??= life.damage
    log.error('a thread has ended by itself', { thread: name, reason })
    if (whenDead !== 'restart') {
      whenDead(`the ${name} thread has ended: ${reason}`)
      return
    }
    // One that lived long enough is begun at once; one that dies again and again must not take a core.
    this.#pauseMs = life.ageMs() > max('threadRestartMsMax') ? 0 : this.#nextPause()
    this.#restartLater()
  }

  #nextPause(): number {
    return Math.min(max('threadRestartMsMax'), Math.max(max('threadRestartMs'), 2 * this.#pauseMs))
  }

  #restartLater(): void {
    this.#timer = setTimeout(() => void this.#restart(), this.#pauseMs)
  }

  async #restart(): Promise<void> {
    const { name, log } = this.#options
    try {
      const life = await ThreadLife.begin(this.#options)
      if (this.#isClosing) return await life.close()
      this.#life = life
      this.#watch(life)
      log.info('the thread runs again', { thread: name })
    } catch (cause) {
      if (this.#isClosing) return
      log.error('a thread cannot be started again', { thread: name, reason: causeText(cause) })
      this.#pauseMs = this.#nextPause()
      this.#restartLater()
    }
  }
}

/** Life of one thread from its start to its end. */
class ThreadLife {
  readonly caller: RemoteCaller
  /** Resolves with why. */
  readonly ended: Promise<string>
  endedBy: string | null = null
  /** Damage, as in `EngineThread`. */
  damage: string | null = null
  readonly #worker: Worker
  readonly #begunMs = performance.now()

  private constructor({ name, onFileDamage }: EngineThreadOptions, worker: Worker) {
    this.#worker = worker
    // A Worker is the near end of its parentPort: same methods, another class.
    this.caller = new RemoteCaller(worker as unknown as ConstructorParameters<typeof RemoteCaller>[0])
    worker.on('message', (message: unknown) => {
      this.damage ??= toldDamage(message)
      const fileDamage = toldFileDamage(message)
      if (fileDamage !== null) onFileDamage?.(fileDamage)
    })
    let error: string | null = null
    // Without a listener the error of a thread would end the process; its exit follows.
    worker.on('error', (cause) => {
      error = causeText(cause)
    })
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.endedBy = error ?? `exit code ${code}`
        this.caller.close(new ErrataError('stopping', `the ${name} thread has ended`))
        resolve(this.endedBy)
      })
    })
  }

  static async begin(options: EngineThreadOptions): Promise<ThreadLife> {
    const { name, url, start } = options
    const worker = new Worker(url, { name, workerData: start, stderr: false, stdout: false })
    const life = new ThreadLife(options, worker)
    if (options.onMessage !== undefined) worker.on('message', options.onMessage)
    await new Promise<void>((resolve, reject) => {
      // The error itself, not its text: a start that fails says why to a person.
      worker.once('error', reject)
      void life.ended.then((reason) =>
        reject(new Error(`the ${name} thread ended before it was ready: ${reason}`)),
      )
      worker.on('message', function ready(message: unknown) {
        if (typeof message !== 'object' || message === null || !('ready' in message)) return
        worker.off('message', ready)
        worker.off('error', reject)
        resolve()
      })
    })
    return life
  }

  ageMs(): number {
    return performance.now() - this.#begunMs
  }

  async close(): Promise<void> {
    if (this.endedBy !== null) return
    try {
      await this.caller.port<{ close(): Promise<void> }>('thread', max('threadCloseMs')).close()
    } finally {
      await this.#worker.terminate()
    }
  }
}

function causeText(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_CHARS)
}
