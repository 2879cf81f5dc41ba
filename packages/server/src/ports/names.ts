/** Finding things by what people call them: what is offered for choosing from, and what ids are called. */
import { foldLetters } from '#base/fold-letters.ts'

/** Narrows a list of names; a field that is left out does not narrow it. */
export interface NamesAsked<Id> {
  /** Words that must all be in the name, slug or email; neither case nor accents count. */
  readonly text?: string
  /** Returns only these. */
  readonly ids?: readonly Id[]
  /** Most that are read, in the order of their names; without it all are. */
  readonly limit?: number
}

/** Folded words; a store compares each with what it looks through, folded as well. */
export function wordsAsked(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter(Boolean).slice(0, WORDS_MAX).map(foldLetters)
}

const WORDS_MAX = 8
