/** A page of rows of any dataset: one statement a file, places first, then the rows that are shown. */
import { max } from '#limits/limits.ts'
import type { Dataset } from '#model/dataset.ts'
import type { StoredRow } from '#model/fields.ts'
import { type FileName, fileStem } from '#model/file-name.ts'
import type { RowsAnswer, RowsAsked } from '#ports/columns.ts'
import { conditionSql } from './ask-conditions.ts'
import type { AskContext } from './ask-context.ts'
import {
  type ListOrder,
  type ListPlace,
  readListCursor,
  type SortValue,
  writeListCursor,
} from './ask-cursor.ts'
import { askPlace, badQuestion, fieldValue, type Place, valueSql } from './ask-fields.ts'
import { type FileRows, fromProjects, Parameters } from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import { filesInRange } from './event-reads.ts'
import { ROWS, readAnswerRow, selectShown } from './table-sql.ts'

interface FoundRow {
  readonly value: SortValue
  readonly row: StoredRow
  readonly stem: string
  /** Place among rows of one value and seq in its file. */
  readonly at: number
}

/** Texts are ordered by so many characters: a cursor holds them. */
const SORT_CHARS = 60

export async function askRows(context: AskContext, question: RowsAsked): Promise<RowsAnswer> {
  const { dataset } = context
  const limit = Math.max(1, Math.min(Math.floor(question.limit), max('telemetryPageRowsMax')))
  const places = question.fields.map((ref) => askPlace(dataset, ref))
  const sort = askPlace(dataset, question.sort.by)
  if (!SORTED.has(sort.type)) throw badQuestion(`${dataset.name} cannot be sorted by ${sort.name}.`)
  const { isDescending } = question.sort
  const order: ListOrder = {
    dataset: dataset.name,
    by: sort.attribute === '' ? sort.name : `tags[${sort.name}]`,
    isDescending,
    isValue: TEXTS.has(sort.type) ? isTextOrNull : isNumberOrNull,
  }
  const after = question.cursor === null ? null : readListCursor(question.cursor, order)
  const list = { question, sort, isDescending, after, limit }
  const found = await listRows(context, list)
  const shown = found.slice(0, limit)
  return {
    rows: shown.map(({ row }) => places.map((place) => fieldValue(dataset, place, row))),
    nextCursor: found.length > limit ? writeListCursor(order, pageEnd(shown, after)) : null,
  }
}

const SORTED: ReadonlySet<Place['type']> = new Set(['text', 'number', 'flag', 'time', 'attribute'])

/** Ordered by texts; others by numbers. */
const TEXTS: ReadonlySet<Place['type']> = new Set(['text', 'attribute'])

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || Number.isFinite(value)
}

interface List {
  readonly question: RowsAsked
  readonly sort: Place
  readonly isDescending: boolean
  readonly after: ListPlace | null
  readonly limit: number
}

/** The rows of the page and one more, where there is one. */
async function listRows(context: AskContext, list: List): Promise<readonly FoundRow[]> {
  const { after, limit, sort, isDescending, question } = list
  const isByTime = sort.column.key === 'timestampMs'
  const skipped = after?.shown ?? 0
  const wanted = limit + 1 + skipped
  let rows: FoundRow[] = []
  for (const { file, facts } of await filesAsked(context, question, isDescending)) {
    const last = rows[wanted - 1]?.value
    const edge = isDescending ? facts.greatestMs : facts.leastMs
    // Files come by their newest row, or their oldest: from here on none holds one that is before the last one found.
    if (isByTime && typeof last === 'number' && edge !== null && (isDescending ? edge < last : edge > last))
      break
    rows = [...rows, ...(await listRowsOfFile(context, file, { ...list, wanted }))]
      .sort((a, b) => compareRows(a, b, isDescending))
      .slice(0, wanted)
  }
  return withoutShown(rows, after)
}

async function filesAsked(context: AskContext, { files, range }: RowsAsked, isDescending: boolean) {
  const known = await filesInRange(
    { files: context.files, table: context.dataset.table },
    { files, ...range },
  )
  return known.sort((a, b) =>
    isDescending
      ? (b.facts.greatestMs ?? 0) - (a.facts.greatestMs ?? 0)
      : (a.facts.leastMs ?? 0) - (b.facts.leastMs ?? 0),
  )
}

async function listRowsOfFile(
  { dataset, files, query, scope, rules }: AskContext,
  file: FileName,
  { question, sort, isDescending, after, wanted }: List & { readonly wanted: number },
): Promise<readonly FoundRow[]> {
  const { table } = dataset
  const answers = await files.read(file, [], (attached: FileRows) => {
    const parameters = new Parameters()
    const key = sortSql(dataset, sort, parameters)
    const filter = question.range
    const from = fromProjects(attached, scope, { filter, parameters, rules, file })
    const where = conditionSql(dataset, question.where, parameters)
    const beyond = after === null ? 'true' : beyondSql(after, isDescending, parameters)
    const [direction, tie] = [isDescending ? 'DESC' : 'ASC', table.hasEventId ? 'e.event_id' : 'e.rowid']
    const places =
      `SELECT place FROM (SELECT e.rowid AS place, ${key} AS k, e.seq AS s, ${tie} AS t ${from} AND ${where}) ` +
      `WHERE ${beyond} ORDER BY k ${direction} NULLS LAST, s ${direction}, t ${direction} LIMIT ${wanted}`
    const shownKey = sortSql(dataset, sort, parameters)
    return query(
      `SELECT ${shownKey} AS k, ${selectShown(table)} FROM ${attached.alias}.${ROWS} e ` +
        `WHERE e.rowid IN (${places}) ORDER BY k ${direction} NULLS LAST, e.seq ${direction}, ${tie} ${direction}`,
      parameters.values,
    )
  })
  const stem = fileStem(file)
  return answers.map(([value, ...values]: AnswerRow, at) => ({
    ...{ value: sortValue(value), stem, at },
    row: readAnswerRow(table, values, file),
  }))
}

function sortSql(dataset: Dataset, sort: Place, parameters: Parameters): string {
  const value = valueSql(dataset, sort, parameters)
  if (sort.type === 'flag') return `${value}::INTEGER::DOUBLE`
  return TEXTS.has(sort.type) ? `left(${value}, ${SORT_CHARS})` : value
}

function beyondSql({ value, seq }: ListPlace, isDescending: boolean, parameters: Parameters): string {
  const sign = isDescending ? '<' : '>'
  const s = `s ${sign}= ${parameters.add(seq)}::BIGINT`
  if (value === null) return `(k IS NULL AND ${s})`
  const last = typeof value === 'number' ? `${parameters.add(value)}::DOUBLE` : parameters.add(value)
  return `(k IS NULL OR k ${sign} ${last} OR (k = ${last} AND ${s}))`
}

function sortValue(value: unknown): SortValue {
  if (value === null || value === undefined) return null
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : String(value)
}

function compareRows(a: FoundRow, b: FoundRow, isDescending: boolean): number {
  const sign = isDescending ? -1 : 1
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1
  } else if (a.value !== b.value) return sign * compareValues(a.value, b.value)
  if (a.row.seq !== b.row.seq) return sign * (a.row.seq - b.row.seq)
  if (a.stem !== b.stem) return a.stem < b.stem ? -1 : 1
  return a.at - b.at
}

/** Texts by their bytes, as the store orders them. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** Without the rows of the last value and seq that are on pages before. */
function withoutShown(rows: readonly FoundRow[], after: ListPlace | null): readonly FoundRow[] {
  if (after === null) return rows
  let left = after.shown
  return rows.filter(({ value, row }) => value !== after.value || row.seq !== after.seq || left-- <= 0)
}

function pageEnd(shown: readonly FoundRow[], after: ListPlace | null): ListPlace {
  const last = shown.at(-1)
  const [value, seq] = [last?.value ?? null, last?.row.seq ?? 0]
  const alike = shown.filter((one) => one.value === value && one.row.seq === seq).length
  const isAsBefore = after !== null && after.value === value && after.seq === seq
  return { value, seq, shown: alike + (isAsBefore ? after.shown : 0) }
}
