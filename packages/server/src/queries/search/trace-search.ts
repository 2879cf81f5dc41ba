/** Reads a search of traces: the language of the issue search, over segments. */
import { byWord } from '#base/by-word.ts'
import { SPANS } from '#kinds/span/fields.ts'
import { REQUEST_KINDS, type RequestKind } from '#model/event.ts'
import { tagFields } from '#model/fields.ts'
import type { RequestEnd } from '#model/span.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import { hasWildcard, literalText } from '#model/text-pattern.ts'
import { type SegmentConditions, WAITED_FOR } from '#ports/traces.ts'
import type { SearchToken } from '../types.ts'
import { readCompared } from './comparisons.ts'
import { personCondition } from './conditions.ts'
import { tokenFilter } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import { parseSearch } from './parse.ts'

/** Values of `is:`: how a segment ended, or that one query ran in it again and again. */
const STATES: Readonly<Record<string, SegmentConditions>> = byWord({
  'n+1': { repeats: true },
  failed: { ends: ['failed', 'failed-behind-200'] },
  aborted: { ends: ['aborted'] },
})

/** Keys that a search is completed by: the most asked for first. */
export const TRACE_KEYS: readonly string[] = [
  ...[
    'kind',
    'route',
    'is',
    'status',
    'duration',
    'action',
    'user',
    'op',
    'waits',
    'service',
    'issue',
    'environment',
    'release',
    'method',
  ],
  ...['browser', 'os', 'device', 'runtime', 'server_name', 'dist', 'has', 'trace'],
]

const KEYS: readonly string[] = [
  ...[
    'kind',
    'status',
    'failed',
    'duration',
    'op',
    'waits',
    'service',
    'issue',
    'trace',
    'is',
    'has',
    'method',
    'transaction',
  ],
  ...tagFields(SPANS).map(({ tag }) => tag),
]

/** Returns the key that may have been meant by one that no segment has. */
export function nearestTraceKey(key: string): string | null {
  return nearestWord(key, KEYS)
}

const DURATIONS: readonly string[] = ['>300ms', '>1s', '>3s', '<100ms']

/** Words that a key takes, with which nothing else is meant; `null`: its values are what requests have. */
export function traceWords(key: string): readonly string[] | null {
  switch (key) {
    case 'kind':
    case 'request_kind':
      return REQUEST_KINDS
    case 'status':
      return [...Object.keys(STATUSES), '404', '500', '5xx']
    case 'is':
      return Object.keys(STATES)
    case 'failed':
      return ['yes', 'no']
    case 'duration':
      return DURATIONS
    case 'waits':
      return WAITED_FOR
    case 'has':
      return tagFields(SPANS).map(({ tag }) => tag)
    default:
      return null
  }
}

/** Returns the terms of a search, in order, for the field that shows them. */
export function searchTokens(text: string): readonly SearchToken[] {
  return parseSearch(text, { ownStates: true }).tokens
}

/** Never throws: what it does not understand is said. */
export function readTraceSearch(text: string): {
  readonly conditions: SegmentConditions
  readonly problems: readonly string[]
} {
  const parsed = parseSearch(text, { ownStates: true })
  const problems = parsed.problems.map(({ message }) => message)
  if (parsed.terms.either.length > 0)
    problems.push('OR and parentheses work for issues and events, not for traces.')
  let conditions: SegmentConditions = {}
  for (const token of parsed.tokens) {
    const read = token.among === undefined ? readToken(token) : readList(token, token.among)
    if (typeof read === 'string') problems.push(read)
    else if (conditions.traceId !== undefined && read.traceId !== undefined)
      problems.push('trace: can be given only once.')
    else if (conditions.issue !== undefined && read.issue !== undefined)
      problems.push('issue: can be given only once.')
    else conditions = withAll(conditions, read)
  }
  return { conditions, problems }
}

/** Each term must hold: the same key twice asks for what both leave. */
function withAll(one: SegmentConditions, other: SegmentConditions): SegmentConditions {
  return {
    ...{ ...one, ...other },
    ...shared('kinds', one.kinds, other.kinds),
    ...shared('routes', one.routes, other.routes),
    ...shared('ends', one.ends, other.ends),
    ...shared('waitsFor', one.waitsFor, other.waitsFor),
    ...joined('services', one.services, other.services),
    ...joined('servicesAny', one.servicesAny, other.servicesAny),
    ...joined('either', one.either, other.either),
    ...joined('endsNot', one.endsNot, other.endsNot),
    ...joined('ops', one.ops, other.ops),
    ...joined('texts', one.texts, other.texts),
    ...joined('httpStatuses', one.httpStatuses, other.httpStatuses),
    ...joined('people', one.people, other.people),
    ...greatest('minDurationMs', one, other),
    ...greatest('aboveDurationMs', one, other),
    ...least('maxDurationMs', one, other),
    ...least('belowDurationMs', one, other),
    tags: [...(one.tags ?? []), ...(other.tags ?? [])],
  }
}

type Bounds = Pick<
  SegmentConditions,
  'minDurationMs' | 'aboveDurationMs' | 'maxDurationMs' | 'belowDurationMs'
>

function greatest(key: keyof Bounds, one: Bounds, other: Bounds) {
  const bounds = [one[key], other[key]].filter((bound) => bound !== undefined)
  return bounds.length === 0 ? {} : { [key]: Math.max(...bounds) }
}

function least(key: keyof Bounds, one: Bounds, other: Bounds) {
  const bounds = [one[key], other[key]].filter((bound) => bound !== undefined)
  return bounds.length === 0 ? {} : { [key]: Math.min(...bounds) }
}

type Values<T> = readonly T[] | undefined

function shared<K extends string, T>(key: K, one: Values<T>, other: Values<T>) {
  if (one === undefined || other === undefined) return {}
  return { [key]: one.filter((value) => other.includes(value)) }
}

function joined<K extends string, T>(key: K, one: Values<T>, other: Values<T>) {
  return one === undefined || other === undefined ? {} : { [key]: [...one, ...other] }
}

/** `kind:[document, action]`: any of the values; of a negated list none. */
function readList(token: SearchToken, values: readonly string[]): SegmentConditions | string {
  const reads = values.map((value) => readToken({ key: token.key, value, negated: token.negated }))
  const problem = reads.find((read) => typeof read === 'string')
  if (problem !== undefined) return problem
  const each = reads.filter((read) => typeof read !== 'string')
  if (token.negated) return each.reduce(withAll, {})
  const only = (name: keyof SegmentConditions) =>
    each.every((read) => Object.keys(read).length === 1 && read[name] !== undefined)
  if (only('kinds')) return { kinds: each.flatMap(({ kinds = [] }) => kinds) }
  if (only('waitsFor')) return { waitsFor: each.flatMap(({ waitsFor = [] }) => waitsFor) }
  if (only('ends')) return { ends: each.flatMap(({ ends = [] }) => ends) }
  if (only('services')) return { servicesAny: [each.flatMap(({ services = [] }) => services)] }
  if (only('tags')) return { either: [each.map(({ tags = [] }) => ({ tags }))] }
  if (only('people')) return { either: [each.map(({ people = [] }) => ({ people }))] }
  return `A list works for kind, service, waits, user and tags, not for ${token.key ?? 'text'}.`
}

const IMPLIED = new Set(tagFields(SPANS).map(({ tag }) => tag))

function readToken(token: SearchToken): SegmentConditions | string {
  const { key, value, negated } = token
  if (key === null) return wordCondition(value, negated)
  if (token.isTag === true) return otherCondition(token, key)
  switch (key.toLowerCase()) {
    case 'kind':
    case 'request_kind':
      return kindCondition(value, negated)
    case 'status':
    case 'http.status':
    case 'http.status_code':
    case 'http.response.status_code':
      return statusCondition(value, negated)
    case 'failed':
      return failedCondition(value, negated)
    case 'method':
      return tagCondition('http.method', value.toUpperCase(), negated)
    case 'transaction':
      return negated ? 'transaction can’t be negated.' : { texts: [value] }
    case 'duration':
      return durationCondition(value, negated)
    case 'op':
    case 'span.op':
      return negated ? 'op can’t be negated.' : { ops: [value] }
    case 'trace':
      return negated ? 'trace can’t be negated.' : { traceId: traceIdOf(value) }
    case 'is':
      return stateCondition(value, negated)
    case 'waits':
      return waitCondition(value, negated)
    case 'service':
      return { services: [{ name: value, negated }] }
    case 'issue':
      return negated ? 'issue can’t be negated.' : { issue: value }
    case 'project':
      return 'project: choose it beside the search.'
    case 'route':
      return !negated && !hasWildcard(value)
        ? { routes: [literalText(value)] }
        : tagCondition('route', value, negated)
    default:
      return otherCondition(token, key)
  }
}

/**
 * Returns the condition of another term. What the issue search gives a meaning that traces lack is not a tag
 * either.
 */
function otherCondition(token: SearchToken, key: string): SegmentConditions | string {
  const filter = tokenFilter(token)
  const people = personCondition(token)
  if (people.length > 0) return { people }
  if (filter.by === 'tag') return tagCondition(filter.tag, token.value, token.negated)
  if (IMPLIED.has(key)) return tagCondition(key, token.value, token.negated)
  if (filter.by === 'presence') return { tags: [{ key: token.value, value: null, negated: token.negated }] }
  return `${key} is for issues and not known of traces.`
}

const TRACE_ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

function traceIdOf(text: string): string {
  return text.toLowerCase().replaceAll('-', '')
}

function wordCondition(value: string, negated: boolean): SegmentConditions | string {
  if (negated) return `“!${value}”: words of a name can’t be excluded.`
  return TRACE_ID.test(value) ? { traceId: traceIdOf(value) } : { texts: [value] }
}

function stateCondition(value: string, negated: boolean): SegmentConditions | string {
  const state = Object.hasOwn(STATES, value) ? STATES[value] : undefined
  if (state === undefined) return `is takes one of ${Object.keys(STATES).join(', ')} in a search of traces.`
  if (!negated) return state
  return state.ends === undefined ? `is:${value} can’t be negated.` : { endsNot: state.ends }
}

function waitCondition(value: string, negated: boolean): SegmentConditions | string {
  const wanted = WAITED_FOR.find((known) => known === value.toLowerCase())
  if (wanted === undefined) return `waits takes one of ${WAITED_FOR.join(', ')}.`
  return { waitsFor: negated ? WAITED_FOR.filter((known) => known !== wanted) : [wanted] }
}

const ANSWERS: Readonly<Record<string, boolean>> = byWord({ yes: true, true: true, no: false, false: false })

function failedCondition(value: string, negated: boolean): SegmentConditions | string {
  const isFailed = Object.hasOwn(ANSWERS, value.toLowerCase()) ? ANSWERS[value.toLowerCase()] : undefined
  if (isFailed === undefined) return 'failed takes yes or no.'
  return stateCondition('failed', negated === isFailed)
}

function tagCondition(key: string, value: string, negated: boolean): SegmentConditions {
  const condition: TagCondition = { key, value, negated }
  return { tags: [condition] }
}

function kindCondition(value: string, negated: boolean): SegmentConditions | string {
  const kind = REQUEST_KINDS.find((known) => known === value.toLowerCase().replaceAll(' ', '-'))
  if (kind === undefined) return `kind takes one of ${REQUEST_KINDS.join(', ')}.`
  const kinds: readonly RequestKind[] = [kind]
  return negated ? tagCondition('request_kind', kind, true) : { kinds }
}

const STATUSES: Readonly<Record<string, readonly RequestEnd[]>> = byWord({
  ok: ['answered'],
  failed: ['failed', 'failed-behind-200'],
  'failed-behind-200': ['failed-behind-200'],
  aborted: ['aborted'],
})

/** A code, or a hundred of them: `404`, `5xx`. */
const HTTP_STATUS = /^([1-5])(\d\d|xx)$/i

function statusCondition(value: string, negated: boolean): SegmentConditions | string {
  const [, hundred, rest = ''] = HTTP_STATUS.exec(value) ?? []
  if (hundred !== undefined) {
    const isOne = rest.toLowerCase() !== 'xx'
    const from = Number(`${hundred}${isOne ? rest : '00'}`)
    return { httpStatuses: [{ from, to: isOne ? from : from + 99, negated }] }
  }
  const ends = Object.hasOwn(STATUSES, value) ? STATUSES[value] : undefined
  if (ends === undefined)
    return `status takes one of ${Object.keys(STATUSES).join(', ')}, or a code such as 500 or 5xx.`
  return negated ? { endsNot: ends } : { ends }
}

/** A bound without a sign is the least: long requests are what people look for. */
function durationCondition(value: string, negated: boolean): SegmentConditions | string {
  const read = readCompared(value, 'duration')
  if (read === null || negated) return 'duration takes a bound such as >500ms or <=2s.'
  switch (read.sign) {
    case '>':
      return { aboveDurationMs: read.value }
    case '<':
      return { belowDurationMs: read.value }
    case '<=':
      return { maxDurationMs: read.value }
    case '=':
      return { minDurationMs: read.value, maxDurationMs: read.value }
    default:
      return { minDurationMs: read.value }
  }
}
