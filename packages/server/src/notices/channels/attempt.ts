/** Result of one try to send. */
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
      /** Errata ended it: that says nothing of the receiver, and it goes on with the next start. */
      readonly isStopped?: true
      /** Delay that the receiver asked for. */
      readonly retryAfterMs?: number
    }

/** Result of a try that was under way when Errata stopped. */
export const STOPPED: Attempt = {
  ...{ outcome: 'failed', isStopped: true },
  says: 'Errata stopped while it was being sent.',
}
