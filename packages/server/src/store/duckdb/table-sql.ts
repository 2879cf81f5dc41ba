/** The statements that make, fill and read the table of a column file, from the columns of its kind. */
import { max } from '#limits/limits.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { AnswerRow } from './driver.ts'
import { JSON_LINE, RS, readPairs, SUB, splitListText, US } from './row-lines.ts'
import { allColumns, columnsOf, type ImpliedTag, type SqlColumn } from './table-columns.ts'

/** The one table of rows in each file. */
export const ROWS = 'rows'

export function createRows(table: RowTable, alias: string): string {
  return `CREATE TABLE ${alias}.${ROWS} (${allColumns(table).map(declaration).join(', ')})`
}

/** Adds a column to a file that was made before the kind had it. */
export function addColumn(alias: string, column: SqlColumn): string {
  return `ALTER TABLE ${alias}.${ROWS} ADD COLUMN ${declaration(column)}`
}

/**
 * Returns a column's declaration. Searched-only values repeat from row to row without being equal: stretches
 * of rows packed by zstd take a twelfth of what a dictionary of symbols does with few stacks, a half with all
 * different ones, and are searched as fast; one row takes 3 ms more.
 */
function declaration({ name, type, isOnlySearched = false }: SqlColumn): string {
  return `"${name}" ${type}${isOnlySearched && type === 'VARCHAR' ? " USING COMPRESSION 'zstd'" : ''}`
}

/** Rows of one file into another, column by column: files order those that were added later otherwise. */
export function insertFrom(table: RowTable, alias: string): string {
  return `INSERT INTO ${alias}.${ROWS} (${columnList(table)}) SELECT ${columnList(table, 'e.')}`
}

function columnList(table: RowTable, prefix = ''): string {
  return allColumns(table)
    .map(({ name }) => `${prefix}"${name}"`)
    .join(', ')
}

/** The keys that name the people of a row, as a text in which `listText([key])` occurs. */
export const PEOPLE = `coalesce(e.people, '')`

/** Details of a row: `key=value` each, in a text as `listText` makes it. */
export const DETAILS = `coalesce(e.details, '')`

/** The columns of `e` as `decodeRow` reads them, for who shows rows: what is only searched is empty. */
export function selectShown(table: RowTable): string {
  return allColumns(table)
    .map((column) => (column.isOnlySearched === true ? 'NULL' : selectOfColumn(column)))
    .join(', ')
}

/** Selects like `selectShown`, with everything that rows hold. */
export function selectWhole(table: RowTable): string {
  return allColumns(table).map(selectOfColumn).join(', ')
}

function selectOfColumn({ name, type }: SqlColumn): string {
  return type === 'BIGINT' ? `e."${name}"::DOUBLE` : `e."${name}"`
}

/** Returns the columns of `e` that make rows neighbours in a sealed file: project, what they share, time. */
export function sortColumns(table: RowTable): readonly SqlColumn[] {
  const names = ['projectId', ...table.neighbours, 'timestampMs']
  return names.flatMap((key) => columnsOf(table).values.filter((column) => column.key === key))
}

/** Returns the column of an implied tag, as text. */
export function impliedText({ column: { name, type } }: ImpliedTag): string {
  return type === 'BOOLEAN' ? `CASE WHEN e."${name}" THEN 'yes' ELSE 'no' END` : `e."${name}"`
}

/*
 * How rows enter: as one text parameter of lines, split in SQL. Measured with 1,000 rows of 15 tags (2 vCPU AMD EPYC,
 * 2026-11-21, CPU µs per row): this 16, data chunks through the appender and a staging table 28, places in a table of
 * texts 38, JSON objects 36, JSON columns 38, one parameter a column 45.
 */
export type InsertForm = 'split' | 'json'
export type EncodedRows = { readonly form: InsertForm; readonly text: string }

export function insertRows(table: RowTable, alias: string, form: InsertForm): string {
  const into = `INSERT INTO ${alias}.${ROWS} (${columnList(table)})`
  return form === 'split' ? `${into} ${selectSplit(table)}` : `${into} ${selectJson(table)}`
}

function selectSplit(table: RowTable): string {
  const fields = allColumns(table).map(({ type }, index) => {
    const field = `nullif(f[${index + 1}], '${SUB}')`
    return type === 'VARCHAR' ? field : `${field}::${type}`
  })
  return `SELECT ${fields.join(', ')} FROM (SELECT string_split(unnest(string_split($1, '${RS}')), '${US}') AS f)`
}

function selectJson(table: RowTable): string {
  const columns = allColumns(table)
  const shape = JSON.stringify([Object.fromEntries(columns.map(({ key, type }) => [key, type]))])
  return `SELECT ${columns.map(({ key }) => `r."${key}"`).join(', ')} FROM (SELECT unnest(from_json($1, '${shape}')) AS r)`
}

/** Lines as texts of at most `telemetryInsertCharsMax` (one larger line is a text alone), each with its form. */
export function joinLines(
  lines: readonly { readonly line: string; readonly form: number }[],
): readonly EncodedRows[] {
  const texts: EncodedRows[] = []
  for (const form of ['split', 'json'] as const) {
    let part: string[] = []
    let chars = 0
    const flush = () => {
      if (part.length > 0) texts.push({ form, text: form === 'json' ? `[${part.join(',')}]` : part.join(RS) })
      part = []
      chars = 0
    }
    for (const each of lines) {
      if ((each.form === JSON_LINE) !== (form === 'json')) continue
      if (chars + each.line.length > max('telemetryInsertCharsMax')) flush()
      part.push(each.line)
      chars += each.line.length
    }
    flush()
  }
  return texts
}

/** A row as selected with `selectShown` or `selectWhole`. */
export function readAnswerRow<R extends StoredRow>(
  table: RowTable<R>,
  values: AnswerRow,
  { day, retentionDays }: FileName,
): R {
  const columns = columnsOf(table)
  const row: Record<string, unknown> = { day, retentionDays }
  let at = 0
  for (const { key } of columns.values) row[key] = values[at++]
  const implied = columns.implied === null ? 0 : Number(values[at++] ?? 0)
  for (const { key, holds } of columns.lists) {
    const listed = values[at++] as string | null // as `createRows` types it
    row[key] = holds === 'pairs' ? readPairs(row, columns, { implied, listed }) : splitListText(listed)
  }
  return row as unknown as R // every field of the table, with the type that this file wrote
}
