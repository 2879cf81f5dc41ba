/** Work of the delivery loop on a project's own alerts: emails, and calls of its webhook. */
import type { ClaimedDelivery, NoticeChannel } from '#ports/notices.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { Attempt } from './channels/attempt.ts'
import type { Sending } from './deliver.ts'
import { claimsOf, type LaneWork } from './notice-lane.ts'
import { DELIVERY_CHANNELS } from './rules/deliveries.ts'

export interface NoticeWorkParts {
  readonly outbox: Outbox
  readonly send: (sending: Sending) => Promise<Attempt>
}

const SENDERS = { mail: 'mails', webhook: 'webhooks' } as const

export function noticeWork(parts: NoticeWorkParts): readonly LaneWork<ClaimedDelivery>[] {
  return DELIVERY_CHANNELS.map((channel) => noticesBy(channel, parts))
}

function noticesBy(channel: NoticeChannel, { outbox, send }: NoticeWorkParts): LaneWork<ClaimedDelivery> {
  const sender = SENDERS[channel]
  return {
    ...claimsOf(outbox, sender),
    pool: channel === 'mail' ? 'mail' : 'call',
    send: (delivery, signal) => send({ ...delivery, signal }),
    settle: (delivery, settlement, nowMs) => outbox.settleFor(sender, delivery, settlement, nowMs),
  }
}
