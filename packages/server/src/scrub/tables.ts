/** Rows below a line that names their columns: CSV, TSV, and the tables that databases and documents print. */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import type { SecretKeys } from './keys.ts'
import { isSalad, isToldBare } from './letters.ts'
import { isChosen } from './ordinary.ts'

interface TableOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

const CHARS_MIN = 5
const LINE_CHARS_MAX = 4_096
const COLUMNS_MAX = 64
const DELIMITERS = [',', ';', '\t', '|'] as const
/** Heading of a column: one or two words, and never a statement's. */
const COLUMN = /^\s{0,64}["']?(?!select\b)[A-Za-z_][\w.-]{0,63}(?: [\w-]{1,32})?["']?\s{0,64}$/i

interface Header {
  readonly delimiter: string
  readonly count: number
  readonly rules: readonly (string | null)[]
}

/** A line that is a name alone, and the value in the next one, as forms are copied. */
const STACKED =
  /((?<=^|\n)[ \t]{0,16}["']?([A-Za-z][\w -]{2,40})["']?[ \t]?:?[ \t]{0,4}\r?\n[ \t]{0,16}["']?)([^\s"']{6,256})(?=["']?[ \t]{0,8}(?:$|\r?\n))/g

function scrubStacked(text: string, { keys, onFound }: TableOptions): string {
  return text.replace(STACKED, (whole: string, before: string, name: string, value: string) => {
    const words = name.trim().split(' ')
    const rule = words.length <= 3 ? keys.ruleFor(words.slice(-2).join('_'), value) : null
    if (rule === null || /[:=,;(){}]$/.test(value) || /:\/\//.test(value) || !isCellSecret(value))
      return whole
    if (!/[A-Za-z]/.test(value) || keys.isTelling(value)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

const SEALED_KIND = /(?:^|\n)[ \t]{0,32}kind:[ \t]{1,8}["']?(?:Sealed)?Secret["']?[ \t]{0,8}(?:\r?\n|$)/
const SEALED_BLOCK =
  /(?<=(?:^|\n)[ \t]{0,32}(?:stringData|data):[ \t]{0,8}\r?\n)(?:[ \t]{1,32}[\w.-]{1,128}:[ \t]{1,8}\S[^\n]{0,4096}(?:\n|$)){1,64}/g
const SEALED_LINE = /^([ \t]{1,32}[\w.-]{1,128}:[ \t]{1,8}["']?)([^\s"'|>][^"'\n\r]{2,4095})/gm

/** Scrubs a Kubernetes `Secret`'s manifest, whatever its parts are called. */
function scrubSealed(text: string, { onFound }: TableOptions): string {
  if (!text.includes('Secret') || !SEALED_KIND.test(text)) return text
  return text.replace(SEALED_BLOCK, (block: string) =>
    block.replace(SEALED_LINE, (whole: string, before: string, value: string) => {
      if (value.includes(FILTERED) || isPlaceholder(value) || isHarmlessWord(value)) return whole
      onFound('secret', value)
      return before + FILTERED
    }),
  )
}

/** `secrets:` of settings and, below it, a line each. */
const SECRETS_BLOCK =
  /(?<=(?:^|\n)([ \t]{0,24})["']?(?:secrets|passwords|passphrases|api_?keys|credentials)["']?:[ \t]{0,8}\r?\n)(?:\1[ \t]{1,8}[\w.-]{1,64}:[ \t]{1,8}\S[^\n]{0,512}(?:\n|$)){1,64}/g
const PLACED_ELSEWHERE =
  /^(?:file|name|external|source|target|environment|env|user|username|login|account|path|type|kind|id|key|mode|uid|gid|provider|inherit|required|description|host|url)$/i

function scrubBlocks(text: string, { onFound }: TableOptions): string {
  if (!/(?:ecrets|asswords|phrases|keys|redentials)["']?:[ \t]{0,8}\r?\n/.test(text)) return text
  return text.replace(SECRETS_BLOCK, (block: string) =>
    block.replace(SEALED_LINE, (whole: string, before: string, value: string) => {
      const name = before.trim().replace(/:.*$/, '')
      if (
        PLACED_ELSEWHERE.test(name) ||
        value.includes(FILTERED) ||
        isPlaceholder(value) ||
        isHarmlessWord(value)
      )
        return whole
      if (/[/{}[\]$]|:\s|^!|\s\S/.test(value) || /^\d{1,4}$/.test(value)) return whole
      onFound('secret', value)
      return before + FILTERED
    }),
  )
}

/** `DbPassword:` and, below it, `Default: X` beside what else describes it. */
const DESCRIBED =
  /((?:^|\n)([ \t]{0,24})["']?([\w.-]{2,64})["']?:[ \t]{0,4}\r?\n(?:\2[ \t]{1,8}[A-Za-z]{2,24}:[ \t]{1,4}\S[^\n]{0,160}\n){0,6}\2[ \t]{1,8}(?:[Dd]efault|[Vv]alue|[Ee]xample):[ \t]{1,4}["']?)([^\s"'{}[\]]{6,512})(?=["']?[ \t]{0,8}(?:$|\r?\n))/g

export function scrubDescribed(text: string, { keys, onFound }: TableOptions): string {
  return text.replace(DESCRIBED, (whole: string, ...[before = '', , name = '', value = '']: string[]) => {
    const rule = keys.ruleFor(name, value)
    if (rule === null || !isCellSecret(value)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

export function scrubTables(whole: string, options: TableOptions): string {
  const text = scrubBlocks(scrubSealed(scrubStacked(whole, options), options), options)
  let out = ''
  let copied = 0
  let header: Header | null = null
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('\n', start)
    const end = stop === -1 ? text.length : stop
    const line = end - start <= LINE_CHARS_MAX ? text.slice(start, end).replace(/\r$/, '') : ''
    const next = headerOf(line, options.keys)
    if (next !== null) header = next
    else if (header !== null && line !== '') {
      const row: string | null = scrubRow(line, header, options)
      // Another count of cells: what follows is no table.
      if (row === null) header = null
      else if (row !== line) {
        out += text.slice(copied, start) + row
        copied = start + line.length
      }
    }
    start = end + 1
  }
  return copied === 0 ? text : out + text.slice(copied)
}

function headerOf(line: string, keys: SecretKeys): Header | null {
  if (line.length < CHARS_MIN || /[(){}=<>:]/.test(line)) return null
  const delimiter = DELIMITERS.find((one) => line.includes(one))
  if (delimiter === undefined) return null
  const cells = line.split(delimiter, COLUMNS_MAX + 1)
  if (cells.length > COLUMNS_MAX || !cells.every((cell, at) => isColumn(cell, at, cells.length))) return null
  const rules = cells.map((cell) => keys.ruleOf(cell.trim().replace(/["']/g, '')))
  return rules.every((rule) => rule === null) ? null : { delimiter, count: cells.length, rules }
}

/** Tables with frames have an empty cell at each end. */
function isColumn(cell: string, at: number, count: number): boolean {
  return COLUMN.test(cell) || (cell.trim() === '' && (at === 0 || at === count - 1))
}

/** The row without its secrets; `null` where the line is no row of the table. */
function scrubRow(
  line: string,
  { delimiter, count, rules }: Header,
  { onFound }: TableOptions,
): string | null {
  // The rule between head and rows: `---+---`, `|:--|--:|`.
  if (/^[\s|+:=-]{1,4096}$/.test(line)) return line
  const cells = cellsOf(line, delimiter)
  if (cells.length !== count) return null
  let isChanged = false
  const scrubbed = cells.map((cell, at) => {
    const rule = rules[at] ?? null
    const value = cell.trim().replace(/^(["'])(.*)\1$/, '$2')
    const isWord = rule === 'password' && (isToldBare(value) || isChosen(value))
    if (rule === null || !(isCellSecret(value) || isSalad(value) || isWord)) return cell
    onFound(rule, value)
    isChanged = true
    return cell.replace(value, () => FILTERED)
  })
  return isChanged ? scrubbed.join(delimiter) : line
}

/** A delimiter within quotes divides nothing. */
function cellsOf(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter, COLUMNS_MAX + 1)
  const cells: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < line.length && cells.length <= COLUMNS_MAX; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === delimiter && !isQuoted) {
      cells.push(line.slice(start, at))
      start = at + 1
    }
  }
  cells.push(line.slice(start))
  return cells
}

/** More than a word: columns of flags and kinds have secrets' names as well. */
function isCellSecret(value: string): boolean {
  return (
    value.length >= 4 &&
    /\d|[!#$%^&*+~]/.test(value) &&
    !/\s\S+\s/.test(value) &&
    !isHarmlessWord(value) &&
    !isPlaceholder(value) &&
    !value.includes(FILTERED)
  )
}
