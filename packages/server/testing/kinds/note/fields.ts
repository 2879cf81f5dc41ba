/** The one table of what is kept of a note, and how notes are asked for. */
import { datasetOf } from '#model/dataset.ts'
import { LEVELS, type Level } from '#model/event.ts'
import { asTag, list, orNull, pairs, type RowOf, rowTable, text } from '#model/fields.ts'

/** New fields go to the end, and may be null. */
export const NOTES = rowTable(
  'note',
  {
    text: text(),
    level: text<Level>(),
    environment: asTag('environment', orNull(text())),
    attributes: pairs(),
    people: list(),
  },
  { hasEventId: false, neighbours: ['level'] },
)

export type NoteRow = RowOf<typeof NOTES>

export const NOTE_DATASET = datasetOf(NOTES, {
  name: 'notes',
  aliases: ['remarks'],
  words: ['text'],
  fields: { level: { values: LEVELS } },
})
