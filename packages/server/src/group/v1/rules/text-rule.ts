/** Part of grouping version 1. A row of the rules for texts. */

type Replacement = string | ((match: string, at: number, text: string) => string)

export interface TextRule {
  /** Traits that every match has, so that most rows are ruled out by a look at the characters. */
  readonly needs: number
  readonly what: string
  readonly pattern: RegExp
  readonly to: Replacement
  readonly example: string
  readonly gives: string
  readonly source: string
}

type Told = readonly [
  needs: number,
  what: string,
  pattern: RegExp,
  to: Replacement,
  example: string,
  gives: string,
  source: string,
]

export const row = (...[needs, what, pattern, to, example, gives, source]: Told): TextRule => ({
  ...{ needs, what, pattern, to, example, gives, source },
})
