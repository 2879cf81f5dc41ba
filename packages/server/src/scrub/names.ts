/** The name of a value, found before the sign that gives it: past blanks, quotes, brackets and types. */
import { isBlank, isNameChar, isQuote } from './characters.ts'

export interface Name {
  readonly text: string
  readonly start: number
}

export const NAME_CHARS = 96
export const GAP_CHARS = 8
const TAG_CHARS = 128
const EQUALS = 0x3d
const COLON = 0x3a
const SLASH = 0x2f

/** The name before a separator, past blanks, closing quotes and brackets: `"name" :`, `['name'] =`. */
export function nameBefore(text: string, at: number, code: number): Name | null {
  const next = text.charCodeAt(at + 1)
  // `userPassword:: dGVz…` of LDIF; without a blank it is a member of something.
  if (code === COLON && (next === COLON || (text.charCodeAt(at - 1) === COLON && !isBlank(next)))) return null
  if (code === COLON && next === SLASH && text.charCodeAt(at + 2) === SLASH) return null
  let end = at
  while (end > 0 && at - end < 3 && isOperator(text.charCodeAt(end - 1))) end--
  const blank = end
  while (end > 0 && blank - end < GAP_CHARS && isBlank(text.charCodeAt(end - 1))) end--
  const quote = end
  while (end > 0 && quote - end < 6 && isClosing(text.charCodeAt(end - 1))) end--
  // `name[] = X`
  if (end < at && text.charCodeAt(end - 1) === 0x5b && text.charCodeAt(end) === 0x5d) end--
  let start = end
  while (start > 0 && end - start < NAME_CHARS && isNameChar(text.charCodeAt(start - 1))) start--
  // `arn:…:secret:shop`: a part of a path of names.
  const isPath = code === COLON && end === at && text.charCodeAt(start - 1) === COLON && !isBlank(next)
  if (start === end || isPath) return null
  // `-Dsonar.login=X` of a virtual machine.
  if (text.charCodeAt(start) === 0x2d && /^-[DP](?=[a-z])/.test(text.slice(start, start + 3))) start += 2
  const name = { text: text.slice(start, end), start }
  if (text.charCodeAt(end) === 0x29 && /^\d/.test(name.text)) return sizedName(text, start) ?? name
  return code === EQUALS && TYPE_WORD.test(name.text) ? (typedName(text, start) ?? name) : name
}

/** `password varchar2(20) := 'X'`: behind a name, a type and its size. */
function sizedName(text: string, start: number): Name | null {
  const before = /([\w@-]{2,64})[ \t]{1,8}(?:[aA][sS] )?\w{2,20}\((?:\d{1,5},)?$/.exec(
    text.slice(Math.max(0, start - NAME_CHARS), start),
  )
  return before === null ? null : { text: before[1] ?? '', start: start - before[0].length }
}

export const TYPE_WORD = /^(?:string|str|text|char|byte|auto)$/i

/** `var token string = …`: the name stands before its type. */
function typedName(text: string, start: number): Name | null {
  const before = /([\w.-]{2,64})[ \t]{1,4}(?:[Aa]s[ \t]{1,4})?$/.exec(
    text.slice(Math.max(0, start - NAME_CHARS - GAP_CHARS), start),
  )
  const name = before?.[1]
  return name === undefined || before === null ? null : { text: name, start: start - before[0].length }
}

/** The element that a tag such as `<name attr="x">` opens. `=>` was seen at its `=`. */
export function tagBefore(text: string, at: number): Name | null {
  const before = text[at - 1]
  const from = Math.max(0, at - TAG_CHARS)
  const open = text.slice(from, at).lastIndexOf('<')
  if (open === -1) return null
  const start = from + open + 1
  let end = start
  while (end < at && (isNameChar(text.charCodeAt(end)) || text.charCodeAt(end) === COLON)) end++
  const local = text.slice(start, end)
  return local === '' || before === '/' ? null : { text: local, start }
}

/** `=`, `!`, `:`, `?`, `+`, `|` before a separator: `:=`, `!=`, `??=`. */
function isOperator(code: number): boolean {
  return code === EQUALS || code === 0x21 || code === COLON || code === 0x3f || code === 0x2b || code === 0x7c
}

/** Quotes, backslashes, brackets and `?` between a name and its separator. */
function isClosing(code: number): boolean {
  return isQuote(code) || code === 0x5c || code === 0x5d || code === 0x3f || code === 0x29
}
