/** Work of the delivery loop on messages of alert rules: calls, and emails. */
import type { Clock } from '#base/clock.ts'
import type { ClaimedMessage, MessageQueue } from '#ports/messages.ts'
import type { ChannelAnswer } from './channels/channel-type.ts'
import type { LaneWork } from './notice-lane.ts'
import type { SendMessage } from './send-message.ts'

interface MessageWorkParts {
  readonly messages: MessageQueue
  readonly sendMessage: SendMessage
  readonly clock: Clock
}

export function messageWork(parts: MessageWorkParts): readonly LaneWork<ClaimedMessage>[] {
  return [messagesBy('call', parts), messagesBy('mail', parts)]
}

function messagesBy(
  by: 'mail' | 'call',
  { messages, sendMessage, clock }: MessageWorkParts,
): LaneWork<ClaimedMessage> {
  /** Details settled with a message beside its result. */
  const tried = new WeakMap<ClaimedMessage, { readonly tookMs: number; readonly thread?: string }>()
  return {
    pool: by,
    waiting: () => messages.waitingMessages(by),
    claim: (claim) => messages.claimMessages(claim),
    async send(message, signal) {
      const startMs = clock.elapsed()
      const { attempt, thread }: ChannelAnswer = await sendMessage({ ...message, signal })
      const tookMs = Math.round(clock.elapsed() - startMs)
      tried.set(message, { tookMs, ...(thread === undefined ? {} : { thread }) })
      return attempt
    },
    settle: (message, settlement, nowMs) =>
      messages.settleMessage(message, { ...settlement, ...(tried.get(message) ?? { tookMs: 0 }) }, nowMs),
  }
}
