/** Reads a note: `{"text": "…", "level": "info", "timestamp": …, "attributes": {…}, "user": {…}}`. */
import { type ItemAnswer, type ItemInput, stored } from '#kinds/item.ts'
import {
  plainName,
  plainPairs,
  plainRow,
  plainText,
  plainWord,
  readItem,
  refusedItem,
  rowBase,
  scrubItem,
} from '#kinds/plain-item.ts'
import { LEVELS } from '#model/event.ts'
import { NOTES, type NoteRow } from './fields.ts'

/** Data category under which notes are counted. */
export const NOTE_CATEGORY = 'note'

export function readNote(input: ItemInput): ItemAnswer {
  const { type, envelope } = input
  const read = readItem(input, NOTE_CATEGORY)
  if (!read.ok) return read.answer
  const { said } = read
  const text = plainText(said.text)
  if (text === null) return refusedItem({ type, category: NOTE_CATEGORY, reason: 'no_text' })
  const clean = scrubItem(
    {
      texts: { text, environment: plainName(said.environment) },
      ...{ pairs: plainPairs(said.attributes), user: said.user },
    },
    envelope,
  )
  const row: NoteRow = {
    ...rowBase(envelope, said.timestamp),
    text: clean.text('text') ?? '',
    level: plainWord(LEVELS, said.level) ?? 'info',
    environment: clean.text('environment'),
    ...{ attributes: clean.pairs, people: clean.people },
  }
  return stored({ rows: [plainRow(NOTES, row, envelope)] })
}
