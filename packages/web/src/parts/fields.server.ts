/**
 * Fields of a form, turned into what commands take: text, numbers, ids, lists. What a value must be is the command's
 * rule alone; its refusal names the field. Here is refused only what has no such shape.
 */
import {
  array,
  literal,
  maxLength,
  nullish,
  optional,
  parseJson,
  picklist,
  pipe,
  record,
  regex,
  string,
  transform,
  trim,
  union,
  unknown,
} from 'valibot'

/** Longer than what the longest lists of a project make. */
const SEEN_CHARS_MAX = 1_000_000

/** Text as it was typed; a field that is absent is empty. */
export const textField = optional(string('This must be text.'), '')

/** Text that may be left out: nothing when it is empty. */
export const optionalTextField = pipe(
  textField,
  trim(),
  transform((text) => (text === '' ? undefined : text)),
)

/** An id in a hidden field. */
export const idField = pipe(
  string(),
  regex(/^[1-9]\d{0,14}$/, 'Unknown.'),
  transform((text) => Number(text)),
)

/** Boxes that may be ticked: none, one or several. */
export const idListField = optional(array(idField), [])

/** Field with the part of a list that a form shows; left out if it shows all of it. */
export const listedField = optional(array(idField))

/** The whole list again: of what the form shows those that are ticked, and all that it does not show. */
export function withUnlisted<Id extends number>(
  before: readonly Id[],
  { ticked, listed }: { readonly ticked: readonly Id[]; readonly listed: readonly number[] | undefined },
): readonly Id[] {
  if (listed === undefined) return ticked
  return [...new Set([...before.filter((id) => !listed.includes(id)), ...ticked])]
}

/** A number; what is none, or nothing, is `NaN`, which every rule about numbers refuses. */
export const numberField = pipe(
  textField,
  trim(),
  transform((text) => (text === '' ? Number.NaN : Number(text))),
)

/** A number, or nothing. */
export const optionalNumberField = pipe(
  nullish(string('This must be text.'), ''),
  trim(),
  transform((text) => (text === '' ? null : Number(text))),
)

/** A ticked box is `on`; one that is not ticked is absent. */
export const tickField = pipe(
  nullish(union([literal('on'), literal('')]), ''),
  transform((value) => value === 'on'),
)

/** Field with one of several words, as a select or a row of buttons offers. */
export const choiceField = <const T extends string>(words: readonly T[]) =>
  picklist(words, 'Choose from the list.')

/** A platform by its id; the empty one stands for all that are not listed. */
export const platformField = pipe(
  textField,
  transform((text) => (text === '' ? null : text)),
)

/** Lines of a text area, without empty ones. */
export const linesField = pipe(
  textField,
  transform((text) =>
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
)

/** The values a form was filled with (`Seen`); absent, nothing is compared. */
export const seenField = optional(
  pipe(string(), maxLength(SEEN_CHARS_MAX, 'Reload the page.'), parseJson(), record(string(), unknown())),
)
