/** Why an event has no payload, and how many events of an issue have one. Pure. */
import type { EventView, IssueView } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'

/** `cap`: what the project keeps in an hour by now; `null` for all. */
export function payloadText(
  state: EventView['payload'],
  cap: number | null,
): { readonly title: string; readonly detail: string } {
  if (state === 'missing') {
    return {
      title: 'The payload of this event is not there any more.',
      detail: 'What is shown was kept apart from it: title, tags, time and release.',
    }
  }
  const now = cap === null ? 'by now it keeps all' : `by now ${numberText(cap)}`
  return {
    title: 'The payload of this event was not kept.',
    detail:
      `In that hour its issue had more events than the project keeps payloads of (${now}). ` +
      'What is shown was kept apart from it: title, tags, time and release.',
  }
}

/** What becomes of payloads beyond the cap. */
export function samplingText(cap: number | null): string {
  const counted = 'Every event is counted and found by its tags.'
  if (cap === null) return `${counted} The project sampled payloads of busy hours; by now it keeps all.`
  return (
    `${counted} Beyond ${numberText(cap)} an hour, one payload in 10 is kept, ` +
    `beyond ${numberText(10 * cap)} one in 100.`
  )
}

/** "12,431 events, 1,950 with payload"; the second half only where the two differ. */
export function eventsText({
  eventCount,
  payloadCount,
}: Pick<IssueView['issue'], 'eventCount' | 'payloadCount'>): string {
  const events = quantityText(eventCount, 'event')
  return payloadCount >= eventCount ? events : `${events}, ${numberText(payloadCount)} with payload`
}
