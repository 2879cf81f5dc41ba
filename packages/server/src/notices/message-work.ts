/** Work of the delivery loop on messages of alert rules: calls, and emails. */
import type { Clock } from '#base/clock.ts'
import type { ClaimedMessage } from '#ports/messages.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { ChannelAnswer } from './channels/channel-type.ts'
import { claimsOf, type LaneWork } from './notice-lane.ts'
import type { SendMessage } from './send-message.ts'

interface MessageWorkParts {
  readonly outbox: Outbox
  readonly sendMessage: SendMessage
  readonly clock: Clock
}

export function messageWork(parts: MessageWorkParts): readonly LaneWork<ClaimedMessage>[] {
  return [messagesBy('alertCalls', parts), messagesBy('alertMails', parts)]
}

function messagesBy(
  sender: 'alertCalls' | 'alertMails',
  { outbox, sendMessage, clock }: MessageWorkParts,
): LaneWork<ClaimedMessage> {
  /** Details settled with a message beside its result. */
  const tried = new WeakMap<ClaimedMessage, { readonly tookMs: number; readonly thread?: string }>()
  return {
    ...claimsOf(outbox, sender),
    pool: sender === 'alertCalls' ? 'call' : 'mail',
    async send(message, signal) {
      const startMs = clock.elapsed()
      const { attempt, thread }: ChannelAnswer = await sendMessage({ ...message, signal })
      const tookMs = Math.round(clock.elapsed() - startMs)
      tried.set(message, { tookMs, ...(thread === undefined ? {} : { thread }) })
      return attempt
    },
    settle: (message, settlement, nowMs) =>
      outbox.settleFor(sender, message, { ...settlement, ...(tried.get(message) ?? { tookMs: 0 }) }, nowMs),
  }
}
