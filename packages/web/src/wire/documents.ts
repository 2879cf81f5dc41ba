import type { Serving } from './serve-context.ts'

/** Documents that are no pages of the app: made at build, without React. */
export interface Documents {
  /** What an address of theirs is called in reports; `null` for any other. */
  patternOf(pathname: string): string | null
  /** What has all of these words, the best first; nothing for none. */
  find(query: string): readonly FoundDocument[]
  answer(serving: Serving): Response
}

/** A section of one of them. */
export interface FoundDocument {
  readonly heading: string
  readonly page: string
  readonly path: string
}
