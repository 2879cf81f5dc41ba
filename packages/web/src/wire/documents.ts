import type { Serving } from './serve-context.ts'

/** Documents that are no pages of the app: made at build, without React. */
export interface Documents {
  /** Returns the name of an address in reports; `null` for other addresses. */
  patternOf(pathname: string): string | null
  /** Finds documents with all of these words, best first; none for no words. */
  find(query: string): readonly FoundDocument[]
  answer(serving: Serving): Response
}

/** A section of one of them. */
export interface FoundDocument {
  readonly heading: string
  readonly page: string
  readonly path: string
}
