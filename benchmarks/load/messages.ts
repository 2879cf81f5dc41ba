/** Types of what the benchmark and its generator process say to each other. */
import type { Target } from './connection.ts'
import type { MadeRequests, RequestsSpec } from './requests.ts'
import type { LoadResult } from './run-load.ts'

export interface RunSpec {
  readonly target: Target
  /** Which of the prepared requests, by place. */
  readonly from: number
  readonly to: number
  readonly connections: number
  /** Requests a second; `null` sends as fast as answers come. */
  readonly rate: number | null
  readonly stopAfterMs?: number
  readonly stopAfterBroken?: number
  readonly listAcknowledged?: boolean
}

/** Bytes are means an event, see `MadeRequests`. */
export type Prepared = Omit<MadeRequests, 'requests'>

export type LoadCommand =
  | { readonly do: 'prepare'; readonly spec: RequestsSpec }
  | { readonly do: 'run'; readonly spec: RunSpec }

export type LoadAnswer =
  | { readonly done: 'prepare'; readonly prepared: Prepared }
  | { readonly done: 'run'; readonly result: LoadResult; readonly cpuMs: number }
  | { readonly done: 'failed'; readonly message: string }
