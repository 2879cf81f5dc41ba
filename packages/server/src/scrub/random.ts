/** Whether chance wrote a text: small letters, capitals and digits change places far more often than in any word. */

interface Counts {
  readonly digits: number
  readonly lower: number
  readonly upper: number
  /** How often one class follows another. */
  readonly changes: number
}

function countsOf(text: string, start: number, end: number): Counts {
  let digits = 0
  let lower = 0
  let upper = 0
  let changes = 0
  let before = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    let kind = 0
    if (code >= 0x61 && code <= 0x7a) {
      lower++
      kind = 1
    } else if (code >= 0x41 && code <= 0x5a) {
      upper++
      kind = 2
    } else if (code >= 0x30 && code <= 0x39) {
      digits++
      kind = 3
    } else continue
    if (before !== 0 && kind !== before) changes++
    before = kind
  }
  return { digits, lower, upper, changes }
}

/**
 * Least share of changes: in words and identifiers one character in five begins another class at most, in
 * chance every third or second.
 */
const CHANGES_MIN = 0.2
const MIXED_CHANGES_MIN = 0.36

/** `mixed` asks for all three classes: hexadecimal ids and digests are no keys by themselves. */
export function isRandom(
  text: string,
  start: number,
  end: number,
  kind: 'any' | 'mixed' | 'lower' = 'any',
): boolean {
  const { digits, lower, upper, changes } = countsOf(text, start, end)
  const all = digits + lower + upper
  if (kind === 'mixed') return digits >= 3 && lower >= 4 && upper >= 4 && changes >= all * MIXED_CHANGES_MIN
  if (kind === 'lower') return digits >= 3 && changes >= all * CHANGES_MIN
  if (lower + upper === 0 || all < 8) return false
  return digits >= 2
    ? changes >= all * CHANGES_MIN
    : lower >= 4 && upper >= 4 && changes >= all * MIXED_CHANGES_MIN
}

/** More than small letters: after a prefix that nothing else begins with, that is enough. */
export function isBroken(text: string, start: number, end: number): boolean {
  const { digits, lower, upper } = countsOf(text, start, end)
  return digits > 0 || (upper > 0 && lower > 0) || (upper > 0 && lower === 0)
}

/** `product:3723:v3`: what caches call things, kinds and numbers. */
const NUMBERED = /^[a-z]{2,24}(?::(?:[a-z]{2,24}|\d{1,12}|v\d{1,3})){1,6}$/i

/** `uploads/3f2a….jpg`: a file in a folder. */
const FILE = /^[a-z][\w-]{0,63}\/[\w./-]{1,256}\.[a-z][a-z0-9]{1,4}$/i

/** Whether a value could be a key or a code at all: no words, no sentence, no path, no version, no address. */
export function looksIssued(value: string): boolean {
  if (value.includes(':') && NUMBERED.test(value)) return false
  if (FILE.test(value)) return false
  if (value.length < 8 || value.length > 4_096 || /[\s(){}<>]|:\/\//.test(value)) return false
  if (/^(?:[./~]|[A-Za-z]:\\)|^v?\d+(?:\.\d+){1,3}(?:[-+]|$)|^\d{4}-\d\d-\d\d|^[\d.,:-]+$/.test(value))
    return false
  const { digits, lower, upper, changes } = countsOf(value, 0, value.length)
  const letters = lower + upper
  if (digits >= 2) return letters >= 2 && changes >= 3 && changes >= value.length * 0.12
  return value.length >= 12 && lower >= 3 && upper >= 3 && changes >= (digits + letters) * MIXED_CHANGES_MIN
}

/** True for capitals and digits with enough digits: chance leaves few among them. */
export function holdsDigits(text: string, start: number, end: number): boolean {
  const { digits, upper } = countsOf(text, start, end)
  return digits >= 1 && upper >= 4
}
