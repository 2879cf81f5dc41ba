/** A worker thread of the engine with its remote calls: started, awaited until ready, replaced when it dies. */
import { Worker } from 'node:worker_threads'
import { ErrataError } from '#base/errors.ts'
import { max } from '#base/limits.ts'
import { RemoteCaller } from '#base/remote.ts'
import type { ThreadStart } from './engine-paths.ts'

export class EngineThread {
  readonly name: string
  readonly caller: RemoteCaller
  readonly worker: Worker
  #ended = false

  private constructor(name: string, worker: Worker) {
    this.name = name
    this.worker = worker
    // A Worker is the near end of its parentPort: same methods, another class.
    this.caller = new RemoteCaller(worker as unknown as ConstructorParameters<typeof RemoteCaller>[0])
    worker.once('exit', () => {
      this.#ended = true
      this.caller.close(new ErrataError('stopping', `the ${name} thread has ended`))
    })
  }

  /** Starts the thread of `url` and waits for its `{ready: true}`. */
  static async start(name: string, url: URL, start: ThreadStart): Promise<EngineThread> {
    const worker = new Worker(url, { name, workerData: start, stderr: false, stdout: false })
    const thread = new EngineThread(name, worker)
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', (code) =>
        reject(new Error(`the ${name} thread ended with ${code} before it was ready`)),
      )
      worker.on('message', function ready(message: unknown) {
        if (typeof message !== 'object' || message === null || !('ready' in message)) return
        worker.off('message', ready)
        resolve()
      })
    })
    worker.removeAllListeners('error')
    worker.on('error', () => {
      // The exit event that follows rejects what waits; here the error must not end the process.
    })
    return thread
  }

  get ended(): boolean {
    return this.#ended
  }

  onEnd(listener: () => void): void {
    this.worker.once('exit', listener)
  }

  /** Asks the thread to close its stores, then ends it. */
  async close(): Promise<void> {
    if (this.#ended) return
    try {
      await this.caller.port<{ close(): Promise<void> }>('thread', max('queryTimeoutMs')).close()
    } finally {
      await this.worker.terminate()
    }
  }
}
