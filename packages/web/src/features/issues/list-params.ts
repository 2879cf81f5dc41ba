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

/** What is being typed at the end of a draft: a key, or the value of a key. */
export function typedTerm(draft: string): { readonly key: string | null; readonly prefix: string } | null {
  const term = /(?:^|\s)!?([^\s"]*)$/.exec(draft)?.[1] ?? ''
  if (term === '') return null
  const colon = term.indexOf(':')
  return colon < 0
    ? { key: null, prefix: term }
    : { key: term.slice(0, colon), prefix: term.slice(colon + 1) }
}

/** The draft with what is being typed replaced by a suggestion. A key is completed with its colon. */
export function completed(draft: string, suggestion: string): string {
  const term = typedTerm(draft)
  if (term === null) return draft
  const start = draft.slice(
    0,
    draft.length - (term.key === null ? term.prefix : `${term.key}:${term.prefix}`).length,
  )
  if (term.key === null) return `${start}${suggestion}:`
  return `${start}${tokenText({ key: term.key, value: suggestion, negated: false })}`
}
