/** Classes of characters by their codes; the code behind a text's end is of none. */

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Letters and digits of ASCII. */
export function isAlnum(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x7a)
}

/** True for a blank or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** True for a quote of any kind that code has. */
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
