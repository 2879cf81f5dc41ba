/**
 * Notices: that an issue is new or came back, told to people by mail and to one webhook a project. Preset rules queue a
 * notice in the transaction that evaluates them, it is opened into deliveries when it is due, mostly at once, and each
 * delivery is claimed under a lease, sent, and settled.
 *
 *     notice    queued ──due──▶ opened (deliveries made) | dropped (nobody to tell, a mirror, its issue is gone)
 *     delivery  waiting ──claim──▶ sending ──settle──▶ sent | failed | cancelled | waiting (again, later)
 *                  ▲                   │
 *                  └── lease expired ──┘   (at least once: the same `key` goes out again)
 */

import type { Digest, EventId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { ReadScope } from './scope.ts'

/** `unarchived`: archived until so many more events, and they came. `summary`: what the hourly bound left out. */
export type NoticeKind = 'new' | 'regressed' | 'unarchived' | 'summary' | 'test'
export type NoticeChannel = 'mail' | 'webhook'
export type DeliveryState = 'waiting' | 'sending' | 'sent' | 'failed' | 'cancelled'

/**
 * An issue as a notice shows it, read at sending. Every text comes from hostile payloads, scrubbed and
 * bounded.
 */
export interface NoticeIssue {
  readonly number: number
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly level: Level
  readonly eventCount: number
  readonly userCount: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly requestKind: RequestKind | null
  readonly route: string | null
  /** The newest number that an error page showed for it. */
  readonly digest: Digest | null
  /** Every event of it is the browser's mirror of a failure on the server, whose half never came. */
  readonly isMirror: boolean
  /** Release of the event that caused the notice, if known. */
  readonly release: string | null
  readonly environment: string | null
  readonly eventId: EventId | null
  readonly traceId: string | null
}

/** Issues beyond the hourly bound, told in one. */
export interface NoticeRest {
  /** Echoes are in neither of these two. */
  readonly newIssues: number
  readonly returnedIssues: number
  /** New or returned mirrors of server failures that stand alone. */
  readonly echoIssues: number
}

export interface Notice {
  readonly id: number
  readonly kind: NoticeKind
  /** When the change was stored. */
  readonly atMs: number
  readonly organisation: string
  readonly project: { readonly id: ProjectId; readonly slug: string; readonly name: string }
  /** `null` for summaries and tests. */
  readonly issue: NoticeIssue | null
  /** Changes left out of a summary. */
  readonly rest: NoticeRest | null
}

export interface ClaimedDelivery {
  readonly id: number
  /** The same for every try: receivers tell a repeat by it. 32 lower-case hex characters. */
  readonly key: string
  /** Token that `settle` must repeat; a later claim has another. */
  readonly lease: string
  /** Receiver, named as in `Waiting`. */
  readonly receiver: string
  /** This one included. */
  readonly tries: number
  readonly to:
    | { readonly channel: 'mail'; readonly email: string; readonly name: string }
    | { readonly channel: 'webhook'; readonly url: string; readonly secret: string }
  readonly notice: Notice
}

export type Settlement =
  | { readonly state: 'sent' | 'failed' | 'cancelled'; readonly says: string }
  /** Tried again from `nextMs` on. */
  | { readonly state: 'waiting'; readonly says: string; readonly nextMs: number }

export interface Claim {
  readonly nowMs: number
  readonly leaseMs: number
  /** Fresh and unguessable for each claim. */
  readonly lease: string
  readonly limit: number
  /** A delivery whose lease ran out after so many tries has failed. */
  readonly triesMax: number
  /** Receivers as `Waiting` names them: each is given one, or as many as it is named times. Left out: any. */
  readonly only?: readonly string[]
}

/** A receiver that something waits for. */
export interface Waiting {
  /** Whoever fails together is one receiver, such as `channel:7`; of mail it is the organisation that sends. */
  readonly receiver: string
  /** Organisation of the notice; `null` if it has none. */
  readonly orgId: OrgId | null
  /** Its calls go first. */
  readonly isPager: boolean
  /** When the earliest is due; of one under way, when its lease ends. */
  readonly dueMs: number
}

/** Notices on their way to deliveries, which the outbox has. Each method is one transaction. */
export interface NoticeQueue {
  /** Makes deliveries of at most `limit` notices that are due. `mail` false: there is no mail server. Answers how many. */
  openDueNotices(open: {
    readonly nowMs: number
    readonly limit: number
    readonly mail: boolean
  }): Promise<number>
  /** When a notice is to be opened next; `null` when none waits. */
  nextNoticeMs(): Promise<number | null>
}

export interface NoticeSettings {
  /** Whether members are mailed. */
  readonly mail: boolean
  /** An issue that was told of is not told of again for so long; 0 tells every time. */
  readonly quietHours: number
  /** The secret itself is never read back. */
  readonly webhook: { readonly url: string; readonly changedMs: number } | null
}

export const NOTICE_SETTINGS_DEFAULT: NoticeSettings = { mail: true, quietHours: 24, webhook: null }

/** Deliveries of one notice that share channel and state. */
export interface DeliveryGroup {
  readonly channel: NoticeChannel
  readonly state: DeliveryState
  readonly count: number
  /** The most of the group. */
  readonly tries: number
  /** Answer of the latest try among those tried most; `null` before the first. */
  readonly says: string | null
  /** Earliest next try of a waiting delivery. */
  readonly nextMs: number | null
  /** When the newest was settled. */
  readonly settledMs: number | null
  /** Addresses of failed emails, at most `noticeReceiversMax`; shown to people who may change the project. */
  readonly receivers: readonly string[]
}

export interface NoticeLogPage {
  readonly limit: number
  /** Entries after this one, by its id, which are older; `null` begins with the newest. */
  readonly before: number | null
}

export interface NoticeLogEntry {
  readonly id: number
  readonly kind: NoticeKind
  readonly atMs: number
  /** `null` for summaries, tests and issues that are gone. */
  readonly issue: { readonly shortId: string; readonly title: string } | null
  readonly rest: NoticeRest | null
  /** Not yet opened: when it is. */
  readonly dueMs: number | null
  /** Why there are no deliveries; `null` while there are, or before it is opened. */
  readonly dropped: string | null
  /** Times the issue came back within the quiet hours since. */
  readonly heldBack: number
  readonly deliveries: readonly DeliveryGroup[]
}

/** Notices held back, by reason. */
export interface HeldBack {
  /** Issues that came back within the quiet hours. */
  readonly quiet: number
  /** Mirrors that were folded into the server's issue before they were told of. */
  readonly mirror: number
  /** Beyond the hourly bound: told in a summary. */
  readonly summarised: number
  /** Moments that no rule looked at: more waited than may. */
  readonly dropped: number
}

export interface NoticesRead {
  noticeSettings(scope: ReadScope, project: ProjectId): Promise<NoticeSettings>
  /** Newest first. */
  noticeLog(scope: ReadScope, project: ProjectId, page: NoticeLogPage): Promise<readonly NoticeLogEntry[]>
  heldBack(scope: ReadScope, project: ProjectId, sinceMs: number): Promise<HeldBack>
  /** Returns address and signing key for a test, of the organisation's project; `null`: it has no webhook. */
  webhookTarget(
    scope: ReadScope,
    project: ProjectId,
  ): Promise<{ readonly url: string; readonly secret: string } | null>
  /** Whether a person is mailed at all. */
  noticeMailOf(user: UserId): Promise<boolean>
}
