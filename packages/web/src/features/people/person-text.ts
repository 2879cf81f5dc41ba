/** Texts of pages about a person. Pure. */
import type { PersonView } from '@errata/server/queries'
import { quantityText } from '#ui/number-text.ts'

type Counted = Pick<PersonView, 'events' | 'traces' | 'others' | 'isTracesBounded' | 'isIssuesBounded'> & {
  readonly issues: number
  readonly projects: readonly unknown[]
}

/** Returns `18 events, 2 traces, 6 issues in 2 projects`: what has none is left out. */
export function dataText({
  events,
  traces,
  others,
  issues,
  projects,
  isTracesBounded,
  isIssuesBounded,
}: Counted): string {
  const parts = [
    ...(events === 0 ? [] : [quantityText(events, 'event')]),
    ...(traces === 0 ? [] : [atLeast(quantityText(traces, 'trace'), isTracesBounded)]),
    ...(others === 0 ? [] : [quantityText(others, 'other item')]),
    ...(issues === 0 ? [] : [atLeast(quantityText(issues, 'issue'), isIssuesBounded)]),
  ]
  if (parts.length === 0) return 'nothing'
  return `${parts.join(', ')} in ${quantityText(projects.length, 'project')}`
}

/** Returns `18 events and 2 traces`: what a deletion takes. */
export function deletedText({
  events,
  traces,
  others,
  isTracesBounded,
}: Pick<Counted, 'events' | 'traces' | 'others' | 'isTracesBounded'>): string {
  const parts = [
    ...(events === 0 ? [] : [quantityText(events, 'event')]),
    ...(traces === 0 ? [] : [atLeast(quantityText(traces, 'trace'), isTracesBounded)]),
    ...(others === 0 ? [] : [quantityText(others, 'other item')]),
  ]
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

function atLeast(text: string, isBounded: boolean): string {
  return isBounded ? `at least ${text}` : text
}
