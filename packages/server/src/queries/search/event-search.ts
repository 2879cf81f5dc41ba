/** The search above an issue's event table: text of the title and tags, in the language of `parse.ts`. */
import type { EventFilter } from '#ports/telemetry.ts'
import { parseSearch } from './parse.ts'

export interface EventSearch {
  readonly filter: Pick<EventFilter, 'tags' | 'text'>
  readonly problems: readonly string[]
}

export function parseEventSearch(query: string): EventSearch {
  const { tokens, problems } = parseSearch(query)
  const beyond = tokens.filter(
    ({ key, negated }) =>
      key === 'is' || key === 'assigned' || key === 'project' || (key === null && negated),
  )
  const words = tokens.filter(({ key, negated }) => key === null && !negated).map(({ value }) => value)
  const tags = tokens.flatMap(({ key, value, negated }) => {
    if (key === null) return []
    if (key === 'has') return [{ key: value, value: null, negated }]
    return [{ key, value: value === '*' ? null : value, negated }]
  })
  const notForEvents = beyond.map(
    ({ key }) => `${key === null ? 'Negated text' : `“${key}:”`} is not understood in a search for events.`,
  )
  // Words that stand together are looked for as one text.
  const text = words.join(' ')
  return { filter: { tags, ...(text === '' ? {} : { text }) }, problems: [...problems, ...notForEvents] }
}
