/** A thread that is begun with the first call to it: most installations never need it. */
import type { EngineThread } from './engine-thread.ts'
import { remotePort } from './remote.ts'

export class LazyThread {
  readonly #begin: () => Promise<EngineThread>
  #thread: Promise<EngineThread> | null = null

  constructor(begin: () => Promise<EngineThread>) {
    this.#begin = begin
  }

  /** As `EngineThread.port`. */
  port<T extends object>(name: string, timeoutMs: number | null): T {
    return remotePort<T>(async (method, args) => {
      const thread = await this.wake()
      const port = thread.port<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>(
        name,
        timeoutMs,
      )
      return port[method]?.(...args)
    })
  }

  async wake(): Promise<EngineThread> {
    this.#thread ??= this.#begin()
    try {
      return await this.#thread
    } catch (cause) {
      this.#thread = null // the next call tries again
      throw cause
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => null)
    await thread?.close()
  }
}
