/** A line of source as far as it is drawn: minified ones are cropped around the column, parted surrogate pairs replaced. Pure. */

export interface CroppedLine {
  readonly before: string
  /** The word at the column; empty where the column is unknown or lies outside of what is there. */
  readonly mark: string
  readonly after: string
  /** Something is cut off there. */
  readonly cutStart: boolean
  readonly cutEnd: boolean
}

/** Longer lines are cropped to `CROPPED_CHARS`. */
const WHOLE_CHARS_MAX = 200
const CROPPED_CHARS = 140
/** Characters before the column, among them. */
const BEFORE_CHARS = 60
const WORD_CHARS_MAX = 80

/** JavaScript SDKs crop long lines themselves and say so; the quote before the first mark is theirs. */
const SNIPPED_START = /^'?\{snip\} /
const SNIPPED_END = / \{snip\}$/

/** Cuts a long line to what surrounds its place. `column` counts from 1, in the whole line. */
export function cropLine(text: string, column: number | undefined): CroppedLine {
  const body = text.replace(SNIPPED_START, '').replace(SNIPPED_END, '')
  const snipped = { start: SNIPPED_START.test(text), end: SNIPPED_END.test(text) }
  const at = column === undefined ? null : placeIn(body, column, snipped)
  const isWhole = body.length <= WHOLE_CHARS_MAX
  const from = isWhole ? 0 : Math.max(0, Math.min((at ?? 0) - BEFORE_CHARS, body.length - CROPPED_CHARS))
  const to = isWhole ? body.length : from + CROPPED_CHARS
  const mark = at === null ? '' : wordAt(body.slice(at, to))
  const end = at === null ? from : at
  return {
    before: body.slice(from, end).toWellFormed(),
    mark: mark.toWellFormed(),
    after: body.slice(end + mark.length, to).toWellFormed(),
    cutStart: from > 0 || snipped.start,
    cutEnd: to < body.length || snipped.end,
  }
}

/**
 * Returns a column's place in what the SDK left of a line. Cut at both ends, it has 60 characters before the
 * column; cut at the start only, nobody knows how many are gone.
 */
function placeIn(
  body: string,
  column: number,
  snipped: { readonly start: boolean; readonly end: boolean },
): number | null {
  if (snipped.start && !snipped.end) return null
  const at = snipped.start ? BEFORE_CHARS - 1 : column - 1
  return at >= 0 && at < body.length ? at : null
}

function wordAt(text: string): string {
  return /^[\p{L}\p{N}_$]+|^./u.exec(text.slice(0, WORD_CHARS_MAX))?.[0] ?? ''
}
