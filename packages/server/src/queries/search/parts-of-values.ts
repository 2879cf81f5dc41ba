/** Values are compared whole: the search that would find parts of them. Pure. */
import { hasWildcard } from '#model/text-pattern.ts'
import type { SearchToken } from '../types.ts'
import { fieldOf, tokenFilter } from './fields.ts'
import { writeToken } from './parse.ts'

/**
 * Rewrites a search so that its values may be parts of longer ones. `null` where no value could be a part of a longer
 * one.
 */
export function withPartsOfValues(tokens: readonly SearchToken[]): string | null {
  if (!tokens.some(isWholeValue)) return null
  return tokens
    .map((token) => writeToken(isWholeValue(token) ? { ...token, value: `*${token.value}*` } : token))
    .join(' ')
}

function isWholeValue(token: SearchToken): boolean {
  const { key, value, negated, among, isTag } = token
  if (key === null || negated || among !== undefined || hasWildcard(value) || value.length < 2) return false
  const field = isTag === true ? null : fieldOf(key)
  if (field !== null && (field.values !== null || field.completion.from === 'releases')) return false
  return ['tag', 'field', 'person', 'detail'].includes(tokenFilter(token).by)
}
