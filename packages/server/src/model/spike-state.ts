/** Spike protection's state of a project, in errors per hour of receipt. */
export interface SpikeState {
  /** When the baseline is complete; `null` before the first event. */
  readonly activeFromMs: number | null
  readonly isActive: boolean
  /** 90th percentile of the hours of the baseline. */
  readonly typicalPerHour: number
  readonly capPerHour: number
  /** Let in since the hour began. */
  readonly thisHour: number
  /** Set while the running hour is capped. */
  readonly capped: { readonly sinceMs: number; readonly notStored: number } | null
}
