/** Parts of the set-up guide that are asked for. */
export interface AskedFirst {
  /** Project and key alone: nothing is asked of what has arrived. */
  readonly withoutArrived?: boolean
}
