/** What was told of the JSON of an event's parts, by their places: 1 for one that holds no secret; `null`: nothing. */
export interface CleanMarks {
  readonly crumbs: Uint8Array | null
  readonly contexts: Uint8Array | null
  readonly isExtraClean: boolean
  /** Parts that say what their JSON says, and no more, are added. */
  readonly objects: Set<object>
}
