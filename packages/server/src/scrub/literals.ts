/** Values by the signs that they stand between: quotes, brackets, elements, blocks of YAML. */

export interface Value {
  readonly start: number
  readonly end: number
}

/** `Some("X")` and its kin: what holds a value or none. */
const WRAPPED =
  /^\[\]string\{(?=\\?")|^(?:Some|Optional|Just|Full|Ok|Sensitive|Secret(?:Str(?:ing)?)?)\((?=\\?["'])/

/** Behind `["password"]=>`, in the next line. */
const DUMPED = /^\n[ \t]{0,32}string\(\d{1,6}\)\s/

/** `!!str X` of YAML, `string(14) "X"` of a dump, `(X)` of a database's complaint. */
export function pastTag(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === 0x3c && text.startsWith('<<"', start)) return start + 2
  if (code === 0x26)
    return start + (/^&[\w-]{1,40} (?!=)/.exec(text.slice(start, start + 44))?.[0].length ?? 0)
  if ((code >= 0x46 && code <= 0x53) || code === 0x5b)
    return start + (WRAPPED.exec(text.slice(start, start + 16))?.[0].length ?? 0)
  if (code === 0x0a) return start + (DUMPED.exec(text.slice(start, start + 64))?.[0].length ?? 0)
  if (code !== 0x21 && code !== 0x73 && code !== 0x28) return start
  if (code === 0x28) return text.charCodeAt(start - 2) === 0x29 ? start + 1 : start
  return (
    start + (/^(?:!!?\w{1,12}\s|string\(\d{1,6}\)\s)?/.exec(text.slice(start, start + 24))?.[0].length ?? 0)
  )
}

/** A quoted value, its quotes escaped or not, perhaps with a prefix (`b'…'`) or tripled; open at the end is fine. */
export function literalAt(text: string, from: number): Value | null {
  let at = from
  while (at - from < 2 && /[bBuUrRfFLN@$]/.test(text[at] ?? '') && /[bBuUrRfF"'\\]/.test(text[at + 1] ?? ''))
    at++
  let escapes = 0
  while (escapes < 16 && text.charCodeAt(at + escapes) === 0x5c) escapes++
  const quote = text[at + escapes]
  if (quote !== '"' && quote !== "'" && quote !== '`') return sigilAt(text, at)
  if (escapes === 0 && text.startsWith(quote.repeat(3), at)) return until(text, at + 3, quote.repeat(3))
  const start = at + escapes + 1
  return until(text, start, '\\'.repeat(escapes) + quote)
}

/** Literals without quotes: `~s(X)`, `%q{X}`, `q{X}`, `[[X]]`, `r#"X"#`. */
const SIGIL = /^(?:~[a-zA-Z]|%[qQ]?|qq?)([({[|!/<])(?=[^\s)}\]])|^\[(\[)|^r#{1,4}(")/
const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' }

function sigilAt(text: string, from: number): Value | null {
  const code = text.charCodeAt(from)
  if (code !== 0x7e && code !== 0x25 && code !== 0x71 && code !== 0x5b && code !== 0x72) return null
  const match = SIGIL.exec(text.slice(from, from + 8))
  if (match === null) return null
  const opening = match[1] ?? match[2] ?? match[3] ?? ''
  const closing = CLOSED_BY[opening] ?? opening
  const start = from + match[0].length
  const end = text.indexOf(closing, start)
  return end === -1 || end - start > 512 ? null : { start, end }
}

function until(text: string, start: number, terminator: string): Value {
  let end = text.indexOf(terminator, start)
  // A terminator with one more backslash before it belongs to the value.
  while (end > start && isEscaped(text, start, end)) end = text.indexOf(terminator, end + 1)
  return { start, end: end === -1 ? text.length : end }
}

function isEscaped(text: string, start: number, at: number): boolean {
  let count = 0
  while (at - count > start && count < 16 && text.charCodeAt(at - count - 1) === 0x5c) count++
  return count % 2 === 1
}

/** From a bracket to its partner; to the end of a text that was cut. */
export function structure(text: string, start: number): Value | null {
  const close = text[start] === '{' ? '}' : text[start] === '[' ? ']' : ')'
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const letter = text[at]
    if (letter === text[start]) depth++
    else if (letter === close && --depth === 0) return at - start <= 1 ? null : { start, end: at + 1 }
  }
  return text.length - start <= 1 ? null : { start, end: text.length }
}

/** `<Buffer 70 61 …>`, as Node writes bytes. */
export function bufferAt(text: string, start: number): Value | null {
  if (text.charCodeAt(start) !== 0x3c || !text.startsWith('<Buffer ', start)) return null
  const end = text.indexOf('>', start)
  return { start: start + '<Buffer '.length, end: end === -1 ? text.length : end }
}

const BLOCK = /[|>][-+\d]{0,2}[ \t]{0,8}(?:#[^\n]{0,80})?\r?\n(?=([ \t]{1,80})\S)/y

/** `password: |` of YAML and, below, the lines that are further in. */
export function blockAt(text: string, at: number): Value | null {
  const code = text.charCodeAt(at)
  if (code !== 0x7c && code !== 0x3e) return null
  BLOCK.lastIndex = at
  const indent = BLOCK.exec(text)?.[1]
  if (indent === undefined) return null
  const first = BLOCK.lastIndex
  let end = first
  while (text.startsWith(indent, end)) {
    const stop = text.indexOf('\n', end)
    if (stop === -1) return { start: first + indent.length, end: text.length }
    end = stop + 1
  }
  return { start: first + indent.length, end: end - 1 }
}

const CDATA = '<![CDATA['

export function elementText(text: string, from: number): Value | null {
  // `<Password><Value>X</Value>` of an answer file.
  const start = from + (/^\s{0,8}<(?:value|string)>/i.exec(text.slice(from, from + 20))?.[0].length ?? 0)
  if (text.startsWith(CDATA, start)) {
    const close = text.indexOf(']]>', start)
    return { start: start + CDATA.length, end: close === -1 ? text.length : close }
  }
  const end = text.indexOf('<', start)
  // `<password> is required`: a placeholder, and no element.
  if (end === -1 && text.charCodeAt(start) === 0x20) return null
  const stop = end === -1 ? text.length : end
  return text.slice(start, stop).trim() === '' ? null : { start, end: stop }
}
