/**
 * Meaning of marks and runs of a text to a scan of bytes. Each is looser than what `triggers.ts` concludes of
 * the same: a text that this calls clean triggers nothing, or no rule but those of names before signs, of
 * calls and of elements, of which the scan has shown that they match nothing.
 */
import {
  AT_SIGN,
  CALL,
  COMMAND,
  DASHED,
  ELEMENT,
  ESCAPED,
  FOREIGN,
  HASHED,
  HOOK,
  LESS,
  LINK,
  MULTIPART,
  NAMED,
  NOUN,
  PEM,
  PLACED,
  QUOTED,
  SCHEME,
  VALUES,
} from '../triggers.ts'
import { STEP, UNQUOTED_CALL } from './layout.ts'

export { SEED_CHARS_MIN } from '../seeds.ts'

export {
  BLOB_RUN,
  CARD_RUN,
  CHARS_MIN,
  CODED,
  DIGITS_MIN,
  GIVEN,
  ISSUED,
  LONG_RUN,
  NATIONAL,
  NATIONAL_DIGITS,
  WORD_RUN,
} from '../triggers.ts'

/** Never clean. */
export const ALWAYS =
  AT_SIGN |
  ESCAPED |
  DASHED |
  SCHEME |
  LINK |
  STEP |
  PEM |
  MULTIPART |
  HOOK |
  HASHED |
  LESS |
  FOREIGN |
  UNQUOTED_CALL
/** Sentences and commands, which have blanks. */
export const IN_WORDS = NOUN | COMMAND | PLACED
/** Marks behind a word and a blank. */
export const OF_VALUES = VALUES | QUOTED
/** Marks of quoting texts, of which only selectors are clean: `button[type="submit"]`. */
export const QUOTING = CALL | ELEMENT
/** Without one of these a part of a secret's name means nothing, but behind `ENV`. */
export const BESIDE_GIVEN = PLACED | CALL | NAMED
