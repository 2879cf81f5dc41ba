/** Report of the rounds of one ingest case. */
import type { CorpusSpec } from '../corpus/corpus.ts'
import type { LatencySummary } from '../load/latencies.ts'
import type { Counted } from '../server/web-api.ts'

export interface IngestRound {
  readonly acknowledged: number
  readonly drainedPerSecond: number
  readonly acceptedPerSecond: number
  /** CPU µs a drained event, and a request of the sink; `null` where CPU time cannot be read. */
  readonly cpuPerEvent: number | null
  readonly cpuPerSinkRequest: number | null
  readonly sinkPerSecond: number
  readonly latency: LatencySummary
}

export interface IngestReport {
  readonly name: string
  readonly corpus: CorpusSpec
  /** Connections of the closed loop, on Errata and on the sink. */
  readonly connections: number
  /** The first events after the start. */
  readonly fresh: IngestRound & { readonly events: number; readonly ratio: number | null }
  /** Events before the first of the rounds. */
  readonly warmAfter: number
  readonly rounds: readonly IngestRound[]
  /** Medians over the rounds. */
  readonly drainedPerSecond: number
  readonly acceptedPerSecond: number
  readonly cpuPerEvent: number | null
  readonly cpuPerSinkRequest: number | null
  readonly ratio: number | null
  readonly acknowledged: number
  readonly stored: number
  readonly counted: Counted['other']
  readonly byStatus: Readonly<Record<string, number>>
  readonly bytes: BytesReport
  /** Megabytes resident: before any load, at most, and with the load drained; of the launcher beside it. */
  readonly memory: {
    readonly idle: number | null
    readonly peak: number | null
    readonly after: number | null
    readonly launcher: number | null
  }
  readonly caps: string
}

export interface BytesReport {
  /** Means an event. */
  readonly json: number
  readonly gzip: number
  /** The whole data directory after the drain and a clean stop, an event. */
  readonly kept: number
  readonly ratioBeforeCompaction: number
  /** `null`: compaction changed nothing. */
  readonly ratioAfterCompaction: number | null
  readonly parts: Readonly<Record<string, number>>
  readonly partsAfterCompaction: Readonly<Record<string, number>>
}
