/** Rules of deliveries: who is told, when a lease is over, and the state after a try. */
import { max } from '#limits/limits.ts'
import type { DeliveryState, NoticeChannel, NoticeKind, NoticeSettings, Settlement } from '#ports/notices.ts'

export const DELIVERY_CHANNELS: readonly NoticeChannel[] = ['mail', 'webhook']

/** Why a notice is told to nobody, or a delivery is not sent any more. */
export const ISSUE_DELETED = 'The issue was deleted.'
/** Names no issue: not everybody who reads it may read that one. */
export const FOLDED = 'Browser copy of a server failure, which has its own alert.'

/** The reason for who may read the server's issue too. */
export function foldedText(shortId: string): string {
  return `Browser copy of ${shortId}, which has its own alert.`
}

export const TOLD_BY_RULES = 'Everyone was notified by an alert rule.'

/** True if the project's people are asked for at all. `mail`: there is a mail server. */
export function isMailed(settings: Pick<NoticeSettings, 'mail'>, mail: boolean): boolean {
  return mail && settings.mail
}

/** Why a notice makes no delivery; `null`: it makes some. */
export function reasonForNobody(
  settings: Pick<NoticeSettings, 'mail' | 'webhook'>,
  { mail, people }: { readonly mail: boolean; readonly people: number },
): string | null {
  if (people > 0 || settings.webhook !== null) return null
  if (!settings.mail) return 'Email is off for the project.'
  return mail ? 'No member has email alerts on.' : 'No mail server is configured.'
}

/** A delivery as it is stored. */
export interface DeliveryProgress {
  readonly state: DeliveryState
  /** While waiting: the next try. While sending: when the lease ends. `null` once settled. */
  readonly dueMs: number | null
  readonly lease: string | null
  readonly tries: number
}

/** A delivery as it is from now on. */
export type Settled = Omit<DeliveryProgress, 'tries'> & {
  readonly says: string
  readonly settledMs: number | null
}

/**
 * Its lease ran out, and it is not tried again: often enough already, or a test, which somebody waits for. Any other
 * goes out once more under the same key.
 */
export function isLost(
  { state, tries }: Pick<DeliveryProgress, 'state' | 'tries'>,
  { kind, triesMax }: { readonly kind: NoticeKind; readonly triesMax: number },
): boolean {
  return state === 'sending' && (tries >= triesMax || kind === 'test')
}

export function loseDelivery(nowMs: number): Settled {
  return endDelivery('failed', 'Errata stopped while it was being sent; it may have arrived.', nowMs)
}

/** Returns why a notice is not delivered: whoever may no longer read the project is told nothing of it. */
export function undeliverable(
  { channel, hasIssue }: { readonly channel: NoticeChannel; readonly hasIssue: boolean },
  nowMs: number,
): Settled {
  const gone =
    channel === 'mail'
      ? 'The recipient lost access to the project, muted the issue or turned email alerts off.'
      : 'The webhook was removed.'
  return endDelivery('cancelled', hasIssue ? gone : ISSUE_DELETED, nowMs)
}

/** Why a delivery is not tried at all. */
export function tooManyDeliveries(): string {
  return 'Not sent: too many alerts already wait.'
}

/** Returns the state of an email that is told later, in the one after a person's quiet hours. */
export function heldForPerson(says: string, nowMs: number): Settled {
  return endDelivery('cancelled', says, nowMs)
}

export function claimDelivery(
  tries: number,
  claim: { readonly lease: string; readonly nowMs: number; readonly leaseMs: number },
): DeliveryProgress {
  return { state: 'sending', lease: claim.lease, dueMs: claim.nowMs + claim.leaseMs, tries: tries + 1 }
}

/** Whoever holds another lease settles nothing. */
export function maySettle(delivery: Pick<DeliveryProgress, 'state' | 'lease'>, lease: string): boolean {
  return delivery.state === 'sending' && delivery.lease === lease
}

export function settleDelivery(settlement: Settlement, nowMs: number): Settled {
  const says = settlement.says.slice(0, max('noticeSaysCharsMax'))
  if (settlement.state !== 'waiting') return endDelivery(settlement.state, says, nowMs)
  return { state: 'waiting', says, dueMs: settlement.nextMs, lease: null, settledMs: null }
}

/**
 * Settles a call of a webhook that is removed; `null` if it is settled. No earlier try may go to an address
 * set later: what is under way loses its lease, and with it the next try.
 */
export function cancelledCall(state: DeliveryState, nowMs: number): Settled | null {
  if (state === 'waiting') return endDelivery('cancelled', 'The webhook was removed.', nowMs)
  if (state !== 'sending') return null
  return endDelivery('cancelled', 'The webhook was removed while it was called; it may have arrived.', nowMs)
}

function endDelivery(state: DeliveryState, says: string, nowMs: number): Settled {
  return { state, says, dueMs: null, lease: null, settledMs: nowMs }
}
