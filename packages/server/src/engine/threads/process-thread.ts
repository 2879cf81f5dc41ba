/** A process thread as the dispatcher sees it: hands over ranges, answers packed batches, can be replaced. */
import { Worker } from 'node:worker_threads'
import { seq as asSeq, type Seq } from '#base/ids.ts'
import type { KeyWork } from '#model/key-work.ts'
import type { JournalRange } from '#model/record.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import { type ProcessWorker, WorkerFailure } from '#process/dispatch.ts'
import type { PackedBatch } from '#process/transfer.ts'
import type { DirectoryMissed, WorkerAnswer, WorkerRequest } from '#process/worker-loop.ts'
import type { ThreadStart } from '../directory/paths.ts'
import type { Hints } from '../hints.ts'
import type { UsedMapNotes, UsedMaps } from './used-maps.ts'

/** Parts that process threads share. */
export interface SharedByProcess {
  readonly hints: Pick<Hints, 'list'>
  readonly usedMaps: Pick<UsedMapNotes, 'note'>
  /** Told what each range took, by key. */
  readonly onWork: (works: readonly KeyWork[]) => void
}

interface Waiting {
  readonly resolve: (packed: PackedBatch) => void
  readonly reject: (failure: WorkerFailure) => void
}

export class ProcessThread implements ProcessWorker<PackedBatch> {
  readonly #url: URL
  readonly #start: ThreadStart
  readonly #shared: SharedByProcess
  #directory: IngestDirectory = { organisations: [], projects: [], keys: [] }
  /** `null`: none runs, and the next range begins one. */
  #worker: Worker | null = null
  #ending: Promise<unknown> = Promise.resolve()
  /**
   * True once the engine closes: a thread that dies is not replaced then, since it would outlive the engine.
   */
  #isClosed = false
  /** By first seq of the range. */
  readonly #waiting = new Map<number, Waiting>()

  /** The thread begins with its first range. */
  constructor(url: URL, start: ThreadStart, shared: SharedByProcess) {
    this.#url = url
    this.#shared = shared
    this.#start = start
  }

  static async start(url: URL, start: ThreadStart, shared: SharedByProcess): Promise<ProcessThread> {
    const thread = new ProcessThread(url, start, shared)
    const worker = thread.#launch()
    await new Promise<void>((resolve, reject) => {
      worker.once('online', resolve)
      worker.once('error', reject)
    })
    return thread
  }

  setDirectory(directory: IngestDirectory): void {
    this.#directory = directory
    this.#send({ type: 'directory', directory })
  }

  /** `directory`: as the change makes it. */
  changeDirectory(directory: IngestDirectory, change: DirectoryChange): void {
    this.#directory = directory
    this.#send({ type: 'change', change })
  }

  process(range: JournalRange, quarantine: readonly Seq[]): Promise<PackedBatch> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkerFailure('the process thread is closed', null))
      if (this.#worker === null) this.#launch()
      this.#waiting.set(range.firstSeq, { resolve, reject })
      const { version } = this.#directory
      this.#send({
        ...{ type: 'range', range, quarantine, hints: this.#shared.hints.list() },
        ...(version !== undefined && { version }),
      })
    })
  }

  async replace(): Promise<void> {
    if (this.#isClosed) return
    const old = this.#worker
    this.#launch()
    this.#rejectAll('the process thread was replaced')
    await old?.terminate()
  }

  rest(): void {
    if (this.#worker === null || this.#waiting.size > 0) return
    this.#ending = this.#worker.terminate()
    this.#worker = null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#ending, this.#worker?.terminate()])
  }

  #launch(): Worker {
    const worker = new Worker(this.#url, { name: 'process', workerData: this.#start })
    worker.on('message', (message: WorkerAnswer | DirectoryMissed | UsedMaps | { readonly ready: true }) => {
      if ('usedMaps' in message) this.#shared.usedMaps.note(message)
      else if ('type' in message && message.type === 'directory-missed')
        worker.postMessage({ type: 'directory', directory: this.#directory } satisfies WorkerRequest)
      else if (!('ready' in message)) this.#settle(message)
    })
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#rejectAll(`the process thread died: ${error.message}`)
    })
    worker.on('exit', () => {
      if (worker !== this.#worker) return
      this.#worker = null
      this.#rejectAll('the process thread ended')
    })
    this.#worker = worker
    worker.postMessage({ type: 'directory', directory: this.#directory } satisfies WorkerRequest)
    return worker
  }

  #send(message: WorkerRequest): void {
    this.#worker?.postMessage(message)
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.firstSeq)
    if (waiting === undefined) return
    this.#waiting.delete(answer.firstSeq)
    if (answer.type === 'batch') {
      this.#shared.onWork(answer.works)
      waiting.resolve(answer.packed)
    } else waiting.reject(new WorkerFailure(answer.message, answer.seq === null ? null : asSeq(answer.seq)))
  }

  #rejectAll(reason: string): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(new WorkerFailure(reason, null))
  }
}
