/**
 * Issue trackers of an organisation, links of issues to theirs, and the work that follows: closing what was resolved here,
 * and asking again for what people look at. A tracker's secrets are written and never read back; it is deleted with its
 * links and its work.
 *
 *     resolved here ──▶ waiting ──claim──▶ sending ──settle──▶ sent | failed | waiting (again, later)
 *                          │                  └── lease expired ──▶ waiting
 *                          └── no longer resolved, closed already, unlinked ──▶ cancelled
 *
 * Nothing goes in circles: what a tracker tells is written to the link before the issue is resolved, and a link that is
 * closed is closed no more.
 */
import type { IssueId, OrgId } from '#base/ids.ts'
import type { MessageTry } from './messages.ts'
import type { Settlement } from './notices.ts'
import type { SeenSettings } from './projects.ts'
import type { ReadScope } from './scope.ts'

export const TRACKER_KINDS = ['github', 'gitlab', 'gitea', 'jira', 'linear'] as const
export type TrackerKind = (typeof TRACKER_KINDS)[number]

/** Values of a kind's fields by their names. */
export type TrackerValues = Readonly<Record<string, string>>

export interface TrackerSync {
  /** Closing there resolves here. */
  readonly resolvesHere: boolean
  /** Resolving here closes there. */
  readonly closesThere: boolean
}

export interface Tracker extends TrackerSync {
  readonly id: number
  readonly kind: TrackerKind
  /** Unique in the organisation and kind. */
  readonly name: string
  readonly settings: TrackerValues
  /** Which secrets it has; never their values. */
  readonly secretsSet: readonly string[]
  readonly createdBy: string
  readonly createdMs: number
  readonly changedMs: number
  /** When a signed webhook came last; `null` before the first. */
  readonly heardMs: number | null
}

export interface NewTracker extends TrackerSync {
  readonly kind: TrackerKind
  readonly name: string
  readonly settings: TrackerValues
  readonly secrets: TrackerValues
}

/** `secrets` holds those that change alone. */
export type TrackerChange = Partial<Omit<NewTracker, 'kind'>> & {
  /** Settings as the editor saw them, without secrets. */
  readonly seen?: SeenSettings | undefined
}

/** With its secrets, for calls and for signatures. */
export interface TrackerTarget {
  readonly id: number
  readonly orgId: OrgId
  readonly kind: TrackerKind
  readonly name: string
  readonly values: TrackerValues
}

/** `missing`: deleted, moved, or out of the token's sight. */
export type RemoteState = 'open' | 'closed' | 'missing'

/** An issue as its tracker has it. */
export interface RemoteIssue {
  /** Reference as calls name it, such as `acme/shop#12` or `SHOP-12`; unique in the tracker. */
  readonly ref: string
  readonly url: string
  readonly title: string
  readonly state: RemoteState
  /** By the tracker's clock; `null` where it is not told. */
  readonly changedMs: number | null
}

export interface TrackerLink extends Omit<RemoteIssue, 'changedMs'> {
  readonly id: number
  readonly issueId: IssueId
  readonly tracker: Pick<Tracker, 'id' | 'kind' | 'name'>
  /** When the tracker said so last. */
  readonly checkedMs: number
  readonly createdBy: string
  readonly createdMs: number
}

type WorkState = 'waiting' | 'sending' | 'sent' | 'failed' | 'cancelled'

/** A tracker issue closed because ours was resolved. */
export interface TrackerLogEntry {
  readonly id: number
  readonly atMs: number
  readonly ref: string
  /** The issue's short id; `null` where it is gone. */
  readonly issue: string | null
  readonly state: WorkState
  readonly says: string | null
  readonly nextMs: number | null
  readonly settledMs: number | null
  /** Oldest first. */
  readonly tries: readonly MessageTry[]
}

export interface TrackersRead {
  /** By name. */
  trackers(scope: ReadScope): Promise<readonly Tracker[]>
  tracker(scope: ReadScope, id: number): Promise<Tracker | null>
  /** `null` outside the organisation. */
  trackerTarget(org: OrgId, id: number): Promise<TrackerTarget | null>
  /**
   * Returns a tracker for a signed call from its service, whatever the organisation. Check the signature
   * first.
   */
  trackerForCallback(id: number): Promise<TrackerTarget | null>
  /** Oldest first; none outside the scope. */
  trackerLinks(scope: ReadScope, issue: IssueId): Promise<readonly TrackerLink[]>
  /** Newest first, about readable issues alone. */
  trackerLog(
    scope: ReadScope,
    asked: { readonly trackerId: number; readonly limit: number },
  ): Promise<readonly TrackerLogEntry[]>
}

export interface ClaimedTrackerWork {
  readonly id: number
  readonly lease: string
  /** Receiver, named as in `Waiting`. */
  readonly receiver: string
  /** This one included. */
  readonly tries: number
  readonly what: 'close' | 'refresh'
  readonly tracker: TrackerTarget
  readonly ref: string
}

/** Result of a try; `remote` is the tracker's issue, if it answered with one. */
export type TrackerSettlement = Settlement & {
  readonly tookMs: number
  readonly remote?: RemoteIssue | 'missing'
}

/** Asks trackers again. Each method is one transaction. */
export interface TrackerQueue {
  /** Asks for the issue's links again, those that were not asked for within `trackerRefreshMs`. Answers how many. */
  refreshLinks(issue: IssueId, nowMs: number): Promise<number>
}
