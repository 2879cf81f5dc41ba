import type { Serving } from './serve-context.ts'

/** Documents that are no pages of the app: made at build, without React. */
export interface Documents {
  /** What an address of theirs is called in reports; `null` for any other. */
  patternOf(pathname: string): string | null
  answer(serving: Serving): Response
}
