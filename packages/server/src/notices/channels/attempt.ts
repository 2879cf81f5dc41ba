/** What one try to send came to. */
export type Attempt =
  | { readonly outcome: 'sent'; readonly says: string }
  /** Trying again will not change the answer. */
  | { readonly outcome: 'refused'; readonly says: string }
  /** It may pass: a busy or unreachable receiver, a time-out. */
  | {
      readonly outcome: 'failed'
      readonly says: string
      /** The server that every delivery of its channel goes through did not take part: none of them would arrive. */
      readonly isServerAway?: true
      /** What the receiver asked for. */
      readonly retryAfterMs?: number
    }
