/** Numbers of the log of alerts. */
import type { MessageState } from '#ports/messages.ts'

export function countsByState(
  counts: readonly { readonly state: MessageState; readonly count: number }[],
): Readonly<Record<MessageState, number>> {
  const sums = { waiting: 0, sending: 0, sent: 0, failed: 0, cancelled: 0, gathered: 0 }
  for (const { state, count } of counts) sums[state] += count
  return sums
}
