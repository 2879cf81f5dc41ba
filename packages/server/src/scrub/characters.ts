/** Classes of characters by their codes; the code behind a text's end is of none. */

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Letters and digits of ASCII. */
export function isAlnum(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x7a)
}

const charCodeAt = String.prototype.charCodeAt

/**
 * `text.charCodeAt(at)`, for loops over many texts. The engine keeps strings in more forms (cut, joined, of one or two
 * bytes) than it remembers at one place of the code; then it looks the method up for each character, which takes five
 * times as long as the rest of such a loop. Here nothing is looked up. `at` lies within the text: one look beyond it, and
 * the engine reckons with numbers that are none, at every place that calls this.
 */
export function codeAt(text: string, at: number): number {
  return charCodeAt.call(text, at)
}

/** A blank or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** A quote of any kind that code has. */
export function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60
}

/** True for a character of a name in code, in a header or in a person's language. */
export function isNameChar(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x24 ||
    code > 0x7f
  )
}
