/** Source lines of a frame, as one text in three parts: a private key may begin in one line and end in another. */

import { mapChanged } from '#base/mapped.ts'
import type { Frame } from '#model/event.ts'
import { isBlank, isNameChar, isQuote } from './characters.ts'
import { FILTERED } from './filtered.ts'
import { isSalad, isToldBare } from './letters.ts'
import { opensPrivateKey, privateKeyEnd } from './patterns.ts'
import { looksIssued } from './random.ts'
import type { ScrubWalk } from './walk.ts'

const COMMENT = /^[ \t]{0,80}(?:\/\/|\/?\*|#(?!\w*(?:define|include|if|endif))|--\s|;;|<!--)/

/** `"X-Api-Key",`: the name of what the next line gives. */
const NAME_GIVEN = /^\s{0,80}(?:[\w.]{1,64}\(\s{0,4})?["'`]([\w.-]{2,64})["'`],\s{0,8}$/
/** `- name: DB_PASSWORD` of YAML, and its value in the next line. */
const YAML_NAME = /^\s{0,80}- (?:name|key): ["']?([\w.-]{2,64})["']?\s{0,8}$/
const YAML_VALUE = /^(\s{1,80}(?:value|data): ["']?)([^\s"'{}$&*!|>#][^"'\s]{2,1024})["']?\s{0,8}$/
const PROMPT = /expect\w{0,12}[( ]{1,4}["'{][^"'}\n]{0,40}(?:assword|assphrase|asscode)/
const VALUE_ALONE =
  /^(\s{0,200}(?:[\w.]{0,40}send\w{0,12}[\s(]{1,4}(?:--?\s)?)?[bBuUrRfFL@$]{0,2}(["'`]))([^"'`\n\\]{6,1024})(?:\\[rn])?\2[\s,;)\]]{0,8}(?:\.\w{1,24}\(\)[;,]?)?$/
/** A list of fields holds secrets' names, too. */
const NAME_ONLY = /^[\p{L}_$][\p{L}_$.-]*$|\s/u
/** Signs between a name and a value, and what else stands there. */
const OPERATORS = ':=>?|'
const AROUND = '([ \t"\'`]'
const AROUND_MAX = 8
const NAME_MAX = 64

const DASH = 0x2d
const nameOfEntry = (line: string): string | null => YAML_NAME.exec(line)?.[1] ?? null

function firstSign(line: string): number {
  let at = 0
  while (isBlank(line.charCodeAt(at))) at++
  return at
}

/** The name that a line ends with, where its value would stand: `apiSecret:`, `password =`, `token=(`. */
function nameAtEnd(line: string): string | null {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--
  const last = line[end - 1] ?? ''
  if (last === ',') return isQuote(line.charCodeAt(end - 2)) ? (NAME_GIVEN.exec(line)?.[1] ?? null) : null
  if (last === ')' || last === '}' || last === ';' || last === '"')
    return line.includes('expect') && PROMPT.test(line) ? 'password' : null
  if (!OPERATORS.includes(last) && last !== '(' && last !== '[')
    return isNameChar(last.charCodeAt(0)) && line.charCodeAt(firstSign(line)) === DASH
      ? nameOfEntry(line)
      : null
  let stop = end
  let isNamed = false
  while (stop > 0 && end - stop < AROUND_MAX) {
    const sign = line[stop - 1] ?? ''
    if (OPERATORS.includes(sign)) isNamed = true
    else if (!AROUND.includes(sign)) break
    stop--
  }
  let start = stop
  while (start > 0 && stop - start < NAME_MAX && isNameChar(line.charCodeAt(start - 1))) start--
  return isNamed && stop - start > 1 ? line.slice(start, stop) : null
}

export type FrameLines = Pick<Frame, 'pre_context' | 'context_line' | 'post_context'>

/** The scrubbed lines in their own order, or `null` when they hold no secret. */
export function scrubLines(walk: ScrubWalk, frame: Frame): FrameLines | null {
  const reader = new LineReader(walk)
  // In this order: a key may begin in one part and end in the next.
  const before = frame.pre_context && reader.lines('pre_context', frame.pre_context)
  const line = frame.context_line === undefined ? undefined : reader.line('context_line', frame.context_line)
  const after = frame.post_context && reader.lines('post_context', frame.post_context)
  if (!reader.isChanged) return null
  return {
    ...(before === undefined ? {} : { pre_context: before }),
    ...(line === undefined ? {} : { context_line: line }),
    ...(after === undefined ? {} : { post_context: after }),
  }
}

class LineReader {
  readonly #walk: ScrubWalk
  /** True once a line came out other than it went in. */
  isChanged = false
  #inKey = false
  /** Name whose value the next line may hold. */
  #name: string | null = null

  constructor(walk: ScrubWalk) {
    this.#walk = walk
  }

  lines(key: string, lines: readonly string[]): readonly string[] {
    this.#walk.enter(key)
    const scrubbed = mapChanged(lines, (line, at) => this.line(at, line))
    this.#walk.leave()
    return scrubbed
  }

  line(key: string | number, line: string): string {
    this.#walk.enter(key)
    const scrubbed = this.#inKey ? this.#keyLine(line) : this.#codeLine(line)
    this.#walk.leave()
    if (scrubbed !== line) this.isChanged = true
    return scrubbed
  }

  #codeLine(line: string): string {
    if (line.length > 20 && line.includes('-----BEGIN')) this.#inKey = opensPrivateKey(line)
    const name = this.#name
    this.#name = nameAtEnd(line)
    if (name !== null) {
      const taken = this.#valueLine(name, line)
      if (taken !== null) return taken
    }
    // What people write in comments is text.
    return this.#walk.repeated(line, () => this.#walk.text(line, COMMENT.test(line) ? 'text' : 'source'))
  }

  /** A literal alone in its line, and the name of it at the end of the line before. */
  #valueLine(name: string, line: string): string | null {
    const [yaml, beforeYaml = '', plain = ''] = YAML_VALUE.exec(line) ?? []
    if (yaml !== undefined && this.#walk.isSecretName(name) && this.#walk.keyed(name, plain) === FILTERED)
      return beforeYaml + FILTERED + line.slice(beforeYaml.length + plain.length)
    const [whole, before = '', , value = ''] = VALUE_ALONE.exec(line) ?? []
    if (
      whole === undefined ||
      (NAME_ONLY.test(value) && !looksIssued(value) && !isSalad(value) && !isToldBare(value)) ||
      this.#walk.isSecretName(value) ||
      !this.#walk.isNamed(name, value) ||
      this.#walk.keyed(name, value) !== FILTERED
    )
      return null
    return before + FILTERED + line.slice(before.length + value.length)
  }

  #keyLine(line: string): string {
    const end = privateKeyEnd(line)
    this.#inKey = end === -1
    if (line === FILTERED || line.trim() === '') return line
    this.#walk.note('private_key')
    return FILTERED + (end === -1 ? '' : this.#walk.text(line.slice(end), 'source'))
  }
}
