/** What is typed into the search field of the issue list. Pure. */
import type { SearchToken } from '#parts/issue-types.ts'
import { tokenText } from '#parts/search-token.ts'

/** The search without one of its tokens. */
export function withoutToken(tokens: readonly SearchToken[], index: number): string {
  return tokens
    .filter((_, at) => at !== index)
    .map(tokenText)
    .join(' ')
}
