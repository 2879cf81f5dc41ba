import { max } from '#limits/limits.ts'

/** A row limit as asked, within 1 and `pageRowsMax`. */
export function rowLimit(asked: number): number {
  return Math.min(Math.max(1, Math.trunc(asked)), max('pageRowsMax'))
}
