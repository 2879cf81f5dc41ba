/**
 * Rows as they enter the column store: a line of text each, written by the process threads, so that the commit joins
 * lines and looks into none. Fields are parted by US; SUB is null (and an empty list); lines are parted by RS.
 *
 *   seq US project US … US is_mirror US implied US GS key=value GS key=value GS US GS id:… GS email:… GS
 *
 * Tags that repeat a column are left out, and a bit each of `implied` says which: they are three of four. Lists are
 * texts, because a transaction that appends to a list column logs all lists of the last 2,048 rows again: 44 KB a row
 * at 5 rows a transaction, against 250 bytes (DuckDB 1.5).
 *
 * A value may hold those characters itself: then the line is JSON, and a GS inside a list is written ESC g.
 */
import { codeAt } from '#base/code-at.ts'
import type { RowTable, RowValues, StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { impliedBits, listedPairs, pairsIn, type TagPairs, withImplied } from '#model/implied-tags.ts'
import { sharedTailOf } from '#model/shared-tails.ts'
import type { RowEncoder, WrittenRow } from '#ports/telemetry.ts'
import { columnsOf, type TableColumns } from './table-columns.ts'

export const RS = '\x1e'
export const US = '\x1f'
export const GS = '\x1d'
export const SUB = '\x1a'

/** The forms of a line: fields by their places, or an object with the fields by name. */
const PLAIN = 0
export const JSON_LINE = 1

const ESC = '\x1b'
const ESC_CODE = ESC.charCodeAt(0)
const EQUALS_CODE = '='.charCodeAt(0)
const BACKSLASH_CODE = '\\'.charCodeAt(0)
const RS_CODE = RS.charCodeAt(0)
const US_CODE = US.charCodeAt(0)
const GS_CODE = GS.charCodeAt(0)
const SUB_CODE = SUB.charCodeAt(0)
const BYTES_AT_FIRST = 1_024
/** The most that one UTF-16 unit becomes in UTF-8. */
const BYTES_PER_UNIT_MAX = 3
/** Longer texts are encoded by Node and looked through behind that. */
const UNITS_ALONE_MAX = 24
/** Encodes rows as `RowEncoding` of the ports. Pure: the process threads load it without the column store. */
export function encodeRows<R extends StoredRow>(table: RowTable<R>): RowEncoder<R> {
  return new RowLines(columnsOf(table))
}

/** Encodes one row as the commit would pass it on. */
export function writtenRow<R extends StoredRow>(table: RowTable<R>, row: R): WrittenRow {
  const { seq, timestampMs, day, retentionDays } = row
  const lines = encodeRows(table)
  const form = lines.add(row)
  const file: FileName = { kind: table.kind, day, retentionDays }
  return { seq, timestampMs, file, line: Buffer.from(lines.finish()).toString('utf8'), form }
}

/** Tails of lists without a character that a line could not hold, each element with a GS behind it. */
const TAILS = new WeakMap<readonly string[], Buffer>()

/**
 * Writes lines one after the other as UTF-8; lone surrogates, which it cannot hold, become U+FFFD. Byte by byte,
 * because most values are short and plain: 2 µs a row instead of 14 for joining texts and encoding what comes out
 * (2 vCPU AMD EPYC, 2026-11-21).
 */
class RowLines implements RowEncoder {
  readonly #columns: TableColumns
  #bytes = Buffer.allocUnsafe(BYTES_AT_FIRST)
  #at = 0
  /** A value of the line at hand holds a separator. */
  #isAwkward = false

  constructor(columns: TableColumns) {
    this.#columns = columns
  }

  get end(): number {
    return this.#at
  }

  add(row: StoredRow): number {
    const start = this.#at
    const values: RowValues = row
    this.#isAwkward = false
    this.#values(values)
    this.#lists(values)
    if (!this.#isAwkward) return PLAIN
    this.#at = start
    this.#text(jsonLine(values, this.#columns))
    return JSON_LINE
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  #values(row: RowValues): void {
    let isFirst = true
    for (const { key } of this.#columns.values) {
      if (isFirst) isFirst = false
      else this.#code(US_CODE)
      const value = row[key]
      if (value === null || value === undefined) this.#code(SUB_CODE)
      else this.#text(typeof value === 'string' ? value : String(value))
    }
  }

  #lists(row: RowValues): void {
    const { lists, implied } = this.#columns
    const bits = bitsOf(row, this.#columns)
    if (implied !== null) {
      this.#code(US_CODE)
      this.#text(String(bits))
    }
    for (const { key, holds } of lists) {
      this.#code(US_CODE)
      if (holds === 'pairs') this.#pairs(pairsIn(row[key]), bits)
      else this.#list(listIn(row, key))
    }
  }

  #list(elements: readonly string[]): void {
    this.#code(elements.length === 0 ? SUB_CODE : GS_CODE)
    const shared = sharedTailOf(elements)
    const end = shared?.from ?? elements.length
    for (let at = 0; at < end; at++) this.#element(elements[at] ?? '')
    if (shared !== null) this.#tail(shared.tail)
  }

  #element(element: string): void {
    this.#part(element)
    this.#code(GS_CODE)
  }

  /** Written the first time it is met, then copied: most rows of a group end alike. */
  #tail(tail: readonly string[]): void {
    const known = TAILS.get(tail)
    if (known !== undefined) {
      if (this.#at + known.length > this.#bytes.length) this.#grow(known.length)
      this.#bytes.set(known, this.#at)
      this.#at += known.length
      return
    }
    const start = this.#at
    const wasAwkward = this.#isAwkward
    this.#isAwkward = false
    for (const element of tail) this.#element(element)
    // One of a line that is written as JSON is written there.
    if (!this.#isAwkward) TAILS.set(tail, Buffer.from(this.#bytes.subarray(start, this.#at)))
    this.#isAwkward ||= wasAwkward
  }

  #pairs(pairs: TagPairs, implied: number): void {
    const { tags } = this.#columns
    const start = this.#at
    this.#code(GS_CODE)
    for (const [key, value] of pairs) {
      if ((implied & (tags.get(key)?.bit ?? 0)) !== 0) continue
      this.#tagKey(key)
      this.#code(EQUALS_CODE)
      this.#part(value)
      this.#code(GS_CODE)
    }
    if (this.#at > start + 1) return
    this.#at = start
    this.#code(SUB_CODE)
  }

  #tagKey(key: string): void {
    const start = this.#at
    this.#part(key)
    if (!this.#holds(EQUALS_CODE, start) && !this.#holds(BACKSLASH_CODE, start)) return
    this.#at = start
    this.#part(encodeTagKey(key))
  }

  /** A text inside a list. */
  #part(text: string): void {
    const start = this.#at
    this.#text(text)
    if (this.#holds(ESC_CODE, start)) this.#isAwkward = true
  }

  /** True if what was written since holds the code, which is one of ASCII. */
  #holds(code: number, start: number): boolean {
    const bytes = this.#bytes
    for (let at = start; at < this.#at; at++) if (bytes[at] === code) return true
    return false
  }

  #code(code: number): void {
    if (this.#at === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#at++] = code
  }

  #text(text: string): void {
    const { length } = text
    const room = length * BYTES_PER_UNIT_MAX
    if (this.#at + room > this.#bytes.length) this.#grow(room)
    if (length > UNITS_ALONE_MAX || !this.#shortText(text, length)) this.#anyText(text)
  }

  /** Writes a text that there is room for; false, and nothing is written, where it goes beyond ASCII. */
  #shortText(text: string, length: number): boolean {
    const bytes = this.#bytes
    let at = this.#at
    for (let index = 0; index < length; index++) {
      const code = codeAt(text, index)
      if (code >= 0x80) return false
      if (code < 0x20 && isSeparator(code)) this.#isAwkward = true
      bytes[at++] = code
    }
    this.#at = at
    return true
  }

  /** Writes a text that there is room for. */
  #anyText(text: string): void {
    const bytes = this.#bytes
    const end = this.#at + bytes.write(text, this.#at)
    for (let at = this.#at; at < end; at++) {
      const code = bytes[at] ?? 0
      if (code < 0x20 && isSeparator(code)) this.#isAwkward = true
    }
    this.#at = end
  }

  #grow(room: number): void {
    const bytes = Buffer.allocUnsafe(2 * (this.#bytes.length + room))
    this.#bytes.copy(bytes, 0, 0, this.#at)
    this.#bytes = bytes
  }
}

function listIn(row: RowValues, key: string): readonly string[] {
  return (row[key] ?? []) as readonly string[] // a list, as the table says; older rows may lack it
}

function isSeparator(code: number): boolean {
  return code === RS_CODE || code === US_CODE || code === GS_CODE || code === SUB_CODE
}

function jsonLine(row: RowValues, columns: TableColumns): string {
  const line: Record<string, unknown> = {}
  for (const { key } of columns.values) {
    const value = row[key]
    line[key] = typeof value === 'string' ? value.toWellFormed() : value
  }
  const implied = bitsOf(row, columns)
  if (columns.implied !== null) line.implied = implied
  for (const { key, holds } of columns.lists) {
    const pairs = () => listedPairs(pairsIn(row[key]), implied, columns.tags).map(encodeTag)
    line[key] = listText(holds === 'pairs' ? pairs() : listIn(row, key))
  }
  return JSON.stringify(line)
}

function bitsOf(row: RowValues, { implied, lists, tags }: TableColumns): number {
  const column = lists.find(({ holds }) => holds === 'pairs')
  return implied === null || column === undefined ? 0 : impliedBits(row, pairsIn(row[column.key]), tags)
}

/** The pairs of a row as stored: `listed` is their text, `row` holds its columns. */
export function readPairs(
  row: RowValues,
  { tags }: TableColumns,
  stored: { readonly implied: number; readonly listed: string | null },
): TagPairs {
  return withImplied(row, { listed: splitListText(stored.listed).map(decodeTag), bits: stored.implied }, tags)
}

/** A list as one text, in which each element has a GS on either side; `null` for an empty one. */
export function listText(elements: readonly string[]): string | null {
  return elements.length === 0 ? null : `${GS}${elements.map(escapeElement).join(GS)}${GS}`
}

export function splitListText(text: string | null): string[] {
  if (text === null) return []
  const elements = text.slice(1, -1).split(GS)
  return text.includes(ESC) ? elements.map(unescapeElement) : elements
}

/** Escapes an element as it stands in a `listText`, without the GS around it. */
export function escapeElement(element: string): string {
  return element.toWellFormed().replaceAll(ESC, `${ESC}e`).replaceAll(GS, `${ESC}g`)
}

function unescapeElement(element: string): string {
  return element.replaceAll(`${ESC}g`, GS).replaceAll(`${ESC}e`, ESC)
}

/** `key=value`. An `=` in a key, which no SDK sends, is written `\e`, so that the first `=` ends the key. */
function encodeTag([key, value]: readonly [string, string]): string {
  return `${encodeTagKey(key)}=${value}`
}

export function encodeTagKey(key: string): string {
  return key.includes('=') || key.includes('\\') ? key.replaceAll('\\', '\\\\').replaceAll('=', '\\e') : key
}

/** Decodes what `encodeTag` wrote. */
export function decodeTag(entry: string): [string, string] {
  const end = entry.indexOf('=')
  const key = entry.slice(0, end)
  const plain = key.includes('\\') ? key.replace(/\\(.)/g, (_, code) => (code === 'e' ? '=' : code)) : key
  return [plain, entry.slice(end + 1)]
}
