/** Type of an issue tracker: the fields people fill in, what it is asked, and what it tells. */
import type { Attempt } from '#notices/channels/attempt.ts'
import type { ChannelField } from '#notices/channels/channel-type.ts'
import type { CallAnswer } from '#notices/channels/guarded-call.ts'
import type { RemoteIssue, TrackerKind, TrackerValues } from '#ports/trackers.ts'

export type TrackerField = ChannelField

export interface TrackerCall {
  readonly method: 'POST' | 'GET' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; left out: nothing is sent. */
  readonly body?: unknown
}

/** A tracker with the way to it. Calls never reject. */
export interface TrackerAsked {
  readonly values: TrackerValues
  call(call: TrackerCall): Promise<CallAnswer>
}

/** `remote` is there where `attempt` is `sent`: the issue as it is now, or that it isn't there. */
export interface TrackerReply {
  readonly attempt: Attempt
  readonly remote?: RemoteIssue | 'missing'
}

export interface IssueDraft {
  /** Place of creation: a repository, a project, a team. */
  readonly place: string
  readonly title: string
  readonly markdown: string
}

/** A webhook as it came. */
export interface Delivery {
  readonly header: (name: string) => string | null
  readonly body: Uint8Array
  readonly nowMs: number
}

export interface TrackerType {
  readonly kind: TrackerKind
  readonly label: string
  /** Description in a few words. */
  readonly about: string
  /** The field `place` says where issues are created by default, `token` and `secret` are secret. */
  readonly fields: readonly TrackerField[]
  create(asked: TrackerAsked, draft: IssueDraft): Promise<TrackerReply>
  read(asked: TrackerAsked, ref: string): Promise<TrackerReply>
  close(asked: TrackerAsked, ref: string): Promise<TrackerReply>
  /** Which of its issues an address names; `null` where it is none of this tracker. */
  refOf(values: TrackerValues, url: URL): string | null
  /** Whether the service itself sent it. The comparison takes the same time for every wrong signature. */
  isSigned(delivery: Delivery, secret: string): boolean
  /** Returns what a signed webhook tells about an issue; `null` if nothing counts here. */
  newsOf(values: TrackerValues, body: unknown): RemoteIssue | null
}
