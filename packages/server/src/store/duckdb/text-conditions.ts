/** Texts as searches of segments mean them. */
import { patternParts } from '#model/text-pattern.ts'
import { literalPattern } from './conditions.ts'

/** Condition that the pattern fits the whole column. LIKE with an ESCAPE goes back at each star: three of them and 200 characters alike take a minute. RE2 never does. */
export function meets(column: string, pattern: string): string {
  return `regexp_full_match(${column}, ${pattern}, 's')`
}

/** Returns the pattern in lower case; `*` is its only special sign. */
export function wildPattern(pattern: string): string {
  return patternParts(pattern)
    .map((part) => literalPattern(part.toLowerCase()))
    .join('.*')
}
