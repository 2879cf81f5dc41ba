/** Parts of a search as read, and completions while it is typed. */

/** A part of a search as it was typed: from the first character on, before the second. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

export interface SearchProblem extends TextRange {
  /** Problem, and what to write instead. */
  readonly message: string
  /** Probable meaning of that part. */
  readonly meant?: MeantError
}

export interface MeantError {
  /** The message without its question. */
  readonly lead: string
  /** The term as it would be right. */
  readonly text: string
}

export interface SearchToken {
  /** `null` for free text. */
  readonly key: string | null
  /** Value as written; of a list, all of it. */
  readonly value: string
  readonly negated: boolean
  /** Written as `tags[…]`, because the key alone would name a field of the search. */
  readonly isTag?: true
  /** It asks for any value, as `has:` does. */
  readonly isAny?: true
  /** The values of a list, of which any is meant. */
  readonly among?: readonly string[]
}

export interface SuggestionsAsked {
  readonly key: string | null
  readonly prefix: string
  /** Slugs or ids: what is in view. None: all that may be read. */
  readonly projects?: readonly string[] | undefined
  /** Subject of the search; keys that cannot be asked of events are left out for those. */
  readonly of?: 'events' | 'issues'
  /** Names that have the prefix anywhere are found too, after those that begin with it. */
  readonly within?: true
}

export interface TraceSuggestionsAsked {
  /** `null`: keys are asked for. */
  readonly key: string | null
  readonly prefix: string
  /** Which texts are meant, if not those that begin with the prefix. */
  readonly fits?: (text: string) => boolean
  /** Slugs; `null`: of the whole scope. */
  readonly projects: readonly string[] | null
}

/** Completion of a search that is being typed. */
export interface Suggestion {
  readonly text: string
  /** Number of events that have it; `null` if not counted. */
  readonly count: number | null
  /** Unit of the count, if not events. */
  readonly of?: 'issues'
}

/** Another search that may be meant, as a link. */
export interface SearchOffer {
  /** `text`: what was typed, looked for as it stands; `email`: the person who has it. */
  readonly as: 'text' | 'email'
  readonly query: string
}

/** A key of a search that nothing has a tag of: no event, or of traces no request. */
export interface UnknownTag {
  readonly key: string
  /** Tag that may have been meant. */
  readonly nearest: string | null
}
