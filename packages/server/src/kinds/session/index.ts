/** Sessions: how often an app was used, and how that ended. */
import { type Kind, storedKind } from '../kind.ts'
import { SESSION_DATASET } from './dataset.ts'
import { SESSION_CATEGORY, SESSIONS } from './fields.ts'
import { sessionKeep } from './keep.ts'
import { readSessions } from './read.ts'
import { sessionSum } from './sum.ts'

export const session: Kind = {
  itemTypes: ['session', 'sessions'],
  read: readSessions,
  stored: storedKind({
    ...{ table: SESSIONS, category: SESSION_CATEGORY, sum: sessionSum, keep: sessionKeep },
    dataset: SESSION_DATASET,
  }),
}
