/** What a search of traces says: the language of the issue search, over what segments say. */
import { SPANS } from '#kinds/span/fields.ts'
import { REQUEST_KINDS, type RequestKind } from '#model/event.ts'
import { tagFields } from '#model/fields.ts'
import type { RequestEnd } from '#model/span.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import { hasWildcard } from '#model/text-pattern.ts'
import type { SegmentConditions } from '#ports/traces.ts'
import type { SearchToken } from '../types.ts'
import { filterOf } from './fields.ts'
import { parseSearch } from './parse.ts'

/** Of a segment in which one query ran again and again. */
const REPEATS = 'n+1'

/** Never throws: what it does not understand is said. */
export function readTraceSearch(text: string): {
  readonly conditions: SegmentConditions
  readonly problems: readonly string[]
} {
  const parsed = parseSearch(text, { states: [REPEATS] })
  const problems = parsed.problems.map(({ message }) => message)
  const hasChoice = parsed.terms.either.length > 0 || parsed.tokens.some(({ among }) => among !== undefined)
  if (hasChoice) problems.push('OR, parentheses and lists are for issues and events.')
  let conditions: SegmentConditions = {}
  for (const token of parsed.tokens) {
    const read = readToken(token)
    if (typeof read === 'string') problems.push(read)
    else conditions = withAll(conditions, read)
  }
  if (parsed.tokens.filter(({ key }) => key?.toLowerCase() === 'trace').length > 1)
    problems.push('trace can be named once.')
  return { conditions, problems }
}

/** Each term must hold: the same key twice asks for what both leave. */
function withAll(one: SegmentConditions, other: SegmentConditions): SegmentConditions {
  const { minDurationMs = other.minDurationMs, maxDurationMs = other.maxDurationMs } = one
  return {
    ...{ ...one, ...other },
    ...shared('kinds', one.kinds, other.kinds),
    ...shared('routes', one.routes, other.routes),
    ...shared('ends', one.ends, other.ends),
    ...joined('endsNot', one.endsNot, other.endsNot),
    ...joined('ops', one.ops, other.ops),
    ...joined('texts', one.texts, other.texts),
    ...(minDurationMs === undefined
      ? {}
      : { minDurationMs: Math.max(minDurationMs, other.minDurationMs ?? 0) }),
    ...(maxDurationMs === undefined
      ? {}
      : { maxDurationMs: Math.min(maxDurationMs, other.maxDurationMs ?? Number.POSITIVE_INFINITY) }),
    tags: [...(one.tags ?? []), ...(other.tags ?? [])],
  }
}

type Values<T> = readonly T[] | undefined

function shared<K extends string, T>(key: K, one: Values<T>, other: Values<T>) {
  if (one === undefined || other === undefined) return {}
  return { [key]: one.filter((value) => other.includes(value)) }
}

function joined<K extends string, T>(key: K, one: Values<T>, other: Values<T>) {
  return one === undefined || other === undefined ? {} : { [key]: [...one, ...other] }
}

const IMPLIED = new Set(tagFields(SPANS).map(({ tag }) => tag))

function readToken(token: SearchToken): SegmentConditions | string {
  const { key, value, negated } = token
  if (key === null) return negated ? `“!${value}”: words of a name can’t be left out.` : { texts: [value] }
  switch (key.toLowerCase()) {
    case 'kind':
    case 'request_kind':
      return kindCondition(value, negated)
    case 'status':
      return statusCondition(value, negated)
    case 'duration':
      return durationCondition(value, negated)
    case 'op':
    case 'span.op':
      return negated ? 'op can’t be negated.' : { ops: [value] }
    case 'trace':
      return negated ? 'trace can’t be negated.' : { traceId: value.toLowerCase().replaceAll('-', '') }
    case 'is':
      return value === REPEATS && !negated
        ? { repeats: true }
        : `is:${value} is for issues; traces know is:${REPEATS}.`
    case 'route':
      return !negated && !hasWildcard(value) ? { routes: [value] } : tagCondition('route', value, negated)
    default:
      return otherCondition(token, key)
  }
}

/** What the issue search gives a meaning that traces lack is no tag either. */
function otherCondition(token: SearchToken, key: string): SegmentConditions | string {
  const filter = filterOf(token)
  if (filter.by === 'tag') return tagCondition(filter.tag, token.value, token.negated)
  if (IMPLIED.has(key)) return tagCondition(key, token.value, token.negated)
  if (filter.by === 'presence') return { tags: [{ key: token.value, value: null, negated: token.negated }] }
  return `${key} is for issues and not known of traces.`
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

const STATUSES: Readonly<Record<string, readonly RequestEnd[]>> = {
  ok: ['answered'],
  failed: ['failed', 'failed-behind-200'],
  'failed-behind-200': ['failed-behind-200'],
  aborted: ['aborted'],
}

function statusCondition(value: string, negated: boolean): SegmentConditions | string {
  const ends = Object.hasOwn(STATUSES, value) ? STATUSES[value] : undefined
  if (ends === undefined) return `status takes one of ${Object.keys(STATUSES).join(', ')}.`
  return negated ? { endsNot: ends } : { ends }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, '': 1 }
const DURATION = /^(>=?|<=?)?(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)?$/

function durationCondition(value: string, negated: boolean): SegmentConditions | string {
  const [, sign = '>=', digits, unit = ''] = DURATION.exec(value) ?? []
  if (digits === undefined || negated) return 'duration takes a bound such as >500ms or <=2s.'
  const ms = Number(digits) * (UNITS[unit] ?? 1)
  return sign.startsWith('>') ? { minDurationMs: ms } : { maxDurationMs: ms }
}
