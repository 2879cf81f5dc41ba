/** The one table of what is kept of a session's update, or of an entry of counted ones. There is no payload. */
import { orNull, type RowOf, rowTable, text, whole } from '#model/fields.ts'

export const SESSION = 'session'
/** Data category under which updates and entries are counted. */
export const SESSION_CATEGORY = 'session'

/** New fields go to the end, and may be null. */
export const SESSIONS = rowTable(
  SESSION,
  {
    release: text(),
    environment: orNull(text()),
    /** Id of a single session without dashes; `null` for counted ones, and for what is not an id. */
    sessionId: orNull(text()),
    startedMs: whole(),
    sessions: whole(),
    errored: whole(),
    unhandled: whole(),
    abnormal: whole(),
    crashed: whole(),
    /** Number of the session's update by the client's count; `null` if it keeps none. */
    sequence: orNull(whole()),
    durationMs: orNull(whole()),
    mechanism: orNull(text()),
  },
  { hasEventId: false, neighbours: ['release', 'environment'] },
)

export type SessionRow = RowOf<typeof SESSIONS>
