/** Errors and messages: what an app says went wrong. */
import { type Kind, storedKind } from '../kind.ts'
import { ERROR_DATASET } from './dataset.ts'
import { ERROR_CATEGORY, ERRORS } from './fields.ts'
import { eventKeep } from './keep.ts'
import { readErrorEvent } from './read.ts'
import { eventSum } from './sum.ts'

export const error: Kind = {
  itemTypes: ['event'],
  read: readErrorEvent,
  stored: storedKind({
    ...{ table: ERRORS, category: ERROR_CATEGORY, sum: eventSum, keep: eventKeep },
    dataset: ERROR_DATASET,
  }),
}
