/** Finds the place of a term's problem in the search. Pure. */
import type { SearchProblem, SearchToken } from '../types.ts'
import type { TokenProblem } from './filter.ts'
import type { ParsedSearch } from './parse.ts'

/** A list stands at one place, whichever of its values is wrong. */
export function placeProblem(
  { token, ...problem }: TokenProblem,
  places: ParsedSearch['places'],
): SearchProblem {
  const isMeant = (one: SearchToken) =>
    one === token ||
    (one.key === token?.key && (one.value === token.value || one.among?.includes(token.value)))
  const at = [...places].find(([one]) => isMeant(one))
  if (at === undefined) return { message: problem.message, start: 0, end: 0 }
  // What is meant stands for one value, not for a list.
  return { ...(at[0].among === undefined ? problem : { message: problem.message }), ...at[1] }
}
