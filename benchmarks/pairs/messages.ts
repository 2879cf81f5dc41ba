/** Types of what goes between the threads of a pair and whoever drives them. */
import type { JournalRange } from '../../packages/server/src/model/record.ts'
import type { IngestDirectory } from '../../packages/server/src/ports/projects.ts'
import type { CorpusSpec } from '../corpus/corpus.ts'

export interface AcceptStart {
  readonly journalDirectory: string
  readonly directory: IngestDirectory
  readonly key: string
  readonly projectId: string
}

export interface AcceptChunk {
  readonly bodies: readonly Uint8Array[]
  readonly atMs: number
  /** Some of them may be what this build does not take. */
  readonly mayBeRefused?: true
}

export interface AcceptAnswerOfThread {
  readonly micros: number
  readonly refused: number
  readonly ranges: readonly JournalRange[]
}

export const STEPS = ['accept', 'process', 'commit'] as const
export type Step = (typeof STEPS)[number]

/** Paths of one build, as the process that drives the threads is told of them. */
export interface BuildPaths {
  /** Folder with `bin` and `dist`. */
  readonly product: string
  readonly acceptBundle: string
  readonly data: string
  readonly key: string
  readonly projectId: string
}

export interface PairTask {
  readonly base: BuildPaths
  readonly own: BuildPaths
  readonly corpus: CorpusSpec
  /** Events to each build: those of a cold start, those that warm it up with them, and those that are measured. */
  readonly events: { readonly fresh: number; readonly warmUp: number; readonly measured: number }
}

/** Task of one step of both builds. */
export interface StepPair {
  /** Median of the ratios of all chunks, new ÷ base. */
  readonly ratio: number
  /** Lower and upper quartile of the ratios. */
  readonly quartiles: readonly [number, number]
  /** Over the first events. */
  readonly freshRatio: number
  /** Medians of thread CPU, µs an event: base, new. */
  readonly micros: readonly [number, number]
  readonly freshMicros: readonly [number, number]
  /** Bytes of V8's heap allocated an event: base, new; `null` where too little was collected to know. */
  readonly allocated: readonly [number | null, number | null]
}

export interface PairResult {
  readonly steps: Readonly<Record<Step, StepPair>>
  /** Process, accept and commit together. */
  readonly together: { readonly ratio: number; readonly freshRatio: number }
  readonly chunks: number
  /** Chunks whose packed batches were the same, byte for byte, in both builds. */
  readonly sameBatches: number
  /** The same of what SDKs sent, and of texts that hold secrets. */
  readonly isCapturedSame: boolean
}
