/** The thread that makes maps ready, begun with the first one and ended when none came for a while. */
import { Worker } from 'node:worker_threads'
import type { UploadedMap } from '#artifacts/readying.ts'
import { max } from '#limits/limits.ts'

export interface CompileRequest {
  readonly map: Uint8Array
  readonly minified: Uint8Array | null
  readonly sources: readonly (readonly [string, string])[]
}

export type CompileAnswer = { readonly compiled: Uint8Array } | { readonly problem: string }

export class CompileThread {
  readonly #url: URL
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null

  constructor(url: URL) {
    this.#url = url
  }

  /**
   * Compiles one map at a time. @throws with what is wrong with the map, also if it takes too much memory or
   * time
   */
  async compile({ map, minified, sources }: UploadedMap): Promise<Uint8Array> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#worker ??= this.#begin()
    const worker = this.#worker
    const answer = await answerOf(worker, { map, minified, sources: [...sources] })
    if (answer === null || 'ended' in answer) {
      this.#worker = null
      await worker.terminate()
      throw new Error(answer === null ? 'it takes too long to read' : answer.ended)
    }
    this.#idle = setTimeout(() => void this.close(), max('mapThreadIdleMs'))
    this.#idle.unref()
    if ('problem' in answer) throw new Error(answer.problem)
    return answer.compiled
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    if (this.#idle !== null) clearTimeout(this.#idle)
    await worker?.terminate()
  }

  #begin(): Worker {
    const worker = new Worker(this.#url, {
      name: 'maps',
      resourceLimits: { maxOldGenerationSizeMb: max('mapCompileMemoryMax') },
    })
    // Without a listener the error of a thread would end the process; whoever waits has its own.
    worker.on('error', () => {})
    worker.unref()
    return worker
  }
}

/** `null` where it took too long. */
function answerOf(
  worker: Worker,
  request: CompileRequest,
): Promise<CompileAnswer | { ended: string } | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(null), max('mapCompileMsMax'))
    const ended = (cause?: unknown) => settle({ ended: compileFailure(cause) })
    const settle = (answer: CompileAnswer | { ended: string } | null) => {
      clearTimeout(timer)
      worker.off('message', settle)
      worker.off('error', ended)
      worker.off('exit', ended)
      resolve(answer)
    }
    worker.on('message', settle)
    worker.on('error', ended)
    worker.on('exit', ended)
    worker.postMessage(request)
  })
}

function compileFailure(cause: unknown): string {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? 'it takes too much memory to read' : 'reading it ended the thread'
}
