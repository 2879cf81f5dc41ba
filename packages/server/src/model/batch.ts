/** What a worker makes of one journal range: plain data, ready for the one commit. */

import type { Day, Digest, EventId, GroupHash, KeyId, ProjectId, Seq } from '#base/ids.ts'
import type { Level, RequestKind } from './event.ts'
import type { CountedOutcome } from './outcome.ts'
import type { JournalRange } from './record.ts'

/** The columns of one stored event: everything a list filters, counts or shows without opening the payload. */
export interface EventRow {
  readonly seq: Seq
  readonly projectId: ProjectId
  readonly groupHash: GroupHash
  readonly eventId: EventId
  /** Milliseconds since 1970 UTC, may have a fraction. */
  readonly timestampMs: number
  readonly receivedMs: number
  /** Day of receipt. */
  readonly day: Day
  readonly retentionDays: RetentionDays
  readonly level: Level
  readonly platform: string
  readonly title: string
  readonly culprit: string
  readonly environment: string | null
  readonly release: string | null
  readonly dist: string | null
  readonly transaction: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly runtime: string | null
  readonly device: string | null
  readonly serverName: string | null
  readonly url: string | null
  /** What makes a person one person: `id:…`, `email:…`, `username:…` or `ip:…`; `null` when unknown. */
  readonly user: string | null
  /**
   * Every key that names that person, at most four, each once: `id:…`, `email:…` (in lower case), `username:…`,
   * `ip:…`. What a person asks to have deleted is found by any of them. Empty when unknown.
   */
  readonly people: readonly string[]
  readonly handled: boolean | null
  readonly traceId: string | null
  readonly spanId: string | null
  readonly requestKind: RequestKind
  /** The framework's own pattern such as `/orders/[id]`, or `null`. */
  readonly route: string | null
  readonly sdk: string | null
  readonly isMirror: boolean
  /** All tags, derived ones included, sorted by key. */
  readonly tags: readonly (readonly [string, string])[]
}

export type RetentionDays = 30 | 90 | 365
export const RETENTION_DAYS: readonly RetentionDays[] = [30, 90, 365]

/** The smallest class of files that holds `days` (whole, 1 to 365; more counts as 365). */
export function retentionClassOf(days: number): RetentionDays {
  return RETENTION_DAYS.find((known) => days <= known) ?? 365
}

/** What the control store keeps of an event's group; the newest of a batch wins. */
export interface GroupFacts {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly title: string
  /** Exception type, or `Message`. */
  readonly type: string
  readonly value: string
  readonly filename: string | null
  readonly function: string | null
  readonly culprit: string
  readonly level: Level
  readonly platform: string
  readonly logger: string | null
  readonly handled: boolean | null
}

/** A digest seen on an event. */
export interface DigestSighting {
  readonly digest: Digest
  readonly projectId: ProjectId
  readonly groupHash: GroupHash
  readonly eventId: EventId
  readonly release: string | null
  readonly environment: string | null
  readonly route: string | null
  readonly requestKind: RequestKind
  readonly traceId: string | null
  readonly atMs: number
  readonly isMirror: boolean
  /** Recomputing it from the event gave the same number; `null` where that is impossible. */
  readonly verified: boolean | null
}

/** One event, ready: row, group facts, digests, and its scrubbed payload inside a block. */
export interface ProcessedEvent {
  readonly row: EventRow
  /** The key it was sent with: what the commit counts it against. */
  readonly keyId: KeyId
  readonly facts: GroupFacts
  readonly digests: readonly DigestSighting[]
  /** Which block of the batch holds the payload, and where in the unpacked block. */
  readonly block: number
  readonly offset: number
  /** Of the payload; 0 where it is not kept. */
  readonly bytes: number
  /** Of the row record behind it. */
  readonly rowBytes: number
}

/** zstd-compressed payloads of events of one day and retention class, neighbours in group. */
export interface PayloadBlock {
  readonly day: Day
  readonly retentionDays: RetentionDays
  /** Bytes before compression. */
  readonly rawBytes: number
  readonly compressed: Uint8Array
}

export interface ProcessedBatch {
  readonly range: JournalRange
  /** In seq order. */
  readonly events: readonly ProcessedEvent[]
  readonly blocks: readonly PayloadBlock[]
  /** Outcomes of items that are not stored, and client reports. Accepted events are counted by the commit. */
  readonly outcomes: readonly CountedOutcome[]
  /** Envelopes that failed `processTriesMax` times, scrubbed by byte patterns. */
  readonly quarantined: readonly QuarantinedEnvelope[]
}

export interface QuarantinedEnvelope {
  readonly seq: Seq
  readonly projectId: ProjectId
  readonly receivedMs: number
  /** Class and message of the failure. */
  readonly reason: string
  readonly body: Uint8Array
}
