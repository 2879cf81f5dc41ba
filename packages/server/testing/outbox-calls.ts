/** The outbox by sort of delivery, as suites of each ask for it. */
import type { Control } from '#ports/control.ts'
import type { ClaimedLetter } from '#ports/letters.ts'
import type { ClaimedMessage, MessageSettlement, NewMessage } from '#ports/messages.ts'
import type { Claim, NoticeChannel, Settlement } from '#ports/notices.ts'
import type { Outbox } from '#ports/outbox.ts'

export type OutboxCalls = ReturnType<typeof outboxCalls>

type Done = Pick<ClaimedMessage, 'id' | 'lease'>

const SENDERS = { mail: 'mails', webhook: 'webhooks' } as const

export function outboxCalls(outbox: Outbox & Control) {
  return {
    /** Outside of any firing, as commands do it that send something. */
    queueMessages: (messages: readonly NewMessage[], nowMs: number) =>
      outbox.write(async (tx) => tx.alerts.queueMessages(messages, nowMs)),
    claimDeliveries: ({ channel, ...claim }: Claim & { readonly channel: NoticeChannel }) =>
      outbox.claimFor(SENDERS[channel], claim),
    settleDelivery: (done: Done, settlement: Settlement, nowMs: number) =>
      outbox.settleFor('mails', done, settlement, nowMs),
    waitingDeliveries: (channel: NoticeChannel) => outbox.waitingFor(SENDERS[channel]),
    claimMessages: (claim: Claim) => outbox.claimFor('alertCalls', claim),
    settleMessage: (done: Done, settlement: MessageSettlement, nowMs: number) =>
      outbox.settleFor('alertCalls', done, settlement, nowMs),
    waitingMessages: (by: 'mail' | 'call') => outbox.waitingFor(by === 'mail' ? 'alertMails' : 'alertCalls'),
    claimLetters: async (claim: Claim): Promise<readonly ClaimedLetter[]> =>
      (await outbox.claimFor('letters', claim)).map(({ receiver: _, ...letter }) => letter),
    settleLetter: (done: Done, settlement: Settlement, nowMs: number) =>
      outbox.settleFor('letters', done, settlement, nowMs),
    nextLetterMs: async () => (await outbox.waitingFor('letters'))[0]?.dueMs ?? null,
    claimTrackerWork: (claim: Claim) => outbox.claimFor('trackerCalls', claim),
    waitingTrackerWork: () => outbox.waitingFor('trackerCalls'),
  }
}
