import type { SearchToken } from '#parts/issue-types.ts'
import { tokenText } from '#parts/search-token.ts'

/** The search with another key for a tag that no event has. */
export function withOtherKey(tokens: readonly SearchToken[], key: string, other: string): string {
  return tokens
    .map(({ isTag: _, ...token }) => {
      if (token.key === key) return { ...token, key: other }
      return token.key === 'has' && token.value === key ? { ...token, value: other } : token
    })
    .map(tokenText)
    .join(' ')
}
