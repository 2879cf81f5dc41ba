/**
 * Rows as the column store takes them: a line of text each, written by the process threads, so that the commit joins
 * lines and looks into none. Fields are parted by US; SUB is null (and an empty list); the store parts lines by RS.
 *
 *   seq US project US … US is_mirror US implied US GS key=value GS key=value GS US GS id:… GS email:… GS
 *
 * Tags that repeat a column are left out, and a bit each of `implied` says which: they are three of four. Lists are
 * texts, because a transaction that appends to a list column logs all lists of the last 2,048 rows again: 44 KB a row
 * at 5 rows a transaction, against 250 bytes (DuckDB 1.5).
 *
 * A value may hold those characters itself: then the line is JSON, and a GS inside a list is written ESC g.
 */
import type { EventRow } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'

/** The file's name says the day and the class; implied tags, the other tags and people come last. */
export type RowField = Exclude<keyof EventRow, 'day' | 'retentionDays' | 'tags' | 'people'>

/** Fields in the order in which a line holds them, and of which type their text is. */
export const ROW_FIELDS = {
  seq: 'whole',
  projectId: 'whole',
  groupHash: 'text',
  eventId: 'text',
  timestampMs: 'number',
  receivedMs: 'number',
  level: 'text',
  platform: 'text',
  title: 'text',
  culprit: 'text',
  environment: 'text',
  release: 'text',
  dist: 'text',
  transaction: 'text',
  browser: 'text',
  os: 'text',
  runtime: 'text',
  device: 'text',
  serverName: 'text',
  url: 'text',
  user: 'text',
  handled: 'flag',
  traceId: 'text',
  spanId: 'text',
  requestKind: 'text',
  route: 'text',
  sdk: 'text',
  isMirror: 'flag',
} as const satisfies Record<RowField, 'whole' | 'number' | 'text' | 'flag'>

const FIELDS = Object.keys(ROW_FIELDS) as readonly RowField[] // Object.keys forgets the keys of the table above

export const RS = '\x1e'
export const US = '\x1f'
export const GS = '\x1d'
export const SUB = '\x1a'

export interface RowLine {
  readonly line: string
  /** An object with the fields by name, instead of fields by their places. */
  readonly isJson: boolean
}

export interface WrittenRow extends RowLine, Pick<EventRow, 'seq' | 'timestampMs'> {
  readonly file: FileName
}

export function writtenRow(row: EventRow): WrittenRow {
  const { seq, timestampMs, day, retentionDays } = row
  return { seq, timestampMs, file: { day, retentionDays }, ...rowLine(row) }
}

export function rowLine(row: EventRow): RowLine {
  const lines = new RowLines()
  const isJson = lines.add(row) === 'json'
  return { line: Buffer.from(lines.finish()).toString('utf8'), isJson }
}

const ESC = '\x1b'
const [RS_CODE, US_CODE, GS_CODE, SUB_CODE] = [RS, US, GS, SUB].map((text) => text.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
] // as many as are named
const BYTES_AT_FIRST = 1_024
/** The most that one UTF-16 unit becomes in UTF-8. */
const BYTES_PER_UNIT_MAX = 3

/**
 * Writes lines one after the other as UTF-8; lone surrogates, which it cannot hold, become U+FFFD. Byte by byte,
 * because most values are short and plain: 2 µs a row instead of 14 for joining texts and encoding what comes out
 * (2 vCPU AMD EPYC, 2026-11-21).
 */
export class RowLines {
  #bytes = Buffer.allocUnsafe(BYTES_AT_FIRST)
  #at = 0
  /** A value of the line at hand holds a separator. */
  #isAwkward = false

  /** Where the last line ends, in bytes. */
  get end(): number {
    return this.#at
  }

  add(row: EventRow): 'plain' | 'json' {
    const start = this.#at
    this.#isAwkward = false
    for (const field of FIELDS) {
      const value = row[field]
      if (value === null) this.#code(SUB_CODE)
      else this.#text(typeof value === 'string' ? value : String(value))
      this.#code(US_CODE)
    }
    const implied = impliedTags(row)
    this.#text(String(implied))
    this.#code(US_CODE)
    this.#tags(row, implied)
    this.#code(US_CODE)
    if (row.people.length === 0) this.#code(SUB_CODE)
    else this.#code(GS_CODE)
    for (const key of row.people) {
      this.#part(key)
      this.#code(GS_CODE)
    }
    if (!this.#isAwkward) return 'plain'
    this.#at = start
    this.#text(jsonLine(row))
    return 'json'
  }

  /** Everything added. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  #tags({ tags }: EventRow, implied: number): void {
    const start = this.#at
    this.#code(GS_CODE)
    for (const [key, value] of tags) {
      if ((implied & (IMPLIED_BITS.get(key) ?? 0)) !== 0) continue
      this.#part(encodeTagKey(key))
      this.#text('=')
      this.#part(value)
      this.#code(GS_CODE)
    }
    if (this.#at > start + 1) return
    this.#at = start
    this.#code(SUB_CODE)
  }

  /** A text inside a list. */
  #part(text: string): void {
    if (text.includes(ESC)) this.#isAwkward = true
    this.#text(text)
  }

  #code(code: number): void {
    if (this.#at === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#at++] = code
  }

  #text(text: string): void {
    const room = text.length * BYTES_PER_UNIT_MAX
    if (this.#at + room > this.#bytes.length) this.#grow(room)
    const bytes = this.#bytes
    let at = this.#at
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code >= 0x80) {
        at = this.#at + bytes.write(text, this.#at)
        this.#isAwkward ||= hasSeparator(text)
        break
      }
      if (code < 0x20 && isSeparator(code)) this.#isAwkward = true
      bytes[at++] = code
    }
    this.#at = at
  }

  #grow(room: number): void {
    const bytes = Buffer.allocUnsafe(2 * (this.#bytes.length + room))
    this.#bytes.copy(bytes, 0, 0, this.#at)
    this.#bytes = bytes
  }
}

function isSeparator(code: number): boolean {
  return code === RS_CODE || code === US_CODE || code === GS_CODE || code === SUB_CODE
}

function hasSeparator(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (isSeparator(text.charCodeAt(index))) return true
  return false
}

function jsonLine(row: EventRow): string {
  const fields = FIELDS.map((field) => {
    const value = row[field]
    return [field, typeof value === 'string' ? value.toWellFormed() : value]
  })
  const implied = impliedTags(row)
  const tags = row.tags.filter(([key]) => (implied & (IMPLIED_BITS.get(key) ?? 0)) === 0)
  const lists = { tags: listText(tags.map(encodeTag)), people: listText(row.people) }
  return JSON.stringify({ ...Object.fromEntries(fields), implied, ...lists })
}

/** Tags that say what a column says, in alphabetical order: the place of each is its bit. Only add at the end. */
export const IMPLIED_TAGS = [
  ['browser', 'browser'],
  ['device', 'device'],
  ['dist', 'dist'],
  ['environment', 'environment'],
  ['handled', 'handled'],
  ['level', 'level'],
  ['os', 'os'],
  ['release', 'release'],
  ['request_kind', 'requestKind'],
  ['route', 'route'],
  ['runtime', 'runtime'],
  ['server_name', 'serverName'],
  ['trace', 'traceId'],
  ['transaction', 'transaction'],
  ['url', 'url'],
  ['user', 'user'],
] as const satisfies readonly (readonly [string, RowField])[]

export const IMPLIED_BITS: ReadonlyMap<string, number> = new Map(
  IMPLIED_TAGS.map(([key], index) => [key, 1 << index]),
)
const IMPLIED_FIELDS: ReadonlyMap<string, RowField> = new Map(IMPLIED_TAGS)

/** The bits of the tags that their columns tell; none where tags are not in the order in which they are read back. */
function impliedTags(row: EventRow): number {
  let bits = 0
  let keyBefore: string | null = null
  for (const [key, value] of row.tags) {
    if (keyBefore !== null && key <= keyBefore) return 0
    keyBefore = key
    const field = IMPLIED_FIELDS.get(key)
    if (field !== undefined && impliedText(row[field]) === value) bits |= IMPLIED_BITS.get(key) ?? 0
  }
  return bits
}

function impliedText(value: EventRow[RowField]): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : null
}

/** The tags of a row as stored: `listed` is its text of tags, `row` holds its columns. */
export function readTags(
  row: Readonly<Record<RowField, unknown>>,
  stored: { readonly implied: number; readonly listed: string | null },
): EventRow['tags'] {
  const tags = readList(stored.listed).map(decodeTag)
  if (stored.implied === 0) return tags
  for (const [key, field] of IMPLIED_TAGS) {
    if ((stored.implied & (IMPLIED_BITS.get(key) ?? 0)) === 0) continue
    const value = row[field]
    tags.push([key, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)])
  }
  return tags.sort(([one], [other]) => (one < other ? -1 : 1))
}

/** A list as one text, in which each element has a GS on either side; `null` for an empty one. */
export function listText(elements: readonly string[]): string | null {
  return elements.length === 0 ? null : `${GS}${elements.map(escapeElement).join(GS)}${GS}`
}

export function readList(text: string | null): string[] {
  if (text === null) return []
  const elements = text.slice(1, -1).split(GS)
  return text.includes(ESC) ? elements.map(unescapeElement) : elements
}

/** As it stands in a `listText`, without the GS around it. */
export function escapeElement(element: string): string {
  return element.toWellFormed().replaceAll(ESC, `${ESC}e`).replaceAll(GS, `${ESC}g`)
}

function unescapeElement(element: string): string {
  return element.replaceAll(`${ESC}g`, GS).replaceAll(`${ESC}e`, ESC)
}

/** `key=value`. An `=` in a key, which no SDK sends, is written `\e`, so that the first `=` ends the key. */
export function encodeTag([key, value]: readonly [string, string]): string {
  return `${encodeTagKey(key)}=${value}`
}

export function encodeTagKey(key: string): string {
  return key.includes('=') || key.includes('\\') ? key.replaceAll('\\', '\\\\').replaceAll('=', '\\e') : key
}

function decodeTag(entry: string): [string, string] {
  const end = entry.indexOf('=')
  const key = entry.slice(0, end)
  const plain = key.includes('\\') ? key.replace(/\\(.)/g, (_, code) => (code === 'e' ? '=' : code)) : key
  return [plain, entry.slice(end + 1)]
}
