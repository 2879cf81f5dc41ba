import type { ArchivedUntil } from '#ports/issues.ts'

/** Builds an archiving for ever, unless the change says until when. */
export function archivedUntil(change: Partial<ArchivedUntil> = {}): ArchivedUntil {
  return { eventsMore: null, usersMore: null, atMs: null, ...change }
}
