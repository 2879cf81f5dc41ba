/** One line of what a run found. */
export interface ResultRow {
  readonly measure: string
  readonly result: string
  /** As the goals state it; empty where there is none. */
  readonly goal: string
  /** `null`: nothing to hold it against. */
  readonly met: boolean | null
}
