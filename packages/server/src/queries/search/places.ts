/** Where in a search a problem of one of its terms is. Pure. */
import type { SearchProblem, SearchToken } from '../types.ts'
import type { TokenProblem } from './filter.ts'
import type { ParsedSearch } from './parse.ts'

/** A list stands at one place, whichever of its values is wrong. */
export function placed({ message, token }: TokenProblem, places: ParsedSearch['places']): SearchProblem {
  const isMeant = (one: SearchToken) =>
    one === token ||
    (one.key === token?.key && (one.value === token.value || one.among?.includes(token.value)))
  const at = [...places].find(([one]) => isMeant(one))
  return { message, ...(at?.[1] ?? { start: 0, end: 0 }) }
}
