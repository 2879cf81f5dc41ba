/** The columns of an event: one table, from which the SQL, the encoding and the decoding follow. */
import { max } from '#limits/limits.ts'
import type { EventRow } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'
import {
  ROW_FIELDS,
  type RowField,
  type RowLine,
  RS,
  readList,
  readTags,
  rowLine,
  SUB,
  US,
} from '#ports/row-lines.ts'
import type { AnswerRow } from './driver.ts'

type ColumnType = 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN'

const NAMES: Readonly<Record<RowField, string>> = {
  seq: 'seq',
  projectId: 'project_id',
  groupHash: 'group_hash',
  eventId: 'event_id',
  timestampMs: 'timestamp_ms',
  receivedMs: 'received_ms',
  level: 'level',
  platform: 'platform',
  title: 'title',
  culprit: 'culprit',
  environment: 'environment',
  release: 'release',
  dist: 'dist',
  transaction: 'transaction',
  browser: 'browser',
  os: 'os',
  runtime: 'runtime',
  device: 'device',
  serverName: 'server_name',
  url: 'url',
  user: 'user',
  handled: 'handled',
  traceId: 'trace_id',
  spanId: 'span_id',
  requestKind: 'request_kind',
  route: 'route',
  sdk: 'sdk',
  isMirror: 'is_mirror',
}

const TYPES = { whole: 'BIGINT', number: 'DOUBLE', text: 'VARCHAR', flag: 'BOOLEAN' } as const

interface Column {
  readonly key: RowField
  readonly name: string
  readonly type: ColumnType
}

/** In the order of a row's line, in which every file has them. */
const COLUMNS: readonly Column[] = Object.entries(ROW_FIELDS).map(([field, type]) => {
  const key = field as RowField // Object.entries forgets the keys of the table
  return { key, name: NAMES[key], type: TYPES[type] }
})

const COLUMN_LIST = [...COLUMNS.map(({ name }) => `"${name}"`), 'implied', 'tags', 'people'].join(', ')

export const CREATE_EVENTS = (alias: string): string =>
  `CREATE TABLE ${alias}.events (${COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(', ')}, ` +
  'implied INTEGER, tags VARCHAR, people VARCHAR)'

/** Of a list column of an older file, as `listText` would have written it. */
const LIST_AS_TEXT = (list: string): string => {
  const escaped = `list_transform(${list}, lambda x: replace(replace(x, chr(27), chr(27) || 'e'), chr(29), chr(27) || 'g'))`
  return `CASE WHEN len(${list}) = 0 THEN NULL ELSE chr(29) || array_to_string(${escaped}, chr(29)) || chr(29) END`
}

/** Makes the table of a file anew that had lists for tags, and for people or none; then only the foremost is known. */
export const CONVERT_LISTS = (
  alias: string,
  { hasPeople }: { readonly hasPeople: boolean },
): readonly string[] => {
  const foremost = 'CASE WHEN "user" IS NULL THEN [] ELSE ["user"] END'
  const people = LIST_AS_TEXT(hasPeople ? `coalesce(people, ${foremost})` : foremost)
  const columns = COLUMNS.map(({ name }) => `"${name}"`).join(', ')
  return [
    CREATE_EVENTS(alias).replace('.events', '.events_of_texts'),
    `INSERT INTO ${alias}.events_of_texts SELECT ${columns}, 0, ${LIST_AS_TEXT('tags')}, ${people} FROM ${alias}.events`,
    `DROP TABLE ${alias}.events`,
    `ALTER TABLE ${alias}.events_of_texts RENAME TO events`,
  ]
}

/** The keys that name the person of a row, as a text in which `listText([key])` occurs. */
export const PEOPLE = `coalesce(e.people, '')`

/** The columns as `decodeRow` reads them. */
export const SELECT_COLUMNS = COLUMNS.map(({ name, type }) =>
  type === 'BIGINT' ? `e."${name}"::DOUBLE` : `e."${name}"`,
)
  .concat('e.implied', 'e.tags', 'e.people')
  .join(', ')

/** What stands in the column of an implied tag, as text. */
export const IMPLIED_TEXT = (field: RowField): string =>
  field === 'handled' ? `CASE WHEN e.handled THEN 'yes' ELSE 'no' END` : `e."${NAMES[field]}"`

/*
 * How rows enter: as one text parameter of lines, split in SQL. Measured with 1,000 rows of 15 tags (2 vCPU AMD EPYC,
 * 2026-11-21, CPU µs per row): this 16, data chunks through the appender and a staging table 28, places in a table of
 * texts 38, JSON objects 36, JSON columns 38, one parameter a column 45.
 */
export type EncodedRows = { readonly form: 'split' | 'json'; readonly text: string }

export const INSERT_SPLIT = (alias: string): string => {
  const fields = COLUMNS.map(({ type }, index) => {
    const field = `nullif(f[${index + 1}], '${SUB}')`
    return type === 'VARCHAR' ? field : `${field}::${type}`
  })
  const at = COLUMNS.length
  const last = [`f[${at + 1}]::INTEGER`, `nullif(f[${at + 2}], '${SUB}')`, `nullif(f[${at + 3}], '${SUB}')`]
  return (
    `INSERT INTO ${alias}.events (${COLUMN_LIST}) SELECT ${[...fields, ...last].join(', ')} ` +
    `FROM (SELECT string_split(unnest(string_split($1, '${RS}')), '${US}') AS f)`
  )
}

export const INSERT_JSON = (alias: string): string => {
  const types = COLUMNS.map(({ key, type }) => [key, type])
  const shape = { ...Object.fromEntries(types), implied: 'INTEGER', tags: 'VARCHAR', people: 'VARCHAR' }
  return (
    `INSERT INTO ${alias}.events (${COLUMN_LIST}) ` +
    `SELECT ${COLUMNS.map(({ key }) => `r."${key}"`).join(', ')}, r.implied, r.tags, r.people ` +
    `FROM (SELECT unnest(from_json($1, '${JSON.stringify([shape])}')) AS r)`
  )
}

/** Lines as texts of at most `telemetryInsertCharsMax` (one larger line is a text alone), each with its form. */
export function joinLines(lines: readonly RowLine[]): readonly EncodedRows[] {
  const texts: EncodedRows[] = []
  for (const form of ['split', 'json'] as const) {
    let part: string[] = []
    let chars = 0
    const flush = () => {
      if (part.length > 0) texts.push({ form, text: form === 'json' ? `[${part.join(',')}]` : part.join(RS) })
      part = []
      chars = 0
    }
    for (const { line, isJson } of lines) {
      if (isJson !== (form === 'json')) continue
      if (chars + line.length > max('telemetryInsertCharsMax')) flush()
      part.push(line)
      chars += line.length
    }
    flush()
  }
  return texts
}

export function encodeRows(rows: readonly EventRow[]): readonly EncodedRows[] {
  return joinLines(rows.map(rowLine))
}

/** A row as selected with SELECT_COLUMNS. */
export function decodeRow(values: AnswerRow, { day, retentionDays }: FileName): EventRow {
  const fields: Record<string, unknown> = { day, retentionDays }
  COLUMNS.forEach(({ key }, index) => {
    fields[key] = values[index]
  })
  // As CREATE_EVENTS types them.
  const [implied, listed, people] = values.slice(COLUMNS.length) as [number, string | null, string | null]
  fields.tags = readTags(fields as Record<RowField, unknown>, { implied, listed }) // every column is in
  fields.people = readList(people)
  return fields as unknown as EventRow // every key of TABLE, with the type that this file wrote
}
