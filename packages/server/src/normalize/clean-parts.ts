/** Parts of an event whose JSON is known to hold no secret, by their places: 1 for such a part; `null` if nothing is known. */
export interface CleanMarks {
  readonly crumbs: Uint8Array | null
  readonly contexts: Uint8Array | null
  readonly isExtraClean: boolean
  /** Parts that say what their JSON says, and no more, are added. */
  readonly objects: Set<object>
}
