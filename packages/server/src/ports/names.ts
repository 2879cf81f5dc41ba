/** Finding things by what people call them: what is offered for choosing from, and what ids are called. */
import { foldAscii } from '#model/text-pattern.ts'

/** Narrows a list of names; a field that is left out does not narrow it. */
export interface NamesAsked<Id> {
  /** Words that must all be in the name, slug or email; the case of a to z does not count. */
  readonly text?: string
  /** Returns only these. */
  readonly ids?: readonly Id[]
  /** Most that are read, in the order of their names; without it all are. */
  readonly limit?: number
}

/** Lower-cased words; a store compares each with what it looks through. */
export function wordsAsked(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter(Boolean).slice(0, WORDS_MAX).map(foldAscii)
}

const WORDS_MAX = 8
