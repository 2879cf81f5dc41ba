/** Reads of what marks a chart. */
import { passingError } from '#wire/readable.ts'

/** Most marks of a kind that a chart has room for. */
export const MARKS_MAX = 12

/** Marks stand beside what a page is about: a store that does not answer in time leaves them out, and no more. */
export async function unlessPassing<Row>(rows: Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await rows
  } catch (cause) {
    if (passingError(cause) === null) throw cause
    return []
  }
}
