/** Texts of pages about a person. Pure. */
import type { PersonView } from '@errata/server/queries'
import { nameParts } from '#parts/person-name.ts'
import { quantityText } from '#ui/number-text.ts'

type Counted = Pick<PersonView, 'events' | 'traces' | 'others' | 'isTracesBounded' | 'isIssuesBounded'> & {
  readonly issues: number
  readonly projects: readonly unknown[]
}

/** Returns the one username, else the one email, that goes with an id: what people call somebody. Their own name without. */
export function calledName({ key, names }: Pick<PersonView, 'key' | 'names'>): string {
  if (!key.startsWith('id:')) return nameParts(key).name
  const [username, ...usernames] = names.filter(({ name }) => name.startsWith('username:'))
  const [email, ...emails] = names.filter(({ name }) => name.startsWith('email:'))
  const called =
    usernames.length === 0 && username !== undefined ? username : emails.length === 0 ? email : undefined
  return nameParts(called?.name ?? key).name
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
