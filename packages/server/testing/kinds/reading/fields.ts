/** Readings of meters: a kind with numbers, times, lists and flags, and with an id that tells a repeat. */
import { datasetOf } from '#model/dataset.ts'
import { flag, list, number, orNull, type RowOf, rowTable, text, whole } from '#model/fields.ts'

export const READINGS = rowTable(
  'reading',
  {
    meter: text(),
    celsius: number(),
    tookMs: orNull(number()),
    bytes: orNull(whole()),
    isFinal: orNull(flag()),
    dueMs: orNull(whole()),
    labels: list(),
  },
  { hasEventId: true, neighbours: ['meter'] },
)

export type ReadingRow = RowOf<typeof READINGS>

export const READING_DATASET = datasetOf(READINGS, {
  name: 'readings',
  words: ['meter'],
  fields: {
    tookMs: { name: 'took', unit: 'ms' },
    bytes: { unit: 'bytes' },
    isFinal: { name: 'final' },
    dueMs: { name: 'due', isTime: true },
  },
})
