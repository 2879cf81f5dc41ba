/** The commit's side of the control store, outcomes, and what /system shows. */

import type { Digest, EventId, GroupHash, IssueId, KeyId, ProjectId, Seq } from '#base/ids.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { FileName, KindName } from '#model/file-name.ts'
import type { Hidden } from '#model/hidden.ts'
import type { SetAside } from '#model/large-item.ts'
import type { CountedOutcome, OutcomeName } from '#model/outcome.ts'
import type { Category } from '#model/recognised.ts'
import type { StoredAttachment } from './attachments.ts'
import type { SessionDelta } from './health.ts'
import type { FailureSeen, RequestsPart } from './requests.ts'
import type { ReadScope } from './scope.ts'
import type { StaleClickSeen, ToldClick } from './skew.ts'
import type { FileContents } from './telemetry.ts'

/** Facts kept with a group; those of its newest event win. */
export interface StoredFacts {
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
  readonly category: Category
}

/**
 * Adds a batch's stored events to one group; duplicates are already removed. Times are whole milliseconds.
 */
export interface GroupDelta {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** JSON of `StoredFacts`, of the newest event. */
  readonly facts: string
  /** Groups that its events were of by rules that no longer hold: where one of them is known, its issue goes on. */
  readonly formerHashes?: readonly GroupHash[]
  readonly newest: {
    readonly atMs: number
    readonly eventId: EventId
    readonly release: string | null
    readonly traceId: string | null
  }
  readonly eventCount: number
  readonly mirrorCount: number
  /** Events that keep their payload, and the newest of them. */
  readonly payloadCount: number
  readonly newestPayload: { readonly atMs: number; readonly eventId: EventId } | null
  /** Events of the newest hour of receipt (hours since 1970) of them all. */
  readonly window: { readonly hour: number; readonly events: number }
  /** Earliest time stated by the events. */
  readonly firstMs: number
  readonly lastMs: number
  /** When the first of them was received. */
  readonly firstReceivedMs: number
  readonly firstRelease: ReleaseSeen | null
  readonly lastRelease: ReleaseSeen | null
  /** Hours since 1970 to events. */
  readonly hours: ReadonlyMap<number, number>
  readonly kinds: ReadonlyMap<string, number>
  readonly routes: ReadonlyMap<string, number>
  /** Each file once, with what of the batch is in it. */
  readonly files: readonly (FileName & FileContents)[]
  /** Hashes of the people, each once: see `hashUser`. */
  readonly users: ReadonlySet<bigint>
  /** Hash pairs for people of mirrors who are known by an id and an address. */
  readonly aliases: readonly { readonly person: bigint; readonly address: bigint }[]
  /** Each (key, value) once. */
  readonly facets: readonly FacetDelta[]
  /** Each (digest, release) once. */
  readonly digests: readonly DigestDelta[]
  /** Each (release, environment) once; events that lack one of the two are left out. */
  readonly builds: readonly BuildDelta[]
  /** Failures of a server, or what a browser saw of them: what finds one half by the other. */
  readonly sightings: readonly Sighting[]
  /** Every event in the order of the journal; asked for only where an issue is resolved or archived. */
  readonly arrivals: () => readonly Arrival[]
}

export interface ReleaseSeen {
  readonly release: string
  readonly atMs: number
}

export interface BuildDelta {
  readonly release: string
  readonly environment: string
  readonly count: number
}

/** Event of a failed request, sent by the server or, for a mirror, by the browser. */
export interface Sighting {
  readonly eventId: EventId
  readonly traceId: string | null
  readonly route: string | null
  /**
   * Kind of request; for a mirror `browser` if a framework was rendering, `other` for the page's own request.
   */
  readonly kind: RequestKind
  /** The app caught it. */
  readonly isHandled: boolean
  /** OpenTelemetry recorded it on a span; a Sentry SDK may tell of it too. */
  readonly isOfSpan?: true
  readonly atMs: number
  readonly receivedMs: number
}

export interface FacetDelta {
  readonly key: string
  readonly value: string
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
}

/** A digest seen on events of a group; what is not counted is of the newest of them, of those with a payload if any. */
export interface DigestDelta {
  readonly digest: Digest
  readonly release: string | null
  readonly environment: string | null
  readonly route: string | null
  readonly requestKind: RequestKind
  readonly eventId: EventId
  readonly traceId: string | null
  readonly count: number
  readonly mirrorCount: number
  /** True once any of them was. */
  readonly verified: boolean | null
  /** True if the named event keeps its payload. */
  readonly hasPayload: boolean
  readonly firstMs: number
  readonly lastMs: number
}

/** An exception that a span recorded. */
export interface AskedError {
  readonly projectId: ProjectId
  readonly traceId: string
  readonly type: string
  readonly value: string
}

/** An event as the state of its issue sees it. */
export interface Arrival {
  readonly receivedMs: number
  /** When it happened, by the sender's corrected clock; never after its receipt. */
  readonly happenedMs: number
  readonly isMirror: boolean
  readonly eventId: EventId
  readonly release: string | null
  readonly traceId: string | null
}

/** Part of a batch for a kind whose items belong to groups. */
export interface GroupsPart {
  readonly type: 'groups'
  readonly kind: KindName
  /** Under which the items are counted. */
  readonly category: string
  /** Each group once, in the order in which they first occur. */
  readonly groups: readonly GroupDelta[]
  /** Requests that the items say have failed. */
  readonly failures: readonly FailureSeen[]
  /** Halves of clicks in tabs of an old build. */
  readonly stale: readonly StaleClickSeen[]
}

/** Part of a batch for sessions. */
interface SessionsPart {
  readonly type: 'sessions'
  /** Under which the items are counted. */
  readonly category: string
  /** Updates in journal order. */
  readonly sessions: readonly SessionDelta[]
}

/** Part of a batch for attachments. */
interface AttachmentsPart {
  readonly type: 'attachments'
  /** Under which the items are counted. */
  readonly category: string
  readonly attachments: readonly StoredAttachment[]
}

/** Part of a batch that the control store keeps; the variant says which stores take it. */
export type ControlPart = GroupsPart | SessionsPart | RequestsPart | AttachmentsPart

export interface ControlBatch {
  readonly firstSeq: Seq
  readonly lastSeq: Seq
  /** How far the journal's overflow is applied with it, where it came from there. */
  readonly overflowUpTo?: number
  readonly parts: readonly ControlPart[]
  /** All outcomes of the batch, `accepted` included. */
  readonly outcomes: readonly CountedOutcome[]
  /** Keys used, with the newest time. */
  readonly keysUsed: readonly { readonly keyId: KeyId; readonly atMs: number }[]
  readonly quarantined: readonly {
    readonly seq: Seq
    readonly projectId: ProjectId
    readonly receivedMs: number
    readonly reason: string
    readonly bytes: number
    /** Its attachments; left out where there are none. */
    readonly setAside?: readonly Pick<SetAside, 'name' | 'bytes'>[]
  }[]
}

export interface AppliedBatch {
  readonly appliedSeq: Seq
  /** Issues that began or came back with this batch. */
  readonly newIssues: number
  readonly regressedIssues: number
  /** Projects whose first event this was. */
  readonly firstEvents: readonly ProjectId[]
  readonly figures: ChangedFigures
}

/** Changes of figures that pages keep answers about. */
export interface ChangedFigures {
  /** Hours since 1970 of which sums of requests or vitals changed; of a day that is one row, the first. */
  readonly requestHours: ReadonlySet<number>
  readonly hasStaleClicks: boolean
  /** A release came, or a project or environment of one, or an event of it before its first. */
  readonly hasNewReleases: boolean
}

export const NO_FIGURES_CHANGED: ChangedFigures = {
  requestHours: new Set(),
  hasStaleClicks: false,
  hasNewReleases: false,
}

/** Counts that cap an issue's payloads and bound the number of new issues. */
export interface PayloadWindow {
  /** Events of an hour of receipt whose payloads are all kept; `null`: the project keeps all. */
  readonly cap: number | null
  /** `null`: the group is new, or nothing was looked up because nothing is bounded. */
  readonly issueId: IssueId | null
  /** The issue's newest hour of receipt, in hours since 1970, and its events then. */
  readonly hour: number
  readonly events: number
  /**
   * Newest hour of receipt in which issues began, and how many, for a new group of a project with spike
   * protection.
   */
  readonly begins: { readonly hour: number; readonly count: number } | null
  /** Digests of the group; `null` unless the cap may be passed, or where it has `digestPayloadsMax` already. */
  readonly digests: ReadonlySet<string> | null
}

/** Used by the committer alone. */
export interface ControlCommit {
  /** Returns one window per group, in order. `events`: how many of them this batch brings. */
  payloadWindows(
    groups: readonly {
      readonly projectId: ProjectId
      readonly hash: GroupHash
      readonly events: number
    }[],
  ): Promise<readonly PayloadWindow[]>
  /**
   * The group that each event telling of a stale click is stored in, in their order: another than its own where that one
   * is of another deploy.
   */
  staleGroups(told: readonly ToldClick[]): Promise<readonly GroupHash[]>
  /**
   * True for each exception that an SDK told already: an error of that type and message in the same trace, in any project
   * of the organisation.
   */
  toldErrors(asked: readonly AskedError[]): Promise<readonly boolean[]>
  /**
   * Applies a batch in one transaction: groups, issues and their transitions, counters, facets, users,
   * digests, sessions, outcomes, `appliedSeq`. A batch at or below `appliedSeq` changes nothing (idempotent).
   * Groups of deleted projects are left out and counted `invalid` / `unknown_key`.
   */
  applyBatch(batch: ControlBatch): Promise<AppliedBatch>
  appliedSeq(): Promise<Seq>
  /** How many of `appliedSeq` are of the journal's overflow. */
  appliedOverflow(): Promise<number>
  /** Envelopes set aside whose project is there and whose time is not over. */
  /** Quarantined envelopes, with the bytes of their attachments. */
  quarantinedSeqs(): Promise<
    readonly { readonly seq: Seq; readonly projectId: ProjectId; readonly setAsideBytes: number }[]
  >
  /** Forgets the attachments of quarantined envelopes: what no other row names goes with the next sweep. */
  forgetSetAside(seqs: readonly Seq[]): Promise<void>
  /** Returns what queries of the other stores must leave out. */
  hidden(): Promise<Hidden>
}

export interface OutcomeQuery {
  readonly startMs: number
  readonly endMs: number
  /** Width of a series bucket; a multiple of 15 minutes. `null`: totals alone. */
  readonly intervalMs: number | null
  readonly projects: readonly ProjectId[] | null
  readonly keys: readonly KeyId[] | null
  readonly groupBy: readonly ('outcome' | 'category' | 'reason' | 'project' | 'key')[]
}

export interface OutcomeGroup {
  readonly outcome?: OutcomeName
  readonly category?: string
  readonly reason?: string | null
  readonly projectId?: ProjectId
  readonly keyId?: KeyId | null
  readonly total: number
  /** Aligned with the query's buckets; empty without an interval. */
  readonly series: readonly number[]
}

export interface OutcomesRead {
  /** Bucket starts in milliseconds, and the groups. Buckets are of receipt. */
  outcomes(
    scope: ReadScope,
    query: OutcomeQuery,
  ): Promise<{ readonly buckets: readonly number[]; readonly groups: readonly OutcomeGroup[] }>
  /**
   * Reads the newest example of each reason for which something was not stored, with when it was first and
   * last seen in the range.
   */
  outcomeExamples(scope: ReadScope, query: OutcomeQuery): Promise<readonly OutcomeExample[]>
}

export interface OutcomeExample {
  readonly outcome: OutcomeName
  readonly reason: string | null
  readonly category: string
  readonly quantity: number
  readonly firstMs: number
  readonly lastMs: number
  readonly example: string | null
}

export interface RefusedWithoutProject {
  readonly reason: string | null
  readonly quantity: number
  readonly example: string | null
}

/** Reads for the operator only; `access` checks the flag before calling. */
export interface SystemRead {
  counters(): Promise<{
    readonly appliedSeq: Seq
    readonly appliedOverflow: number
    readonly organisations: number
    readonly projects: number
    readonly issues: number
    readonly groups: number
    readonly eventsStored: number
    readonly controlBytes: number
  }>
  /** Outcomes of the whole installation, those without a project included, per minute over the last hour. */
  recentOutcomes(
    sinceMs: number,
  ): Promise<
    readonly { readonly minuteMs: number; readonly outcome: OutcomeName; readonly quantity: number }[]
  >
  /**
   * Refusals that named no existing project, by reason; and records that damage of the journal took, nobody knows whose,
   * with about when the last of them was received: `null` where there are none.
   */
  withoutProject(since: { readonly refusedSinceMs: number; readonly lostSinceMs: number }): Promise<{
    readonly refused: readonly RefusedWithoutProject[]
    readonly lost: { readonly quantity: number; readonly lastMs: number } | null
  }>
  quarantined(): Promise<
    readonly {
      readonly seq: Seq
      readonly projectId: ProjectId
      readonly receivedMs: number
      readonly reason: string
      readonly bytes: number
    }[]
  >
}
