/** The body of a process thread: directories and ranges come in, packed batches or failures go out. */
import type { MessagePort } from 'node:worker_threads'
import type { Seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { type JournalDamage, readJournalRange } from '#journal/read.ts'
import type { KindHint } from '#model/batch.ts'
import type { KeyWork } from '#model/key-work.ts'
import type { JournalRange, SequencedRecord } from '#model/record.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import type { ProjectMaps } from './envelope-work.ts'
import { createProcessor, type Processor, type ProcessorOptions } from './process.ts'
import { ProcessFailure } from './process-failure.ts'
import { readFailure } from './read-failure.ts'
import { type PackedBatch, type PackingOptions, packBatch } from './transfer.ts'
import { WorkTimes } from './work-times.ts'

export type WorkerRequest =
  | { readonly type: 'directory'; readonly directory: IngestDirectory }
  | { readonly type: 'change'; readonly change: DirectoryChange }
  | {
      readonly type: 'range'
      readonly range: JournalRange
      readonly quarantine: readonly Seq[]
      /** None: nothing is left out here. */
      readonly hints?: readonly KindHint[]
      /** Version of the directory that the range is to be processed with; none: what is known here will do. */
      readonly version?: number
    }

type RangeRequest = Extract<WorkerRequest, { readonly type: 'range' }>

/** A change came that follows none that is known here, or a range that waits for one that never came. */
export interface DirectoryMissed {
  readonly type: 'directory-missed'
}

/** Answers carry the first seq of their range. */
export type WorkerAnswer =
  | {
      readonly type: 'batch'
      readonly firstSeq: Seq
      readonly packed: PackedBatch
      /** Work of each key's envelopes. */
      readonly works: readonly KeyWork[]
    }
  | {
      readonly type: 'failure'
      readonly firstSeq: Seq
      /** The envelope that failed; `null` when the range itself could not be read. */
      readonly seq: Seq | null
      readonly message: string
    }

export interface WorkerLoopOptions extends PackingOptions {
  readonly log: Log
  readonly maps?: ProjectMaps
  /** Makes the processor; set by tests. */
  readonly create?: (options: ProcessorOptions) => Processor
}

/**
 * Serves requests on `port` until it closes. Ranges are worked on in the order they come, one at a time, by what
 * `create` makes.
 */
export function runWorkerLoop(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  { log, kinds, encoding, maps, create = createProcessor }: WorkerLoopOptions,
): void {
  const directory: IngestDirectory = { organisations: [], projects: [], keys: [] }
  const processor = create({ kinds, directory, log, ...(maps && { maps }) })
  /** Ranges that came before their directory; no more than the dispatcher has under way. */
  const held: RangeRequest[] = []
  const isKnown = ({ version }: RangeRequest) => version === undefined || version === processor.version()
  port.on('message', (request: WorkerRequest) => {
    if (request.type === 'range') {
      if (held.length === 0 && isKnown(request)) return answerRange(request)
      held.push(request)
      return missed(request.version)
    }
    if (request.type === 'directory') processor.setDirectory(request.directory)
    else if (!processor.changeDirectory(request.change)) return missed(request.change.from)
    for (const first of held.splice(0)) answerRange(first)
  })

  function missed(version: number | undefined): void {
    log.warn('a change of projects was missed', { known: processor.version(), version })
    port.postMessage({ type: 'directory-missed' } satisfies DirectoryMissed)
  }

  function answerRange({ range, quarantine: setAside, hints = [] }: RangeRequest): void {
    const { firstSeq } = range
    const quarantine = new Set(setAside)
    try {
      let damaged = false
      const onDamage = (damage: JournalDamage) => {
        damaged = true
        log.error('journal bytes fail their checksum', { ...damage })
      }
      const times = new WorkTimes(() => performance.now())
      const batch = processor.process(readOrGiveUp(range, onDamage), range, {
        ...{ quarantine, hints, isDamaged: () => damaged },
        meter: times,
      })
      const { message, transfer } = packBatch(batch, { kinds, encoding })
      const answer = { type: 'batch', firstSeq, packed: message, works: times.all() } as const
      port.postMessage(answer satisfies WorkerAnswer, transfer)
    } catch (cause) {
      // The dispatcher decides what becomes of the range: again, elsewhere, or quarantine.
      const seq = cause instanceof ProcessFailure ? cause.seq : null
      const message = cause instanceof Error ? cause.message : String(cause)
      port.postMessage({ type: 'failure', firstSeq, seq, message } satisfies WorkerAnswer)
    }
  }
}

/** Reads a range. Failing to read fails the range, until it is given up and becomes damage like any other. */
function* readOrGiveUp(
  range: JournalRange,
  onDamage: (damage: JournalDamage) => void,
): Generator<SequencedRecord> {
  try {
    yield* readJournalRange(range, onDamage)
  } catch (cause) {
    const isExhausted = cause instanceof Error && readFailure(cause.message) === 'exhausted'
    if (range.isGivenUp !== true || isExhausted) throw cause
    onDamage({ file: range.file, start: range.start, end: range.end })
  }
}
