/** Classes of characters by their codes; the code behind a text's end is of none. */

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Letters and digits of ASCII. */
export function isAlnum(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x7a)
}
