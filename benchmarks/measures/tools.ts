/** Types of what every measure is given, and what it gives back. */
import type { Generator } from '../load/generator.ts'
import type { BenchOptions } from '../options.ts'
import type { ResultRow } from '../report/result-row.ts'
import type { Product } from '../server/build.ts'

export interface Tools {
  readonly product: Product
  readonly generator: Generator
  readonly options: BenchOptions
  readonly onProgress: (line: string) => void
  /** Findings that later measures take from earlier ones. */
  readonly found: { drainedPerSecond?: number }
}

export interface Measured {
  readonly name: string
  readonly rows: readonly ResultRow[]
  /** Notes that a reader of the rows needs. */
  readonly notes: readonly string[]
  readonly details: unknown
}
