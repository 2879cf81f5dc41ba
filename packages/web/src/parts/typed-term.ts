/** Term typed at the end of a search, and its completion. */
import { keyText, valueTerm } from './search-token.ts'

/**
 * Returns the term typed at the end of a draft: a key, or the value of a key, which may be a quote that is
 * still open.
 */
export function typedTerm(draft: string): TypedTerm | null {
  const [term, key, value = ''] = /(?:^|\s)!?(?:([^\s":]+):)?("[^"]*|[^\s"]*)$/.exec(draft) ?? []
  if (term === undefined) return null
  if (key !== undefined) return { key, prefix: value.replace('"', ''), start: draft.length - value.length }
  return value === '' || value.startsWith('"')
    ? null
    : { key: null, prefix: value, start: draft.length - value.length }
}

export interface TypedTerm {
  readonly key: string | null
  readonly prefix: string
  /** Start of the part that a suggestion replaces. */
  readonly start: number
}

/** The draft with what is being typed replaced by a suggestion. A key gets its colon, a value ends its term. */
export function completeTerm(draft: string, suggestion: string): string {
  const term = typedTerm(draft)
  if (term === null) return draft
  const before = draft.slice(0, term.start)
  if (term.key === null) return `${before}${keyText({ key: suggestion })}`
  return `${before}${valueTerm({ key: null, value: suggestion, negated: false })} `
}
