/** Part of grouping version 1. A row of the rules for names. Every pattern is linear: each repetition has a bound or is followed by nothing it could take. */

export interface NameRule {
  readonly of: 'function' | 'class' | 'both'
  /** Maker of such names. */
  readonly what: string
  readonly pattern: RegExp
  readonly to: string
  readonly example: string
  /** Result for the example by the family's rows. */
  readonly gives: string
  readonly source: string
}

export type NameRules = readonly NameRule[]
type Told = readonly [
  what: string,
  pattern: RegExp,
  to: string,
  example: string,
  gives: string,
  source: string,
]

const makeRule =
  (of: NameRule['of']) =>
  (...[what, pattern, to, example, gives, source]: Told): NameRule => ({
    ...{ of, what, pattern, to, example, gives, source },
  })
export const fn = makeRule('function')
export const cls = makeRule('class')
export const both = makeRule('both')
