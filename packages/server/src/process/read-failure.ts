/** Why the journal could not be read. No envelope is to blame for any of it, and most of it passes. */

/** The process has no descriptors or no memory left, which says nothing of the file. */
const EXHAUSTED = /^E(?:MFILE|NFILE|NOMEM|AGAIN|NOBUFS|INTR):/
/** Messages of Node for refusals by the system, and for a file whose header cannot be read. */
const UNREADABLE = /^E[A-Z0-9]+: |is no journal file$/

/**
 * Tells failures to read a file by their cause. `exhausted`: the file was not even asked. `null` for a failure that is
 * none of reading.
 */
export function readFailure(reason: string): 'exhausted' | 'unreadable' | null {
  if (EXHAUSTED.test(reason)) return 'exhausted'
  return UNREADABLE.test(reason) ? 'unreadable' : null
}
