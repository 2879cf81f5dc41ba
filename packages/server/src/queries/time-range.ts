/** A stretch of time that a page or a call is about. */
export interface TimeRange {
  readonly startMs: number
  readonly endMs: number
}
