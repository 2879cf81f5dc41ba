/** Reads a reading of a meter. */
import { type ItemAnswer, type ItemInput, stored } from '#kinds/item.ts'
import {
  plainFlag,
  plainId,
  plainList,
  plainName,
  plainRow,
  plainTime,
  plainWhole,
  readEach,
  readItem,
  readPlainNumber,
  refusedItem,
  rowBase,
  scrubItem,
} from '#kinds/plain-item.ts'
import { READINGS, type ReadingRow } from './fields.ts'

export const READING_CATEGORY = 'reading'

/** Item type of several at once: `{"items": [{…}, {…}]}`. */
export const SEVERAL = 'readings'

export function readReading(input: ItemInput): ItemAnswer {
  const { type, envelope } = input
  if (type === SEVERAL)
    return readEach(input, READING_CATEGORY, (said) => readingOf(said, { type, envelope }))
  const read = readItem(input, READING_CATEGORY)
  return read.ok ? readingOf(read.said, { type, envelope }) : read.answer
}

function readingOf(
  said: Readonly<Record<string, unknown>>,
  { type, envelope }: Pick<ItemInput, 'type' | 'envelope'>,
): ItemAnswer {
  const [id, celsius] = [plainId(said.id), readPlainNumber(said.celsius)]
  if (id === null || celsius === null)
    return refusedItem({ type, category: READING_CATEGORY, reason: 'no_value' })
  const clean = scrubItem(
    { texts: { meter: plainName(said.meter) }, lists: { labels: plainList(said.labels) } },
    envelope,
  )
  const row: ReadingRow = {
    ...{ ...rowBase(envelope, said.timestamp), eventId: id, celsius },
    ...{ meter: clean.text('meter') ?? '', labels: clean.list('labels') },
    ...{ tookMs: readPlainNumber(said.took), bytes: plainWhole(said.bytes) },
    ...{ isFinal: plainFlag(said.final), dueMs: plainTime(said.due) },
  }
  return stored({ rows: [plainRow(READINGS, row, envelope)] })
}
