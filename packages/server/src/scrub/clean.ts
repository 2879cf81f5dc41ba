/** Parts of an event that need no look. */
export interface Clean {
  /** Breadcrumbs, contexts and bags, as they are in the event. */
  readonly objects: ReadonlySet<unknown>
  /** Texts, wherever they stand. */
  readonly texts: ReadonlySet<string>
}

/** Shorter texts are not told of: they cost no more than it would to find them. */
export const CLEAN_CHARS_MIN = 12
