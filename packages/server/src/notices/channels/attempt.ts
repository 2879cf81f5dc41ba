/** What one try to send came to. */
export type Attempt =
  | { readonly outcome: 'sent'; readonly says: string }
  /** Trying again will not change the answer. */
  | { readonly outcome: 'refused'; readonly says: string }
  /** It may pass: a busy or unreachable receiver, a time-out. */
  | {
      readonly outcome: 'failed'
      readonly says: string
      /** The server that every delivery of its channel goes through did not take part: none of them would arrive. */
      readonly isServerAway?: true
    }

const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Marks that turn the reading direction round: a title must not rearrange the line it stands in. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** One line of at most `charsMax` characters, whatever it was: for headers, subjects and sentences. */
export function oneLine(text: string, charsMax: number): string {
  const line = text
    .toWellFormed()
    .replace(DIRECTION, '')
    .replace(LINE_BREAKS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= charsMax ? line : `${characters.slice(0, charsMax - 1).join('')}…`
}
