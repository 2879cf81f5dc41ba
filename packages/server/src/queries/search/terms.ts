/** The parts of a search in simpler words: lists and presence as single terms. Pure. */
import { hasWildcard } from '#model/text-pattern.ts'
import type { SearchToken } from '../types.ts'
import { tokenFilter } from './fields.ts'
import type { SearchTerms } from './parse.ts'

/**
 * Without `has:` and without lists: a list is a choice of its values, an unwanted one rules out each of them. Lists that
 * `keeps` says are left.
 */
export function simpleTerms(
  { tokens, either }: SearchTerms,
  keeps: (token: SearchToken) => boolean = () => false,
): SearchTerms {
  const kept: SearchToken[] = []
  const choices = either.map((alternatives) => alternatives.map((terms) => simpleTerms(terms, keeps)))
  for (const token of tokens) {
    const { among, negated } = token
    if (among === undefined || keeps(token)) kept.push(withoutPresence(token))
    else if (negated) kept.push(...singleTokens(token).map(withoutPresence))
    else choices.push(singleTokens(token).map((one) => ({ tokens: [withoutPresence(one)], either: [] })))
  }
  return { tokens: kept, either: choices }
}

/** Every single term, wherever it stands. */
export function singleTerms({ tokens, either }: SearchTerms): readonly SearchToken[] {
  return [...tokens.flatMap(singleTokens).map(withoutPresence), ...either.flat().flatMap(singleTerms)]
}

function singleTokens({ among, ...token }: SearchToken): readonly SearchToken[] {
  return among === undefined ? [token] : among.map((value) => ({ ...token, value }))
}

/**
 * True for a tag of which none of a list is wanted. An issue has several values of a tag: none of a list is not the
 * same as not each of them.
 */
export function isUnwantedTagList(token: SearchToken): boolean {
  const { by } = tokenFilter(token)
  return token.negated && token.among !== undefined && by === 'tag' && !token.among.some(hasWildcard)
}

/** True if the term holds. What is the same for all issues finds all of them, or none. */
export function isMet(token: SearchToken): boolean {
  const filter = tokenFilter(token)
  if (filter.by !== 'constant') return true
  const holds = token.value === '*' || filter.holds.includes(token.value.toLowerCase())
  return holds !== token.negated
}

const PRESENT: readonly string[] = ['tag', 'person', 'field', 'release', 'detail', 'constant']

/** `has:plan` asks for any value of what it names; `has:assigned`, for anybody. A level is a tag, too. */
function withoutPresence(token: SearchToken): SearchToken {
  if (tokenFilter(token).by !== 'presence') return token
  const { value: key, negated } = token
  const any: SearchToken = { key, value: '*', negated, isAny: true }
  const filter = tokenFilter(any)
  if (filter.by === 'assignee') return { ...any, value: 'none', negated: !negated }
  if (filter.by === 'mark') return { ...any, value: 'me' }
  if (filter.by === 'count') return { ...any, value: '>0' }
  return PRESENT.includes(filter.by) ? any : { ...any, isTag: true }
}

const ANSWERED: readonly string[] = [...PRESENT, 'assignee', 'mark', 'level']

/** Says of each `has:` that asks for what no issue and no event is without. */
export function presenceProblems({
  tokens,
  either,
}: SearchTerms): readonly { readonly message: string; readonly token: SearchToken }[] {
  const own = tokens.filter((token) => tokenFilter(token).by === 'presence')
  const problems = own.flatMap((token) => {
    const names = singleTokens(token).map(({ value }) => value)
    const message = names.map(presenceProblem).find((one) => one !== null)
    return message === undefined || message === null ? [] : [{ message, token }]
  })
  return [...problems, ...either.flat().flatMap(presenceProblems)]
}

function presenceProblem(name: string): string | null {
  const filter = tokenFilter({ key: name, isAny: true })
  if (ANSWERED.includes(filter.by) || (filter.by === 'count' && filter.of === 'users')) return null
  if (filter.by === 'nothing') return `“has:${name}”: “${name}:” can’t be searched; ${filter.instead}.`
  return `“has:${name}”: “${name}:” is never missing; a tag of that name is tags[${name}]:*.`
}
