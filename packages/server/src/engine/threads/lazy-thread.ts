/** A thread that is begun with the first call to it: most installations never need it. */
import { ErrataError } from '#base/errors.ts'
import type { EngineThread } from './engine-thread.ts'
import { remotePort } from './remote.ts'

export class LazyThread {
  readonly #begin: () => Promise<EngineThread>
  #thread: Promise<EngineThread> | null = null
  #isClosed = false

  constructor(begin: () => Promise<EngineThread>) {
    this.#begin = begin
  }

  /** False while nobody needed it. */
  get isBegun(): boolean {
    return this.#thread !== null
  }

  /**
   * Returns a port as `EngineThread.port`. `asleep` answers calls that need not start the thread, for as long
   * as it has an answer.
   */
  port<T extends object>(
    name: string,
    timeoutMs: number | null,
    asleep: (method: string) => { readonly answer: unknown } | null = () => null,
  ): T {
    return remotePort<T>(async (method, args) => {
      const known = asleep(method)
      if (known !== null) return known.answer
      const thread = await this.wake()
      const port = thread.port<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>(
        name,
        timeoutMs,
      )
      return port[method]?.(...args)
    })
  }

  async wake(): Promise<EngineThread> {
    // One begun now would outlive the engine.
    if (this.#isClosed) throw new ErrataError('stopping', 'the thread is closed')
    this.#thread ??= this.#begin()
    try {
      return await this.#thread
    } catch (cause) {
      this.#thread = null // the next call tries again
      throw cause
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const thread = await this.#thread?.catch(() => null)
    await thread?.close()
  }
}
