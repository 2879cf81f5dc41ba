/** The cursor of a list of rows: which list it is of, and behind which row the next page begins. */

import { hash } from 'node:crypto'
import { parseJsonOrNull } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { badQuestion } from './ask-fields.ts'

/** Order of a list. */
export interface ListOrder {
  readonly dataset: string
  readonly by: string
  readonly isDescending: boolean
  /** Whether the list can be ordered by such a value. */
  readonly isValue: (value: unknown) => value is SortValue
}

export type SortValue = string | number | null

/** A place in a list. `shown`: how many rows of this value and seq are on pages before. */
export interface ListPlace {
  readonly value: SortValue
  readonly seq: number
  readonly shown: number
}

export function writeListCursor(
  { dataset, by, isDescending }: ListOrder,
  { value, seq, shown }: ListPlace,
): string {
  const fields = [dataset, orderName(by), isDescending ? 1 : 0, value, seq, shown]
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/**
 * Reads the cursor of a list.
 * @throws `bad_request` for one that another list gave, or nobody
 */
export function readListCursor(cursor: string, order: ListOrder): ListPlace {
  const fields =
    cursor.length > CURSOR_CHARS_MAX ? null : parseJsonOrNull(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(fields) || fields.length !== 6)
    throw badQuestion('The cursor is not one that this list gave.')
  const [dataset, by, direction, value, seq, shown]: readonly unknown[] = fields
  if (dataset !== order.dataset)
    throw badQuestion('The cursor is of another dataset: take it from the Link header of the page before.')
  if (by !== orderName(order.by) || direction !== (order.isDescending ? 1 : 0))
    throw badQuestion('The cursor is of a list in another order: begin at the first page.')
  if (!order.isValue(value) || !isCount(seq) || !isCount(shown) || shown > max('askTiedRowsMax'))
    throw badQuestion('The cursor is not one that this list gave.')
  return { value, seq, shown }
}

/** Characters of a cursor that the web API takes. */
const CURSOR_CHARS_MAX = 600

/** A key of an attribute may take more than a whole cursor: what is long is told by its hash. */
function orderName(by: string): string {
  return by.length <= NAME_CHARS_MAX ? by : hash('sha256', by, 'base64url').slice(0, NAME_CHARS_MAX)
}

const NAME_CHARS_MAX = 24

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
