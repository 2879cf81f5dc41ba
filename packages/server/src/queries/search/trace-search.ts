/** Reads a search of traces: the language of the issue search, over segments. */
import type { SegmentConditions } from '#ports/traces.ts'
import type { SearchToken } from '../types.ts'
import { personCondition } from './conditions.ts'
import { tokenFilter } from './fields.ts'
import { parseSearch } from './parse.ts'
import { isTraceId, isTraceTag, TRACE_GRAMMAR, tagOfTraces, traceFieldOf, traceIdOf } from './trace-fields.ts'

/** Returns the terms of a search, in order, for the field that shows them. */
export function searchTokens(text: string): readonly SearchToken[] {
  return parseSearch(text, { grammar: TRACE_GRAMMAR }).tokens
}

/** Never throws: what it does not understand is said. */
export function readTraceSearch(text: string): {
  readonly conditions: SegmentConditions
  readonly problems: readonly string[]
} {
  const parsed = parseSearch(text, { grammar: TRACE_GRAMMAR })
  const problems = parsed.problems.map(({ message }) => message)
  if (parsed.terms.either.length > 0)
    problems.push('OR and parentheses work for issues and events, not for traces.')
  let conditions: SegmentConditions = {}
  for (const token of parsed.tokens) {
    const read = token.among === undefined ? readTraceToken(token) : readTraceList(token, token.among)
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
    ...sharedValues('kinds', one.kinds, other.kinds),
    ...sharedValues('routes', one.routes, other.routes),
    ...sharedValues('ends', one.ends, other.ends),
    ...sharedValues('waitsFor', one.waitsFor, other.waitsFor),
    ...joinValues('services', one.services, other.services),
    ...joinValues('servicesAny', one.servicesAny, other.servicesAny),
    ...joinValues('either', one.either, other.either),
    ...joinValues('endsNot', one.endsNot, other.endsNot),
    ...joinValues('ops', one.ops, other.ops),
    ...joinValues('texts', one.texts, other.texts),
    ...joinValues('httpStatuses', one.httpStatuses, other.httpStatuses),
    ...joinValues('people', one.people, other.people),
    ...greatestBound('minDurationMs', one, other),
    ...greatestBound('aboveDurationMs', one, other),
    ...leastBound('maxDurationMs', one, other),
    ...leastBound('belowDurationMs', one, other),
    tags: [...(one.tags ?? []), ...(other.tags ?? [])],
  }
}

type Bounds = Pick<
  SegmentConditions,
  'minDurationMs' | 'aboveDurationMs' | 'maxDurationMs' | 'belowDurationMs'
>

function greatestBound(key: keyof Bounds, one: Bounds, other: Bounds) {
  const bounds = [one[key], other[key]].filter((bound) => bound !== undefined)
  return bounds.length === 0 ? {} : { [key]: Math.max(...bounds) }
}

function leastBound(key: keyof Bounds, one: Bounds, other: Bounds) {
  const bounds = [one[key], other[key]].filter((bound) => bound !== undefined)
  return bounds.length === 0 ? {} : { [key]: Math.min(...bounds) }
}

type Values<T> = readonly T[] | undefined

function sharedValues<K extends string, T>(key: K, one: Values<T>, other: Values<T>) {
  if (one === undefined || other === undefined) return {}
  return { [key]: one.filter((value) => other.includes(value)) }
}

function joinValues<K extends string, T>(key: K, one: Values<T>, other: Values<T>) {
  return one === undefined || other === undefined ? {} : { [key]: [...one, ...other] }
}

/** `kind:[document, action]`: any of the values; of a negated list none. */
function readTraceList(token: SearchToken, values: readonly string[]): SegmentConditions | string {
  const reads = values.map((value) => readTraceToken({ key: token.key, value, negated: token.negated }))
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

function readTraceToken(token: SearchToken): SegmentConditions | string {
  const { key, value, negated } = token
  if (key === null) return wordCondition(value, negated)
  const read = token.isTag === true ? null : (traceFieldOf(key)?.read ?? null)
  return read === null ? otherCondition(token, key) : read(value, negated)
}

/**
 * Returns the condition of another term. What the issue search gives a meaning that traces lack is not a tag
 * either.
 */
function otherCondition(token: SearchToken, key: string): SegmentConditions | string {
  if (key === 'project' && token.isTag !== true) return 'project: choose it beside the search.'
  const filter = tokenFilter(token)
  const people = personCondition(token)
  if (people.length > 0) return { people }
  if (filter.by === 'tag') return tagOfTraces(filter.tag, token.value, token.negated)
  if (isTraceTag(key)) return tagOfTraces(key, token.value, token.negated)
  if (filter.by === 'presence') return presenceCondition(token)
  return `${key} is for issues and not known of traces.`
}

/** Requests have any value of a tag, or a person; what each has, or none, is said. */
function presenceCondition({ value: name, negated }: SearchToken): SegmentConditions | string {
  const field = TRACE_GRAMMAR.fieldOf(name)
  const filter = field?.filter ?? null
  if (filter?.by === 'person') {
    const people = personCondition({ key: name, value: '*', negated })
    return people.length > 0 ? { people } : tagOfTracesPresent('user', negated)
  }
  if (field === null || isTraceTag(name)) return tagOfTracesPresent(name, negated)
  if (filter?.by === 'tag') return tagOfTracesPresent(filter.tag, negated)
  if (field.name === 'method') return tagOfTracesPresent('http.method', negated)
  return `“has:${name}” can’t be searched among traces; a tag of that name is tags[${name}]:*.`
}

function tagOfTracesPresent(key: string, negated: boolean): SegmentConditions {
  return { tags: [{ key, value: null, negated }] }
}

function wordCondition(value: string, negated: boolean): SegmentConditions | string {
  if (negated) return `“!${value}”: words of a name can’t be excluded.`
  return isTraceId(value) ? { traceId: traceIdOf(value) } : { texts: [value] }
}
