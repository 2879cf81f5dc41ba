/** Row of the findings. */
export interface ResultRow {
  readonly measure: string
  readonly result: string
  /** Goal as it is stated; empty if there is none. */
  readonly goal: string
  /** `null`: nothing to hold it against. */
  readonly met: boolean | null
}
