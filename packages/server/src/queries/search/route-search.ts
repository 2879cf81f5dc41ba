/** Reads a search of routes: words of their names, their kind, and bounds on their figures. */
import { REQUEST_KINDS } from '#model/event.ts'
import { hasWildcard, literalText, patternTest, withOwnStars } from '#model/text-pattern.ts'
import type { RouteFigures } from '#ports/requests.ts'
import type { SearchToken, Suggestion } from '../search-words.ts'
import { DURATION_OFFERS, isCompared, readCompared } from './comparisons.ts'
import { fieldOf, grammarOf, ownField, SEARCH_FIELDS, type SearchField } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import { parseSearch } from './parse.ts'

type Row = Pick<RouteFigures, 'route' | 'kind'> &
  Pick<RouteFigures, 'count' | 'failed' | 'failedBehind200' | 'aborted'> &
  Pick<RouteFigures, 'p50Ms' | 'p75Ms' | 'p95Ms' | 'p99Ms'>

interface RouteSearch {
  /** Whether a route by its kind is meant. */
  readonly matches: (row: Row) => boolean
  /** The same of what has no figures of its own, by its name alone. */
  readonly isNamed: (route: string) => boolean
  /** Sentences about parts that were not understood. */
  readonly problems: readonly string[]
}

/** A figure of a route that bounds are put on. */
interface Figure {
  readonly of: (row: Row) => number | null
  readonly unit: 'duration' | 'percent' | 'count'
}

interface RouteField {
  readonly field: SearchField
  readonly test: (token: SearchToken) => Test | string
  /** Values that complete it; `null`: routes that are known. */
  readonly offers: readonly string[] | null
}

/** By the names that the table heads its columns with, the most asked for first. */
const ROUTE_FIELDS: readonly RouteField[] = [
  { ...ofAll('kind'), test: ({ value, negated }) => kindTest(value, negated), offers: REQUEST_KINDS },
  { ...ofAll('route'), test: routeTest, offers: null },
  durationField('p95', ({ p95Ms }) => p95Ms),
  figure(
    'failures',
    { unit: 'percent', of: (row) => (row.count === 0 ? 0 : (row.failed / row.count) * 100) },
    ['>0%', '>1%', '>2%', '>10%'],
  ),
  countField('requests', (row) => row.count, ['>100', '>1000', '>10000']),
  durationField('p50', ({ p50Ms }) => p50Ms),
  durationField('p75', ({ p75Ms }) => p75Ms),
  durationField('p99', ({ p99Ms }) => p99Ms),
  countField('failed', (row) => row.failed, ['>0', '>10', '>100']),
  countField('behind200', (row) => row.failedBehind200, ['>0', '>10']),
  countField('aborted', (row) => row.aborted, ['>0', '>10']),
]

/** A field that all searches have. */
function ofAll(name: string): Pick<RouteField, 'field'> {
  return { field: fieldOf(name) ?? ownField(name) }
}

function figure(name: string, of: Figure, offers: readonly string[]): RouteField {
  return { field: ownField(name), test: (token) => figureTest(name, of, token), offers }
}

function durationField(name: string, of: Figure['of']): RouteField {
  return figure(name, { of, unit: 'duration' }, DURATION_OFFERS)
}

function countField(name: string, of: Figure['of'], offers: readonly string[]): RouteField {
  return figure(name, { of, unit: 'count' }, offers)
}

const BY_NAME = new Map(ROUTE_FIELDS.map((one) => [one.field.name, one]))
const KEYS: readonly string[] = [...BY_NAME.keys()]

/** Searches of routes. What only issues have is known, so that it can be said; states are not known at all. */
const ROUTE_GRAMMAR = grammarOf([...ROUTE_FIELDS.map(({ field }) => field), ownField('is'), ...SEARCH_FIELDS])

/** A term with a key; a route such as `/:id` has none. */
const TERM = /(?:^|\s)!?[a-z][\w.]*:/i

/** Never throws. What has no key is part of a route as it is typed, whatever signs routes are written with. */
export function readRouteSearch(text: string): RouteSearch {
  if (!TERM.test(text)) return joinTests([nameTest(withOwnStars(text.trim()))], [])
  const parsed = parseSearch(text, { grammar: ROUTE_GRAMMAR })
  const problems = parsed.problems.map(({ message }) => message)
  const hasChoice = parsed.terms.either.length > 0 || parsed.tokens.some(({ among }) => among !== undefined)
  if (hasChoice) problems.push('OR, parentheses and lists are for issues and events.')
  const tests: Test[] = []
  for (const token of hasChoice ? [] : parsed.tokens) {
    const read = readRouteToken(token)
    if (typeof read === 'string') problems.push(read)
    else tests.push(read)
  }
  return joinTests(tests, problems)
}

/** Test of a name, or of the whole row. */
interface Test {
  readonly name?: (route: string) => boolean
  readonly row?: (row: Row) => boolean
}

function joinTests(tests: readonly Test[], problems: readonly string[]): RouteSearch {
  const isNamed = (route: string) => tests.every(({ name }) => name === undefined || name(route))
  return {
    ...{ isNamed, problems },
    matches: (row) => isNamed(row.route) && tests.every((test) => test.row === undefined || test.row(row)),
  }
}

function readRouteToken(token: SearchToken): Test | string {
  const { key, value, negated } = token
  if (key === null) return nameTest(value, negated)
  const known = BY_NAME.get(key === 'transaction' ? 'route' : key)
  return known === undefined ? unknownKey(key) : known.test(token)
}

function routeTest({ value, negated }: SearchToken): Test {
  const isOf = patternTest(value)
  return { name: (route) => isOf(route) !== negated }
}

function nameTest(text: string, negated = false): Test {
  const wanted = text.toLowerCase()
  const isOf = patternTest(`*${wanted}*`)
  const has = hasWildcard(wanted)
    ? (route: string) => isOf(route.toLowerCase())
    : (route: string) => route.toLowerCase().includes(literalText(wanted))
  return { name: (route) => has(route) !== negated }
}

function kindTest(value: string, negated: boolean): Test | string {
  const wanted = REQUEST_KINDS.find((known) => known === value.toLowerCase().replaceAll(' ', '-'))
  if (wanted === undefined) return `kind takes one of ${REQUEST_KINDS.join(', ')}.`
  return { row: ({ kind }) => (kind === wanted) !== negated }
}

function unknownKey(key: string): string {
  const nearest = nearestWord(key, KEYS)
  const known = nearest === null ? `Known are ${KEYS.join(', ')}.` : `Did you mean ${nearest}?`
  return `${key} is not known of routes. ${known}`
}

const TAKES: Readonly<Record<Figure['unit'], string>> = {
  duration: 'a bound such as >1s or <=300ms',
  percent: 'a bound such as >2% or <=0.5%',
  count: 'a bound such as >100 or <=5',
}

function figureTest(name: string, { of, unit }: Figure, { value, negated }: SearchToken): Test | string {
  const read = readCompared(value, unit === 'count' ? 'number' : unit)
  const sign = read?.sign ?? null
  if (read === null || sign === null || sign === '=' || read.value < 0 || negated)
    return `${name} takes ${TAKES[unit]}.`
  return {
    row: (row) => {
      const figure = of(row)
      return figure !== null && isCompared(figure, sign, read.value)
    },
  }
}

/** Completes such a search: keys, or values of one. `routes` are those known. */
export function routeSearchOffers(
  { key, prefix }: { readonly key: string | null; readonly prefix: string },
  routes: readonly string[],
): readonly Suggestion[] {
  const typed = prefix.toLowerCase()
  return offersOf(key, routes)
    .filter((text) => text.toLowerCase().startsWith(typed))
    .slice(0, OFFERS_MAX)
    .map((text) => ({ text, count: null }))
}

const OFFERS_MAX = 20

function offersOf(key: string | null, routes: readonly string[]): readonly string[] {
  if (key === null) return KEYS
  const known = BY_NAME.get(ROUTE_GRAMMAR.fieldOf(key)?.name ?? key)
  return known === undefined ? [] : (known.offers ?? routes)
}
