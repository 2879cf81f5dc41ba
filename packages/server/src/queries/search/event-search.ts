/** The search above an issue's event table: text of the title, tags and people, in the language of `parse.ts`. */
import type { EventFilter } from '#ports/telemetry.ts'
import type { SearchToken } from '../types.ts'
import { personCondition, tagCondition, withoutPresence } from './conditions.ts'
import { type FieldFilter, filterOf } from './fields.ts'
import { parseSearch } from './parse.ts'
import type { ReleasesMeant } from './release-terms.ts'

export interface EventSearch {
  readonly filter: Pick<EventFilter, 'tags' | 'people' | 'text'>
  readonly problems: readonly string[]
}

/** What events can be asked for. */
const OF_EVENTS: readonly FieldFilter['by'][] = ['text', 'tag', 'person', 'level', 'release']

export function parseEventSearch(query: string, meant: ReleasesMeant): EventSearch {
  const parsed = parseSearch(query)
  const tokens = withoutPresence(parsed.tokens)
  const beyond = tokens.filter((token) => {
    const { by } = filterOf(token)
    return !OF_EVENTS.includes(by) || (by === 'text' && token.negated)
  })
  const words = tokens.filter((token) => filterOf(token).by === 'text').map(({ value }) => value)
  // Words that stand together are looked for as one text.
  const text = words.join(' ')
  return {
    filter: {
      tags: tokens.map(asTag).flatMap((token) => tagCondition(token, meant)),
      people: tokens.flatMap(personCondition),
      ...(text === '' ? {} : { text }),
    },
    problems: [...parsed.problems, ...beyond.map(notForEvents)],
  }
}

/** Of an event the level is a tag like any other. */
function asTag(token: SearchToken): SearchToken {
  return filterOf(token).by === 'level' ? { ...token, isTag: true } : token
}

function notForEvents({ key }: SearchToken): string {
  return `${key === null ? 'Negated text' : `“${key}:”`} can’t be searched among events.`
}
