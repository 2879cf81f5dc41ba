/** Part of grouping version 1. Digits of other scripts, as `toLocaleString` and people write them. */

const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/g
/** Zero of each of these rows; its other digits follow it. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** Writes Arabic, Persian, Devanagari, Bengali, Thai and full-width digits as those of ASCII, so that rules see numbers. */
export function withAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
  })
}
