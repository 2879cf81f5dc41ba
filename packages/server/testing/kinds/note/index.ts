/** Short notes: the kind that docs/internals/kinds.md adds, step by step. */
import type { Kind } from '#kinds/kind.ts'
import { plainKind } from '#kinds/plain.ts'
import { NOTE_DATASET, NOTES } from './fields.ts'
import { NOTE_CATEGORY, readNote } from './read.ts'

export const note: Kind = {
  itemTypes: ['note'],
  read: readNote,
  stored: plainKind({ table: NOTES, category: NOTE_CATEGORY, dataset: NOTE_DATASET }),
}
