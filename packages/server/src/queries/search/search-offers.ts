/** Suggests other meanings of a search: the text as it stands, or the person whose email it is. Pure. */
import { max } from '#limits/limits.ts'
import type { SearchOffer, SearchProblem, SearchToken, UnknownTag } from '../search-words.ts'
import { writeToken } from './parse.ts'

const EMAIL = /^[^\s"@:()]{1,64}@[^\s"@:()]{1,190}\.[a-z]{2,24}$/i
/** Signs that make a message a search expression. */
const SIGNS = /["!()]|\b(?:OR|AND|NOT)\b/

export function searchOffers(read: {
  readonly query: string
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
  /** Nothing matches. */
  readonly isEmpty: boolean
}): readonly SearchOffer[] {
  const { tokens, isPlain, problems, unknownTags, isEmpty } = read
  const query = read.query.trim()
  if (EMAIL.test(query))
    return [{ as: 'email', query: writeToken({ key: 'user.email', value: query, negated: false }) }]
  const text = (value: string) => writeToken({ key: null, value, negated: false })
  const asText =
    problems.length > 0
      ? text(query)
      : unknownTags.length > 0 && isPlain
        ? tokens
            .map((token) => (isOfUnknownTag(token, unknownTags) ? text(typedText(token)) : writeToken(token)))
            .join(' ')
        : isEmpty && isSplitText(query, tokens)
          ? text(query)
          : null
  if (asText === null || asText === query || asText.length > max('searchCharsMax')) return []
  return [{ as: 'text', query: asText }]
}

function isSplitText(query: string, tokens: readonly SearchToken[]): boolean {
  const isWhole = tokens.length === 1 && tokens.some((token) => writeToken(token) === query)
  return SIGNS.test(query) && !isWhole && tokens.every(({ key }) => key === null)
}

function isOfUnknownTag({ key, negated }: SearchToken, unknownTags: readonly UnknownTag[]): boolean {
  return !negated && unknownTags.some((tag) => tag.key === key)
}

function typedText({ key, value }: SearchToken): string {
  return `${key}:${value}`
}
