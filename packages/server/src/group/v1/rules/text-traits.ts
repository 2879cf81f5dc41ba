/** Part of grouping version 1. What a text holds, so that most rules are left out by a look at its characters. */

export const DIGIT_TRAIT = 1
export const SIGN_AT = 2
export const SLASH = 4
/** `/` or a backslash. */
export const PATH = 8
export const DOT = 16
export const COLON = 32
export const DASH = 64
export const EQUALS = 128
export const UNDERSCORE = 256
/** A run of so many letters and digits. */
export const RUN_7 = 512
export const RUN_32 = 1_024
/** A run of 16 letters, digits, underscores and dashes. */
export const WORD_16 = 2_048
export const DAY_NAME_TRAIT = 4_096
export const MONTH = 8_192
/** `<`: no text has it that no row wrote into, but those of Erlang and of markup. */
export const ANGLE = 16_384
export const ROUND = 32_768
export const CURLY = 65_536
export const PERCENT = 131_072
/** A mark of a currency, or a word that stands for one. */
export const MONEY = 262_144
export const QUESTION = 524_288
/** Words of a statement. */
export const SQL = 1_048_576
export const PLUS = 2_097_152
/** A year behind a blank, as in a date of words. */
export const YEAR = 4_194_304
