/** Text that goes where only one line may: headers, subjects, sentences. */
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Marks that turn the reading direction round: a title must not rearrange the line it stands in. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Returns one line of at most `charsMax` characters: for headers, subjects and sentences. */
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
