/** Which rules a text can match at all, told by its characters alone. */
import { isDigit } from './characters.ts'

/** Shorter texts hold no secret. */
export const CHARS_MIN = 5

export const NAMED = 1
export const AT = 2
export const ESCAPED = 4
export const LONG = 8
/** As many digits as the shortest IBAN that is worth a look. */
export const DIGITS = 16
export const DASHES = 32
/** A blank after a letter that `Bearer`, `Basic` or `-u` ends in. */
export const SCHEME = 64
/** A run of digits as long as a card number, with signs between them. */
export const CARD = 128
/** A word and a blank: maybe a sentence or a command. */
export const BLANK = 256
export const SLASH = 512
/** A blank and a dash: maybe an option. */
export const DASH = 1_024
/** A letter of no Latin script: its words have no blanks that would tell. */
export const FOREIGN = 2_048

// What each character may trigger; built once, read for every character of every event.
const TRIGGER = new Uint16Array(128)
for (const letter of '=:>(') TRIGGER[letter.charCodeAt(0)] = NAMED
TRIGGER['@'.charCodeAt(0)] = AT
TRIGGER['/'.charCodeAt(0)] = SLASH
for (const letter of '%\\&') TRIGGER[letter.charCodeAt(0)] = ESCAPED
const WORD = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-') WORD[letter.charCodeAt(0)] = 1
for (const letter of '0123456789') WORD[letter.charCodeAt(0)] = 2

/** Letters that schemes end in. */
const SCHEME_ENDS = new Uint8Array(128)
for (const letter of 'rcunsyempkhtd') SCHEME_ENDS[letter.charCodeAt(0)] = 1
/** Signs that stand between groups of digits. */
const JOINING = new Uint8Array(128)
for (const sign of ' -._/,|') JOINING[sign.charCodeAt(0)] = 1

const LONG_RUN = 16
const DIGITS_MIN = 9
const CARD_RUN = 13

/** True for a text that no rule can match, whatever the project's keys; addresses are another matter. */
export function isHarmlessText(text: string): boolean {
  return text.length < CHARS_MIN || triggersOf(text) === 0
}

/** What a text may hold, in one walk over its characters: the one cost that every text of every event has. */
export function triggersOf(text: string): number {
  let triggers = 0
  let run = 0
  let digits = 0
  let digitRun = 0
  let dashes = 0
  const end = text.length
  for (let at = 0; at < end; at++) {
    let code = text.charCodeAt(at)
    // Most characters are small letters, and trigger nothing but a long run.
    if (code >= 0x61 && code <= 0x7a) {
      const start = at
      do code = ++at < end ? text.charCodeAt(at) : 0
      while (code >= 0x61 && code <= 0x7a)
      run += at - start
      if (run >= LONG_RUN) triggers |= LONG
      digitRun = 0
      if (at === end) break
    }
    if (code > 127) {
      run = 0
      if (code > 0x36f) triggers |= FOREIGN
      // Narrow blanks and long dashes join the groups of a number.
      if (code !== 0xa0 && (code < 0x2009 || code > 0x202f)) digitRun = 0
      continue
    }
    const word = WORD[code] ?? 0
    if (word === 2) {
      if (++run === LONG_RUN) triggers |= LONG
      if (++digitRun === CARD_RUN) triggers |= CARD
      if (++digits === DIGITS_MIN) triggers |= DIGITS
      continue
    }
    if (digitRun > 0 && !(JOINING[code] === 1 && (code === 0x20 || isDigit(text.charCodeAt(at - 1)))))
      digitRun = 0
    triggers |= TRIGGER[code] ?? 0
    if (word === 0) {
      if ((code === 0x20 || code === 0x09) && run > 0)
        triggers |= BLANK | schemeTrigger(text.charCodeAt(at - 1))
      run = 0
      continue
    }
    if (++run === LONG_RUN) triggers |= LONG
    if (code === 0x2d) {
      if (++dashes === 2) triggers |= DASHES
      if (text.charCodeAt(at - 1) === 0x20) triggers |= DASH
    }
  }
  return triggers
}

/** Last letters of the schemes and of `-u`, in either case: `Bearer`, `Basic`, `SSWS`, `Token`, `ApiKey` … */
function schemeTrigger(last: number): number {
  const lower = last | 0x20
  return SCHEME_ENDS[lower & 127] === 1 || last === 0x36 ? SCHEME : 0
}
