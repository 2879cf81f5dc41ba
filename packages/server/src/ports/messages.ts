/**
 * Messages: alerts on their way to one receiver each. Queued in the control transaction that makes the rule fire, claimed
 * under a lease, sent, settled; the log is what is kept of them. At least once: a lease that runs out lets the same `key`
 * go out again.
 *
 * Of a receiver for whom `alertMessagesWaitingMax` wait already, or of what is held `alertMessagesHeldMax`, what comes is
 * `failed` at once: one entry a firing and target. Tests and ends of incidents are queued anyway.
 *
 *     waiting ──claim──▶ sending ──settle──▶ sent | failed | waiting (again, later)
 *        │                   └── lease expired ──▶ waiting
 *        ├── another to the same receiver is due as well ──▶ gathered (told in that one)
 *        └── its channel or rule was deleted, nobody may read it ──▶ cancelled
 *
 * The first message to a receiver goes out at once; those that follow within `alertGatherMs` wait for its end and are one.
 * In quiet hours they wait for the morning, critical ones excepted.
 */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { AlertLevel, AlertMessage, AlertMoment } from '#model/alert-message.ts'
import type { AlertTarget } from '#model/alert-rule.ts'
import type { ChannelKind, ChannelTarget } from './channels.ts'
import type { Settlement } from './notices.ts'
import type { ReadScope } from './scope.ts'

/** A change of an issue that rules tell: new events, or an action of people. */
export interface Occasion {
  readonly of: 'events' | 'resolved' | 'comment' | 'assignment' | 'digest'
  /** Since when it is so. */
  readonly atMs: number
}

/** A message that a firing rule queues, in the firing's own transaction. */
export interface NewMessage {
  readonly orgId: OrgId
  readonly firingId: number | null
  /** The project whose readers alone are emailed; `null`: of several, which owners and managers read. */
  readonly projectId: ProjectId | null
  /**
   * Projects that the message is about; `null` for the whole organisation. The log hides it from viewers who
   * can read none of them.
   */
  readonly projects: readonly ProjectId[] | null
  /** Issue whose assignee may be a receiver; one person gets one email per occasion. */
  readonly issueId: IssueId | null
  /** Subject of the message; `null` for a message about no issue, and for tests. */
  readonly occasion: Occasion | null
  readonly target: AlertTarget
  readonly message: AlertMessage
  /** The end of the quiet hours that hold it back; `null`: it goes out now. */
  readonly heldUntilMs: number | null
}

/** Receiver of one message, with what its service needs. */
export type MessageReceiver =
  | { readonly to: 'person'; readonly email: string; readonly name: string }
  | {
      readonly to: 'channel'
      readonly channel: ChannelTarget
      /** Service's id of the first message of the thread; `null` if this is the first. */
      readonly thread: string | null
    }

export interface ClaimedMessage {
  readonly id: number
  /** The same for every try. 32 lower-case hex characters. */
  readonly key: string
  readonly lease: string
  /** Receiver, named as in `Waiting`. */
  readonly receiver: string
  /** This one included. */
  readonly tries: number
  readonly to: MessageReceiver
  /** With those gathered in it. */
  readonly message: AlertMessage
}

/** Result of a delivery attempt. */
export type MessageSettlement = Settlement & {
  readonly tookMs: number
  /** Service's id of the message, for later ones of the thread; at most 200 characters. */
  readonly thread?: string
}

export type MessageState = 'waiting' | 'sending' | 'sent' | 'failed' | 'cancelled' | 'gathered'

export interface MessageTry {
  readonly atMs: number
  readonly says: string
  readonly tookMs: number
}

export interface MessageLogEntry {
  readonly id: number
  readonly atMs: number
  readonly rule: { readonly id: number; readonly name: string } | null
  readonly moment: AlertMoment
  readonly level: AlertLevel
  readonly headline: string
  /** `null`: its channel is gone, whose name `to` keeps. */
  readonly channelId: number | null
  readonly kind: ChannelKind
  /** Name of the receiver, such as `#shop-alerts` or a person's name. */
  readonly to: string
  readonly state: MessageState
  readonly says: string | null
  readonly heldUntilMs: number | null
  /** Time of the next try of a waiting message. */
  readonly nextMs: number | null
  readonly settledMs: number | null
  /** Oldest first. */
  readonly tries: readonly MessageTry[]
  /** The message that it was gathered in. */
  readonly gatheredIn: number | null
  readonly issue: string | null
}

/** A message of a rule, or a delivery of a project's own alert; of the latter no single tries are kept. */
export interface DeliveryLogEntry extends MessageLogEntry {
  /** Name of the entry in the log of both: that of a message is its id. */
  readonly ref: string
  /** The project whose own alert it is; `null` for a message of a rule. */
  readonly ofProject: { readonly slug: string; readonly name: string } | null
  readonly tryCount: number
  /** Place in the log behind which older ones come: it holds when the entry itself is gone. */
  readonly cursor: string
}

export interface DeliveryLogQuery {
  /** Messages of rules, own alerts of projects, or both. */
  readonly of: 'all' | 'rules' | 'projects'
  readonly ruleId: number | null
  readonly kind: ChannelKind | null
  /** Own alerts of projects go to no channel. */
  readonly channelId: number | null
  readonly states: readonly MessageState[] | null
  readonly sinceMs: number
  /** Text to find in headline, receiver or answer, ignoring case; `''` for all. */
  readonly text: string
  /** Entries behind this one, by its `cursor` or its `ref`; `null` begins with the newest. */
  readonly before: string | null
  readonly limit: number
}

export type DeliveryCounts = Readonly<Record<MessageState, number>>

export interface DeliveryLog {
  /** Newest first. */
  readonly entries: readonly DeliveryLogEntry[]
  /** Numbers for the whole query, by state. */
  readonly counts: DeliveryCounts
  /** Between firing and the receiver's answer, of those sent; `null` without any. */
  readonly medianMs: number | null
}

/** Messages about issues of projects outside the scope are left out. */
export interface MessagesRead {
  /** Whatever was sent of alerts, by rules and by projects. */
  deliveryLog(scope: ReadScope, query: DeliveryLogQuery): Promise<DeliveryLog>
  /** Numbers of the log alone, for messages of rules and for own alerts of projects. */
  deliveryCounts(
    scope: ReadScope,
    query: { readonly sinceMs: number },
  ): Promise<{ readonly rules: DeliveryCounts; readonly projects: DeliveryCounts }>
  /** Returns a sent message in full; `null` outside the scope. */
  messageSent(
    scope: ReadScope,
    id: number,
  ): Promise<{ readonly entry: MessageLogEntry; readonly message: AlertMessage } | null>
}
