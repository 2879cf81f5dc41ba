/** Builds conditions of single terms, for issues and events alike. Pure. */

import type { ProjectId } from '#base/ids.ts'
import { personName } from '#model/person-name.ts'
import type { DetailCondition, PersonCondition, TagCondition } from '#model/tag-condition.ts'
import type { IssueCountCondition, IssueFieldCondition, IssueTimeCondition } from '#ports/issues.ts'
import type { SearchToken, TimeRange } from '../types.ts'
import { countRange, isPersonName, PERSON_NAMES, type PersonNameKind, tokenFilter } from './fields.ts'
import type { MeantValues } from './release-terms.ts'
import { type TimeBounds, timeBounds } from './time-terms.ts'

/** `user:*` is answered by the tag too: who it is does not matter. */
export function tagCondition(token: SearchToken, meant: MeantValues): readonly TagCondition[] {
  const { key, value, negated } = token
  const filter = tokenFilter(token)
  if (filter.by === 'state' && value === 'unhandled') return [{ key: 'handled', value: 'no', negated }]
  if (isAnybody(token)) return [{ key: 'user', value: null, negated }]
  const values = filter.by === 'field' ? null : meant(token)
  if (values !== null) return [{ key: filter.by === 'tag' ? filter.tag : 'release', value: values, negated }]
  if (filter.by !== 'tag' || key === null) return []
  return [{ key: filter.tag, value: value === '*' ? null : (filter.meaning?.[value] ?? value), negated }]
}

/** Several values that are unwanted together, in each of the projects: `!release:[1.0, latest]`. */
export function unwantedTags(
  { among = [], ...token }: SearchToken,
  projects: readonly ProjectId[],
  meant: MeantValues,
): readonly TagCondition[] {
  const each = among.flatMap((value) => tagCondition({ ...token, value }, meant))
  const [first] = each
  if (first === undefined) return []
  const value = each.flatMap((one) =>
    typeof one.value === 'string'
      ? projects.map((projectId) => ({ projectId, value: String(one.value) }))
      : (one.value ?? []),
  )
  return [{ key: first.key, value, negated: true }]
}

export function detailCondition(token: SearchToken): readonly DetailCondition[] {
  const filter = tokenFilter(token)
  return filter.by === 'detail' ? [conditionOnDetail(filter.detail, token)] : []
}

/** Returns the condition of a token on a detail; a star alone asks for any value. */
export function conditionOnDetail(key: string, { value, negated }: SearchToken): DetailCondition {
  return { key, value: value === '*' ? null : value, negated }
}

/** Returns conditions on an issue's whole life. */
export function issueTime(token: SearchToken, nowMs: number): readonly IssueTimeCondition[] {
  const filter = tokenFilter(token)
  const bounds = tokenBounds(token, nowMs)
  if (filter.by !== 'time' || filter.of === 'event' || bounds === null) return []
  return [{ of: filter.of, ...bounds, negated: token.negated }]
}

/** Returns the time range left by all terms together. */
export function eventTimes(tokens: readonly SearchToken[], nowMs: number): Partial<TimeRange> {
  const bounds = tokens.flatMap((token) => {
    const filter = tokenFilter(token)
    return filter.by === 'time' && filter.of === 'event' ? (tokenBounds(token, nowMs) ?? []) : []
  })
  const from = bounds.flatMap(({ fromMs }) => fromMs ?? [])
  const until = bounds.flatMap(({ untilMs }) => untilMs ?? [])
  return {
    ...(from.length === 0 ? {} : { startMs: Math.max(...from) }),
    ...(until.length === 0 ? {} : { endMs: Math.min(...until) }),
  }
}

function tokenBounds({ key, value }: SearchToken, nowMs: number): TimeBounds | null {
  return timeBounds(value, { nowMs, isAge: key === 'age' })
}

export function personCondition(token: SearchToken): readonly PersonCondition[] {
  const { value, negated } = token
  const filter = tokenFilter(token)
  if (filter.by !== 'person' || isAnybody(token)) return []
  const [kind = '', ...rest] = value.split(':')
  // `user:id:42` says which of the names is meant.
  if (filter.names.length > 1 && isPersonName(kind) && rest.length > 0) {
    return [{ names: [nameAs(kind, rest.join(':'))], negated }]
  }
  return [{ names: filter.names.map((name) => nameAs(name, value)), negated }]
}

function isAnybody(token: SearchToken): boolean {
  const filter = tokenFilter(token)
  return filter.by === 'person' && filter.names.length === PERSON_NAMES.length && token.value === '*'
}

/** Emails are kept in lower case. */
function nameAs(kind: PersonNameKind, value: string): string {
  return personName(kind, kind === 'email' ? value.toLowerCase() : value)
}

export function issueField(token: SearchToken, meant: MeantValues): readonly IssueFieldCondition[] {
  const filter = tokenFilter(token)
  if (filter.by !== 'field') return []
  return [{ field: filter.field, value: meant(token) ?? token.value, negated: token.negated }]
}

export function issueCount(token: SearchToken): readonly IssueCountCondition[] {
  const filter = tokenFilter(token)
  const range = filter.by === 'count' ? countRange(token.value) : null
  return filter.by === 'count' && range !== null ? [{ of: filter.of, ...range, negated: token.negated }] : []
}
