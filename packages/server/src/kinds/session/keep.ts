/** Every row is kept, none with a payload; the control store gets what figures are made of. */
import type { KindKeep } from '../kind.ts'
import { SESSION_CATEGORY, type SessionRow } from './fields.ts'
import type { SessionOwn } from './read.ts'
import { deltaAt, type SessionSums } from './sum.ts'

export const sessionKeep: KindKeep<SessionRow, SessionOwn, SessionSums> = {
  thinner: null,
  hints: null,
  settle: async (part, places) => ({
    ...{ part, bare: new Set(), hint: null },
    control:
      places.length === 0
        ? null
        : {
            type: 'sessions',
            category: SESSION_CATEGORY,
            sessions: places.map((place) => deltaAt(part, place)),
          },
  }),
  holds: () => true,
}
