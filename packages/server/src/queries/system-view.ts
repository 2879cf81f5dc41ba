/** Types of /system. */

import type { ProjectId, Seq } from '#base/ids.ts'
import type { DamageCode, DamageWords } from '#model/damage.ts'
import type { Removal, RetentionOverview, UpkeepRun } from '#ports/care.ts'

export interface SystemView {
  readonly version: string
  readonly node: string
  readonly startedMs: number
  readonly url: string
  readonly dataDirectory: string
  readonly backlog: { readonly bytes: number; readonly records: number; readonly oldestMs: number }
  readonly acceptingSeq: Seq
  readonly appliedSeq: Seq
  readonly health: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
  /** Last 60 minutes. */
  readonly perMinute: readonly {
    readonly minuteMs: number
    readonly accepted: number
    readonly refused: number
    /** Items of kinds that this version has no store for. */
    readonly unsupported: number
  }[]
  readonly stored: {
    readonly organisations: number
    readonly projects: number
    readonly issues: number
    readonly events: number
  }
  /** `null`: unknown, for who knows it does not answer. */
  readonly disk: {
    readonly freeBytes: number | null
    readonly totalBytes: number | null
    readonly controlBytes: number
    readonly columnBytes: number | null
    readonly payloadBytes: number | null
    readonly journalBytes: number | null
    /** Attachments and their bytes; `null` where nobody answers. */
    readonly attachments?: { readonly count: number; readonly bytes: number } | null
  }
  /** `null`: there is no mail server. `sent` and `failed`: emails since the start. */
  readonly mail: {
    readonly server: string
    readonly from: string
    readonly sent: number
    readonly failed: number
  } | null
  readonly memoryBytes: number
  /** Threads that accept, and how many were asked for: fewer where the system lets none share a port. */
  readonly acceptThreads: {
    readonly count: number
    readonly wanted: number
    /** `null` where the main thread accepts. */
    readonly apart: {
      /** Threads that take connections now. */
      readonly running: number
      /** Threads that had to be begun again since the start, by why. */
      readonly replaced: { readonly died: number; readonly hung: number }
      /** How often the socket file to the main thread was gone and made anew. */
      readonly socketRenewed: number
    } | null
  }
  readonly retention: {
    /** `null`: unknown. */
    readonly overview:
      | (Omit<RetentionOverview, 'missingColumns' | 'missingPayloads'> & {
          /** Names of files, such as `error-2026-11-21.90`. */
          readonly missingColumns: readonly string[]
          readonly missingPayloads: readonly string[]
        })
      | null
    /** The newest. */
    readonly removals: readonly Removal[]
    readonly runs: readonly UpkeepRun[]
  }
  /** Known damage, and progress of the check that looks for it. */
  readonly verification: {
    readonly damages: readonly {
      readonly code: DamageCode
      /** File such as `error-2026-11-21.90`; `null` for the control store. */
      readonly file: string | null
      readonly sinceMs: number
      readonly words: DamageWords
    }[]
    readonly progress: {
      /** `null` before the first round. */
      readonly begunMs: number | null
      /** End of the last finished round. */
      readonly endedMs: number | null
      readonly filesDone: number
      readonly files: number
    }
  }
  /**
   * Pressures that limit ingest beyond `soft` and close it beyond `hard`; for `disk` the less is free, the
   * worse.
   */
  readonly pressures: readonly {
    readonly name: 'backlog' | 'backlog_age' | 'memory' | 'disk'
    readonly unit: 'bytes' | 'ms'
    readonly value: number
    readonly soft: number
    readonly hard: number
    readonly state: 'ok' | 'soft' | 'hard'
  }[]
  /** Keys that send more than their share while something is scarce; the heaviest first. Bytes a second. */
  readonly heldBack: readonly {
    /** The same name may be given to several. */
    readonly keyId: number
    readonly organisation: string
    readonly project: string
    readonly key: string
    readonly askedBytes: number
    readonly allowedBytes: number
    readonly refused: number
  }[]
  /** How many there are, those not shown included. */
  readonly heldBackKeys: number
  readonly backup: {
    /** `null` before the first. */
    readonly last:
      | {
          readonly atMs: number
          readonly ok: boolean
          readonly detail: string
          readonly directory: string
        }
      | 'unknown'
      | null
    /** `null` while no directory is set: none is made by itself. */
    readonly schedule: { readonly directory: string; readonly everyHours: number } | null
  }
  /**
   * Records that damage of the journal took, and about when the last of them was received; told for as long as outcomes
   * are kept. No organisation's outcomes have them, for nobody knows whose they were.
   */
  readonly lostFromJournal: { readonly quantity: number; readonly lastMs: number } | null
  /** Refusals of the last day. */
  readonly refusedWithoutProject: readonly {
    readonly reason: string | null
    readonly quantity: number
    readonly example: string | null
  }[]
  readonly quarantined: readonly {
    readonly seq: Seq
    readonly projectId: ProjectId
    readonly receivedMs: number
    readonly reason: string
    readonly bytes: number
  }[]
}
