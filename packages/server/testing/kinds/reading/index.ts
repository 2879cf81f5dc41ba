/** Readings of meters: the second kind that the recipe is tried with. */
import type { Kind } from '#kinds/kind.ts'
import { plainKind } from '#kinds/plain.ts'
import { READING_DATASET, READINGS } from './fields.ts'
import { READING_CATEGORY, readReading, SEVERAL } from './read.ts'

export const reading: Kind = {
  itemTypes: ['reading', SEVERAL],
  read: readReading,
  stored: plainKind({ table: READINGS, category: READING_CATEGORY, dataset: READING_DATASET }),
}
