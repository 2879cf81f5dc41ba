/** Why an event has no payload, and how many events of an issue have one. Pure. */
import type { EventView, IssueView } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'

/** Says why an event's details are not there. `cap`: what the project keeps in an hour now; `null` for all. */
export function payloadText(
  state: EventView['payload'],
  cap: number | null,
): { readonly title: string; readonly detail: string } {
  if (state === 'missing') {
    return {
      title: 'This event’s details were deleted.',
      detail: 'Title, tags, time and release are still known.',
    }
  }
  const now = cap === null ? 'it now keeps all' : `now ${numberText(cap)}`
  return {
    title: 'This event’s details weren’t kept.',
    detail:
      `Its issue had more events in that hour than the project keeps details of (${now}). ` +
      'Title, tags, time and release are still known.',
  }
}

/** Describes what happens to details beyond the cap. */
export function samplingText(cap: number | null): string {
  const counted = 'Every event is counted and can be found by its tags.'
  if (cap === null) return `${counted} Details of busy hours were sampled; the project now keeps all.`
  return (
    `${counted} Beyond ${numberText(cap)} an hour, details of 1 event in 10 are kept, ` +
    `beyond ${numberText(10 * cap)} one in 100.`
  )
}

/** "12,431 events, 1,950 with details"; the second half only where the two differ. */
export function eventsText({
  eventCount,
  payloadCount,
}: Pick<IssueView['issue'], 'eventCount' | 'payloadCount'>): string {
  const events = quantityText(eventCount, 'event')
  return payloadCount >= eventCount ? events : `${events}, ${numberText(payloadCount)} with details`
}
