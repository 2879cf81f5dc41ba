/** Patterns as people write them: `*` stands for any text, everything else for itself, in any case. */

import type { StepBudget } from '#model/step-budget.ts'
import { stepsOfParts } from '#model/text-pattern.ts'

/** The first pattern that one of the texts meets as a whole, as the project wrote it; `null` when there is none. */
export type GlobMatcher = (texts: readonly string[], budget?: StepBudget) => string | null

/** Linear: a text is walked once per part between asterisks, and no pattern can make it go back. */
export function globMatcher(patterns: readonly string[]): GlobMatcher {
  const globs = patterns
    .map((pattern) => ({ pattern: pattern.trim(), parts: foldGlob(pattern.trim()).split('*') }))
    .filter(({ pattern }) => pattern !== '')
  return (texts, budget) => {
    const lower = [...new Set(texts.map(foldGlob))]
    for (const { pattern, parts } of globs) {
      for (const text of lower) {
        if (budget?.take(stepsOfParts(parts, text)) === false) return null
        if (matchesParts(parts, text)) return pattern
      }
    }
    return null
  }
}

function foldGlob(text: string): string {
  return text.trim().toLowerCase()
}

/** `parts` are the texts between asterisks: the first is a prefix, the last a suffix, the rest come in order. */
function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? ''
  if (parts.length === 1) return text === first
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let at = first.length
  for (let index = 1; index < parts.length - 1; index++) {
    const part = parts[index] ?? ''
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
