/**
 * Groups of what is recognised. Its text varies by build, browser and the number of a chunk while the cause is one, so
 * that where it happened takes the place of text and stack trace. Version 1 itself is untouched: an event that is not
 * recognised has the hash it always had.
 */
import type { GroupedBy, Grouping, GroupingComponent } from '#model/event.ts'
import { hashParts } from './v1/hash.ts'

const VERSION = 1
const VALUE_CHARS_MAX = 500

/** `null` where the event says nothing of where it happened, so that version 1 decides. */
export function groupRecognised({ name, parts }: GroupedBy): Grouping | null {
  if (parts.every(({ value }) => value === null)) return null
  const known = parts.map(({ value }) => (value ?? '').slice(0, VALUE_CHARS_MAX))
  return {
    version: VERSION,
    hash: hashParts([name, ...known]),
    get explanation() {
      return parts.flatMap(({ value, note }): readonly GroupingComponent[] =>
        value === null ? [] : [{ name, value: value.slice(0, VALUE_CHARS_MAX), note, contributes: true }],
      )
    },
  }
}
