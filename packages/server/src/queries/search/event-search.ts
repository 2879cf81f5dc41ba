/** The search above an issue's event table: text of the title, tags and people, in the language of `parse.ts`. */
import type { DetailCondition } from '#model/tag-condition.ts'
import type { EventConditions } from '#ports/telemetry.ts'
import type { SearchProblem, SearchToken } from '../types.ts'
import { DETAIL_OF_FIELD } from './asked-of-events.ts'
import { conditionOnDetail, eventTimes, personCondition, tagCondition } from './conditions.ts'
import { EVENT_GRAMMAR, type FieldFilter, tokenFilter } from './fields.ts'
import type { ParsedSearch, SearchTerms } from './parse.ts'
import { placeProblem } from './places.ts'
import type { MeantValues } from './release-terms.ts'
import { isMet, presenceProblems, simpleTerms, singleTerms } from './terms.ts'

export interface EventSearch {
  readonly filter: EventConditions
  readonly problems: readonly SearchProblem[]
}

interface Context {
  readonly meant: MeantValues
  readonly nowMs: number
}

export function readEventSearch(parsed: ParsedSearch, context: Context): EventSearch {
  const beyond = singleTerms(parsed.terms).filter((token) => !isOfEvents(eventFilter(token)))
  return {
    filter: eventConditions(simpleTerms(parsed.terms), context),
    problems: [
      ...parsed.problems,
      ...[
        ...presenceProblems(parsed.terms),
        ...beyond.map((token) => ({ message: notForEvents(token), token })),
      ].map((problem) => placeProblem(problem, parsed.places)),
    ].sort((one, other) => one.start - other.start),
  }
}

/** True for fields that events can be asked for. */
export function isOfEvents(filter: FieldFilter): boolean {
  if (filter.by === 'time') return filter.of === 'event'
  if (filter.by === 'field') return detailOfField(filter) !== null
  return ['text', 'tag', 'person', 'level', 'release', 'detail', 'constant'].includes(filter.by)
}

/** Returns the detail in which events say what a field of an issue says; `null` for what issues alone have. */
function detailOfField(filter: FieldFilter): string | null {
  if (filter.by !== 'field') return null
  return filter.field === 'category' ? filter.field : (DETAIL_OF_FIELD[filter.field] ?? null)
}

function detailConditions(token: SearchToken): readonly DetailCondition[] {
  const filter = eventFilter(token)
  const key = filter.by === 'detail' ? filter.detail : detailOfField(filter)
  return key === null ? [] : [conditionOnDetail(key, token)]
}

/** How a token filters events: an issue has its culprit among its words, an event in a column. */
function eventFilter(token: SearchToken): FieldFilter {
  return tokenFilter(token, EVENT_GRAMMAR)
}

function eventConditions({ tokens: typed, either }: SearchTerms, context: Context): EventConditions {
  const tokens = typed.map(asOfEvent)
  const words = (negated: boolean) =>
    tokens
      .filter((token) => eventFilter(token).by === 'text' && token.negated === negated)
      .map(({ value }) => value)
  // Words that stand together are looked for as one text.
  const text = words(false).join(' ')
  return {
    tags: tokens.flatMap((token) => tagCondition(token, context.meant)),
    people: tokens.flatMap(personCondition),
    details: tokens.flatMap(detailConditions),
    ...(text === '' ? {} : { text }),
    textNot: words(true),
    ...eventTimes(tokens, context.nowMs),
    either: [
      ...either.map((alternatives) => alternatives.map((terms) => eventConditions(terms, context))),
      // A choice of nothing: no event meets it.
      ...(tokens.every(isMet) ? [] : [[]]),
    ],
  }
}

/** Returns the token for events, whose level is a tag. */
function asOfEvent(token: SearchToken): SearchToken {
  return eventFilter(token).by === 'level' ? { ...token, isTag: true } : token
}

function notForEvents({ key }: SearchToken): string {
  return `${key === null ? 'This text' : `“${key}:”`} can’t be searched among events.`
}
