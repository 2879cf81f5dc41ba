/** An issue whose events a helper of the app makes, taken apart by what they say. */
export interface IssueSplit {
  /** The fingerprint rule that does it. */
  readonly rule: string
  /** Slug of the project whose rules apply. */
  readonly project: string
  /** The project's rules have it. */
  readonly isSet: boolean
  /** Events that were looked at: the newest. */
  readonly looked: number
  /** Number of events that stay: another rule decides, or they come from elsewhere. */
  readonly kept: number
  /** Issues that events like those would be, those of most events first, and how many there are in all. */
  readonly issues: readonly { readonly title: string; readonly events: number }[]
  readonly count: number
}
