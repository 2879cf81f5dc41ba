/** Cursors of the issue list: the sort's value and the id of the row where a page ends, and the direction. */
import type { IssueSort } from '#model/search-words.ts'

export interface IssueCursor {
  readonly way: 'next' | 'previous'
  readonly sort: IssueSort
  readonly key: number
  readonly id: number
}

const CURSOR = /^([np])\.(date|new|freq|user|trends|priority)\.(\d{1,16})\.(\d{1,16})$/

export function writeIssueCursor({ way, sort, key, id }: IssueCursor): string {
  return `${way === 'next' ? 'n' : 'p'}.${sort}.${key}.${id}`
}

/**
 * Reads the cursor of an issue list. `null` for none, for a malformed one, and for one of another sort: the list then
 * begins at its start.
 */
export function readIssueCursor(text: string | null, sort: IssueSort): IssueCursor | null {
  const match = text === null ? null : CURSOR.exec(text)
  if (match === null || match[2] !== sort) return null
  return { way: match[1] === 'n' ? 'next' : 'previous', sort, key: Number(match[3]), id: Number(match[4]) }
}
