/** What single terms of a search ask for, of issues and of events alike. Pure. */
import { personName } from '#model/person-name.ts'
import type { PersonCondition, TagCondition } from '#model/tag-condition.ts'
import type { IssueCountCondition, IssueFieldCondition } from '#ports/issues.ts'
import type { SearchToken } from '../types.ts'
import { countRange, filterOf, isPersonName, PERSON_NAMES, type PersonNameKind } from './fields.ts'
import type { ReleasesMeant } from './release-terms.ts'

/** `has:plan` asks for any value of what it names; beyond what a field answers so, for a tag. */
export function withoutPresence(tokens: readonly SearchToken[]): readonly SearchToken[] {
  return tokens.map((token) => {
    if (filterOf(token).by !== 'presence') return token
    const any: SearchToken = { key: token.value, value: '*', negated: token.negated }
    return PRESENT.includes(filterOf(any).by) ? any : { ...any, isTag: true }
  })
}

const PRESENT: readonly string[] = ['tag', 'person', 'field', 'release']

/** `user:*` is answered by the tag too: who it is does not matter. */
export function tagCondition(token: SearchToken, meant: ReleasesMeant): readonly TagCondition[] {
  const { key, value, negated } = token
  const filter = filterOf(token)
  if (filter.by === 'state' && value === 'unhandled') return [{ key: 'handled', value: 'no', negated }]
  if (isAnybody(token)) return [{ key: 'user', value: null, negated }]
  const releases = filter.by === 'field' ? null : meant(token)
  if (releases !== null) return [{ key: 'release', value: releases, negated }]
  if (filter.by !== 'tag' || key === null) return []
  return [{ key: filter.tag, value: value === '*' ? null : value, negated }]
}

export function personCondition(token: SearchToken): readonly PersonCondition[] {
  const { value, negated } = token
  const filter = filterOf(token)
  if (filter.by !== 'person' || isAnybody(token)) return []
  const [kind = '', ...rest] = value.split(':')
  // `user:id:42` says which of the names is meant.
  if (filter.names.length > 1 && isPersonName(kind) && rest.length > 0) {
    return [{ names: [nameAs(kind, rest.join(':'))], negated }]
  }
  return [{ names: filter.names.map((name) => nameAs(name, value)), negated }]
}

function isAnybody(token: SearchToken): boolean {
  const filter = filterOf(token)
  return filter.by === 'person' && filter.names.length === PERSON_NAMES.length && token.value === '*'
}

/** Emails are kept in lower case. */
function nameAs(kind: PersonNameKind, value: string): string {
  return personName(kind, kind === 'email' ? value.toLowerCase() : value)
}

export function issueField(token: SearchToken, meant: ReleasesMeant): readonly IssueFieldCondition[] {
  const filter = filterOf(token)
  if (filter.by !== 'field') return []
  return [{ field: filter.field, value: meant(token) ?? token.value, negated: token.negated }]
}

export function issueCount(token: SearchToken): readonly IssueCountCondition[] {
  const filter = filterOf(token)
  const range = filter.by === 'count' ? countRange(token.value) : null
  return filter.by === 'count' && range !== null ? [{ of: filter.of, ...range, negated: token.negated }] : []
}
