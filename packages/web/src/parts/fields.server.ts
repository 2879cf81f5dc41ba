/** Schemas of form fields that several actions share. The message is the rule, as it stands beside the field. */
import { max } from '@errata/server/limits'
import {
  array,
  email,
  literal,
  maxLength,
  minLength,
  nullish,
  optional,
  pipe,
  regex,
  string,
  transform,
  trim,
  union,
} from 'valibot'

const chars = (count: number) => `${count.toLocaleString('en-US')} characters`

/** A name of something: one line, not empty. */
export const nameField = pipe(
  string('Give it a name.'),
  trim(),
  minLength(1, 'Give it a name.'),
  maxLength(max('nameCharsMax'), `At most ${chars(max('nameCharsMax'))}.`),
)

/** A name that may be left out. */
export const optionalNameField = pipe(
  optional(string(), ''),
  trim(),
  maxLength(max('nameCharsMax'), `At most ${chars(max('nameCharsMax'))}.`),
)

export const emailField = pipe(
  string('Enter a mail address.'),
  trim(),
  email('Enter a mail address such as ada@example.com.'),
  maxLength(254, `At most ${chars(254)}.`),
)

export const passwordRule = `At least ${chars(max('passwordCharsMin'))}.`

/** A password somebody chooses now. */
export const newPasswordField = pipe(
  string(passwordRule),
  minLength(max('passwordCharsMin'), passwordRule),
  maxLength(max('passwordCharsMax'), `At most ${chars(max('passwordCharsMax'))}.`),
)

/** A password that is compared; its rules are those of the day it was chosen. */
export const oldPasswordField = pipe(
  string('Enter the password.'),
  minLength(1, 'Enter the password.'),
  maxLength(max('passwordCharsMax'), `At most ${chars(max('passwordCharsMax'))}.`),
)

export const slugRule = `Lower-case letters, digits and hyphens only, 2 to ${max('slugCharsMax')}.`
export const slugField = pipe(
  string(slugRule),
  trim(),
  regex(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/, slugRule),
  maxLength(max('slugCharsMax'), slugRule),
)

/** An id in a hidden field. */
export const idField = pipe(
  string(),
  regex(/^[1-9]\d{0,14}$/, 'Unknown.'),
  transform((text) => Number(text)),
)

/** Boxes that may be ticked: none, one or several. */
export const idListField = optional(
  pipe(array(idField), maxLength(max('projectsPerOrgMax'), 'Too many.')),
  [],
)

/** A count, or nothing. */
export const countField = nullish(
  pipe(
    string(),
    trim(),
    regex(/^(?:[1-9]\d{0,8})?$/, 'A number from 1 to 999,999,999, or nothing.'),
    transform((text) => (text === '' ? null : Number(text))),
  ),
  null,
)

/** A ticked box is `on`; one that is not ticked is absent. */
export const tickField = pipe(
  nullish(union([literal('on'), literal('')]), ''),
  transform((value) => value === 'on'),
)

/** Lines of a text area, without empty ones. */
export const linesField = (rule: { readonly countMax: number; readonly charsMax: number }) =>
  pipe(
    optional(string(), ''),
    transform((text) =>
      text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
    maxLength(rule.countMax, `At most ${rule.countMax} lines.`),
    array(pipe(string(), maxLength(rule.charsMax, `At most ${rule.charsMax} characters a line.`))),
  )
