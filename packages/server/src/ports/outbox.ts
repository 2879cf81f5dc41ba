/**
 * Outbox: whatever leaves Errata, by who sends it. It is queued in the transaction of its cause, claimed under a lease, sent,
 * settled, and tried again or given up by the same rules. At least once: a lease that runs out lets the same key go out
 * again. What each is, and what is kept of it: `notices.ts`, `messages.ts`, `letters.ts`, `trackers.ts`.
 */
import type { ClaimedLetter } from './letters.ts'
import type { ClaimedMessage, MessageSettlement } from './messages.ts'
import type { Claim, ClaimedDelivery, Settlement, Waiting } from './notices.ts'
import type { ClaimedTrackerWork } from './trackers.ts'

/** Deliveries by their sender, as it claims them. */
export interface Outgoing {
  /** Messages of alert rules by email, and to services. */
  readonly alertMails: ClaimedMessage
  readonly alertCalls: ClaimedMessage
  /** A project's own alerts. */
  readonly mails: ClaimedDelivery
  readonly webhooks: ClaimedDelivery
  readonly letters: ClaimedLetter & { readonly receiver: string }
  readonly trackerCalls: ClaimedTrackerWork
}

export type SenderName = keyof Outgoing

/** The delivery loop's side. Each method is one transaction. */
export interface Outbox {
  /** Receivers that something of the sender waits for. */
  waitingFor(sender: SenderName): Promise<readonly Waiting[]>
  /** Due ones, oldest first, now under the lease. One that nobody is to get any more is ended, or removed, instead. */
  claimFor<N extends SenderName>(sender: N, claim: Claim): Promise<readonly Outgoing[N][]>
  /**
   * False, and nothing changed, when the lease is another's by now, or it was cancelled meanwhile. Calls of trackers are
   * settled by a change of their own, for what a tracker says has consequences.
   */
  settleFor(
    sender: Exclude<SenderName, 'trackerCalls'>,
    done: { readonly id: number; readonly lease: string },
    settlement: Settlement & Partial<Pick<MessageSettlement, 'tookMs' | 'thread'>>,
    nowMs: number,
  ): Promise<boolean>
  /**
   * Whatever a process that ended had claimed is due at once. Call it before the first claim, by the only process
   * there is.
   */
  endLeases(nowMs: number): Promise<void>
}
