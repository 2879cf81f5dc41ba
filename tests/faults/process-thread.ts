/** A process thread without a thread: the real loop behind a real message channel, and events that break it. */

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { seq as asSeq, type Seq } from '../../packages/server/src/base/ids.ts'
import { silentLog } from '../../packages/server/src/base/log.ts'
import { readJournalRange } from '../../packages/server/src/journal/read.ts'
import { KINDS } from '../../packages/server/src/kinds/kinds.ts'
import type { JournalRange, SequencedRecord } from '../../packages/server/src/model/record.ts'
import type { IngestDirectory } from '../../packages/server/src/ports/projects.ts'
import { type ProcessWorker, WorkerFailure } from '../../packages/server/src/process/dispatch.ts'
import {
  createProcessor,
  type Processor,
  type ProcessorOptions,
} from '../../packages/server/src/process/process.ts'
import { ProcessFailure } from '../../packages/server/src/process/process-failure.ts'
import type { PackedBatch } from '../../packages/server/src/process/transfer.ts'
import { runWorkerLoop, type WorkerAnswer } from '../../packages/server/src/process/worker-loop.ts'
import { encodeRows } from '../../packages/server/src/store/duckdb/row-lines.ts'

/** Texts in an event that make our code throw, kill its thread, or never end. */
export const MARKS = { poison: 'poison-of-a-test', deadly: 'deadly-of-a-test', hanging: 'hanging-of-a-test' }

interface Waiting {
  readonly range: JournalRange
  readonly quarantine: readonly Seq[]
  readonly resolve: (packed: PackedBatch) => void
  readonly reject: (failure: WorkerFailure) => void
}

export class ProcessThread implements ProcessWorker<PackedBatch> {
  readonly #directory: IngestDirectory
  readonly #onOverdue: () => void
  /** Ranges in the order they came. The first is being worked on. */
  #waiting: Waiting[] = []
  #port: MessagePort
  #isClosed = false
  /** Something made it die or hang: whoever replaces it is right. */
  #isBroken = false
  /** How the next ranges end, whatever is in them; for seeded accidents. */
  readonly #accidents: ('dies' | 'hangs')[] = []

  /** `onOverdue`: it was taken for hanging although it worked, for the machine had no time for it. */
  constructor(directory: IngestDirectory, onOverdue: () => void) {
    this.#directory = directory
    this.#onOverdue = onOverdue
    this.#port = this.#launch()
  }

  /** The next range ends so, once. */
  plan(accident: 'dies' | 'hangs'): void {
    this.#accidents.push(accident)
  }

  process(range: JournalRange, quarantine: readonly Seq[]): Promise<PackedBatch> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ range, quarantine, resolve, reject })
      if (this.#waiting.length === 1) this.#begin()
    })
  }

  async replace(): Promise<void> {
    if (this.#isClosed) return
    if (!this.#isBroken) this.#onOverdue()
    this.#isBroken = false
    this.#port.close()
    this.#port = this.#launch()
    this.#rejectAll('the process thread was replaced')
  }

  close(): void {
    this.#isClosed = true
    this.#port.close()
    this.#rejectAll('the process thread is closed')
  }

  #launch(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    runWorkerLoop(port2, { log: silentLog, kinds: KINDS, encoding: encodeRows, create: poisonable })
    port1.on('message', (answer: WorkerAnswer) => this.#settle(answer))
    port1.postMessage({ type: 'directory', directory: this.#directory })
    return port1
  }

  #begin(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    const { range, quarantine } = next
    const fate = this.#accidents.shift() ?? fateOf(range, quarantine)
    this.#isBroken ||= fate !== null
    if (fate === 'dies') setImmediate(() => this.#rejectAll('the process thread died'))
    else if (fate === null) this.#port.postMessage({ type: 'range', range, quarantine })
  }

  #settle(answer: WorkerAnswer): void {
    const [waiting] = this.#waiting
    if (waiting === undefined || waiting.range.firstSeq !== answer.firstSeq) return
    this.#waiting.shift()
    if (answer.type === 'batch') waiting.resolve(answer.packed)
    else waiting.reject(new WorkerFailure(answer.message, answer.seq === null ? null : asSeq(answer.seq)))
    this.#begin()
  }

  #rejectAll(reason: string): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { reject } of waiting) reject(new WorkerFailure(reason, null))
  }
}

/** The real processor, which fails on a poisonous envelope as it would with a bug of ours. */
function poisonable(options: ProcessorOptions): Processor {
  const real = createProcessor(options)
  return {
    version: () => real.version(),
    setDirectory: (directory) => real.setDirectory(directory),
    changeDirectory: (change) => real.changeDirectory(change),
    process: (records, range, given) =>
      real.process(tripping(records, given?.quarantine ?? new Set()), range, given),
  }
}

function* tripping(
  records: Iterable<SequencedRecord>,
  quarantine: ReadonlySet<Seq>,
): Generator<SequencedRecord> {
  for (const record of records) {
    if (holds(record, MARKS.poison) && !quarantine.has(record.seq)) {
      throw new ProcessFailure(record.seq, new TypeError('poisoned'))
    }
    yield record
  }
}

function fateOf(range: JournalRange, quarantine: readonly Seq[]): 'dies' | 'hangs' | null {
  try {
    for (const record of readJournalRange(range, () => {})) {
      if (quarantine.includes(record.seq)) continue
      if (holds(record, MARKS.deadly)) return 'dies'
      if (holds(record, MARKS.hanging)) return 'hangs'
    }
  } catch {
    // A file that is gone or is none: the loop says so itself.
  }
  return null
}

function holds(record: SequencedRecord, mark: string): boolean {
  return record.type === 'envelope' && Buffer.from(record.body).includes(mark)
}
