/**
 * Holds one build of a pair: its accept, process and commit, each in a thread, with a data directory of its
 * own.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel, Worker } from 'node:worker_threads'
import type { JournalRange } from '../../packages/server/src/model/record.ts'
import type { IngestDirectory } from '../../packages/server/src/ports/projects.ts'
import type { AcceptAnswerOfThread, AcceptChunk, BuildPaths, Step } from './messages.ts'

const WATCH = fileURLToPath(new URL('./watch-allocation.mjs', import.meta.url))

export class Side {
  readonly #threads: Readonly<Record<Step, MeasuredThread>>

  private constructor(threads: Record<Step, MeasuredThread>) {
    this.#threads = threads
  }

  static async start({ product, acceptBundle, data, key, projectId }: BuildPaths): Promise<Side> {
    const start = { data, logLevel: 'error', clock: null, maxDiskBytes: null }
    const built = (name: string) => new MeasuredThread(join(product, `dist/engine-${name}.js`), start)
    const commit = built('commit')
    await commit.ready()
    await commit.call('commit', 'recover')
    const directory = await directoryOf(built('read'))
    const process = built('process')
    await process.ready()
    process.tell({ type: 'directory', directory })
    const journalDirectory = join(data, 'journal')
    const accept = new MeasuredThread(acceptBundle, { journalDirectory, directory, key, projectId })
    return new Side({ accept, process, commit })
  }

  async accept(chunk: AcceptChunk): Promise<AcceptAnswerOfThread> {
    const answer = await this.#threads.accept.ask<AcceptAnswerOfThread>(chunk, (from) => 'ranges' in from)
    if (answer.refused > 0)
      throw new Error(`${answer.refused} of ${chunk.bodies.length} envelopes were refused`)
    return answer
  }

  async process(range: JournalRange): Promise<{ readonly micros: number; readonly packed: Packed }> {
    const { process } = this.#threads
    const { value, micros } = await process.measured(() =>
      process.ask<{ readonly type: string; readonly packed: Packed; readonly message?: string }>(
        { type: 'range', range, quarantine: [] },
        (from) => from.firstSeq === range.firstSeq,
      ),
    )
    if (value.type !== 'batch') throw new Error(`a range failed: ${value.message}`)
    return { packed: value.packed, micros }
  }

  async commit(packed: Packed): Promise<number> {
    const { commit } = this.#threads
    return (await commit.measured(() => commit.call('commit', 'commit', packed))).micros
  }

  watchAllocation(): void {
    for (const thread of Object.values(this.#threads)) thread.watchAllocation()
  }

  /** Bytes since it was watched. */
  allocated(step: Step): Promise<number | null> {
    return this.#threads[step].allocated()
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#threads).map((thread) => thread.end()))
  }
}

/** Batch as it comes from the process thread. Only the commit thread of the same build reads it. */
export interface Packed {
  readonly bytes: Uint8Array
}

async function directoryOf(read: MeasuredThread): Promise<IngestDirectory> {
  await read.ready()
  const directory = await read.call('control', 'ingestDirectory')
  await read.end()
  return directory as IngestDirectory // what this method of the port answers
}

type Message = Readonly<Record<string, unknown>>

/** A thread of the product, driven by its own messages. */
class MeasuredThread {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  readonly #channel: BroadcastChannel
  #calls = 0

  constructor(file: string, workerData: unknown) {
    this.#worker = new Worker(file, { workerData, execArgv: ['--import', WATCH] })
    this.#channel = new BroadcastChannel(`errata-pairs-${this.#worker.threadId}`)
    this.#worker.setMaxListeners(0)
    this.#ready = this.#next((from) => from.ready === true)
  }

  ready(): Promise<unknown> {
    return this.#ready
  }

  tell(message: unknown): void {
    this.#worker.postMessage(message)
  }

  ask<T>(message: unknown, isAnswer: (from: Message) => boolean): Promise<T> {
    const answered = this.#next(isAnswer)
    this.#worker.postMessage(message)
    return answered as Promise<T> // whoever asks knows the thread's messages
  }

  async call(target: string, method: string, ...args: readonly unknown[]): Promise<unknown> {
    const call = ++this.#calls
    const { value, error } = await this.ask<{ value?: unknown; error?: { message: string } }>(
      { call, target, method, args },
      (from) => from.answer === call,
    )
    if (error !== undefined) throw new Error(`${target}.${method}: ${error.message}`)
    return value
  }

  /** With the thread's CPU meanwhile, user and system. */
  async measured<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly micros: number }> {
    const before = await this.#worker.cpuUsage()
    const value = await work()
    const { user, system } = await this.#worker.cpuUsage(before)
    return { value, micros: user + system }
  }

  watchAllocation(): void {
    this.#channel.postMessage('start')
  }

  async allocated(): Promise<number | null> {
    const answered = new Promise<{ allocated: number; collections: number }>((resolve) => {
      this.#channel.onmessage = (event) =>
        resolve((event as unknown as { data: { allocated: number; collections: number } }).data) // `watch-allocation.mjs` posts nothing else
    })
    this.#channel.postMessage('stop')
    const { allocated, collections } = await answered
    return collections === 0 ? null : allocated
  }

  async end(): Promise<void> {
    this.#channel.close()
    await this.#worker.terminate()
  }

  #next(isWanted: (from: Message) => boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#worker.off('message', onMessage)
        this.#worker.off('error', onError)
      }
      const onMessage = (from: Message) => {
        if (!isWanted(from)) return
        done()
        resolve(from)
      }
      const onError = (cause: Error) => {
        done()
        reject(cause)
      }
      this.#worker.on('message', onMessage)
      this.#worker.on('error', onError)
    })
  }
}
