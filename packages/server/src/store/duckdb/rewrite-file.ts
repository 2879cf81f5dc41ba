/**
 * A sealed column file written anew: sorted by project, by what makes rows alike, and by time, so that a query reads few row groups and what
 * is alike compresses together; without what is hidden. Row by row in slices, so that memory does not follow the day.
 */

import { max } from '#limits/limits.ts'
import type { RowTable } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { HiddenRules, NOTHING_HIDDEN } from '#model/hidden.ts'
import type { EventChange } from '#ports/care.ts'
import type { RewriteOptions } from '#store/embedded/care/stores/columns.ts'
import type { AttachedFile } from './attached-file.ts'
import type { ColumnFiles } from './column-files.ts'
import { fromVisible, Parameters } from './conditions.ts'
import type { AnswerRow, DuckSession } from './driver.ts'
import type { FileFacts } from './file-tables.ts'
import { columnsOf, type SqlColumn } from './table-columns.ts'
import { insertFrom, ROWS, sortColumns } from './table-sql.ts'

export interface Rewriting {
  readonly files: ColumnFiles
  /** A connection of its own: the writer's goes on with commits. */
  readonly session: DuckSession
  /** Runs what must not overlap with a commit's append. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
}

/** More slices would mean more walks over the file than they save memory. */
const SLICES_MAX = 40

/** Same as `TelemetryUpkeep.rewrite`. */
export async function rewriteFile(
  { files, session, alone }: Rewriting,
  file: FileName,
  { rules, upToSeq, changes = [] }: RewriteOptions,
): Promise<void> {
  const fresh = await files.makeFresh(file)
  try {
    await files.useWhole(file, async (from) => {
      const part = { from, into: fresh, rules }
      for (const slice of await slicesOf(session, { ...part, upToSeq })) {
        await copy(session, { ...part, seqs: `e.seq <= ${upToSeq}`, slice })
      }
      await changeRows(session, { table: from.table, into: fresh, changes })
    })
    await alone(async () => {
      // What came since: never more than a batch or two of a day that is over.
      const nothing = new HiddenRules(NOTHING_HIDDEN, rules.today)
      const facts = await files.useWhole(file, async (from) => {
        const part = { from, into: fresh, rules: nothing }
        await copy(session, { ...part, seqs: `e.seq > ${upToSeq}`, slice: EVERYTHING })
        return writeFacts(session, from.alias, fresh)
      })
      await files.swap(file, facts)
    })
  } catch (error) {
    await files.dropFresh(file)
    throw error
  }
}

/** Sort key of a row: values of `sortColumns`. */
type SortKey = readonly (string | number)[]

interface Slice {
  /** Inclusive; `null`: from the first row. */
  readonly first: SortKey | null
  /** Exclusive; `null`: to the last row. */
  readonly end: SortKey | null
}

const EVERYTHING: Slice = { first: null, end: null }

interface Part {
  readonly from: AttachedFile
  readonly into: string
  readonly rules: HiddenRules
}

/** Stretches of the sorted rows of about equal length. */
async function slicesOf(
  session: DuckSession,
  { from, rules, upToSeq }: Part & { readonly upToSeq: number },
): Promise<readonly Slice[]> {
  const { file, table } = from
  const parameters = new Parameters()
  const visible = `${fromVisible(from, rules, { file, parameters })} AND e.seq <= ${upToSeq}`
  const [[rows = 0] = []] = await session.query(`SELECT count(*)::DOUBLE ${visible}`, parameters.values)
  const each = Math.max(max('compactionRowsPerSlice'), Math.ceil(Number(rows) / SLICES_MAX))
  if (Number(rows) <= each) return [EVERYTHING]
  const columns = sortColumns(table)
  const keys = await session.query(
    `SELECT k.* EXCLUDE (n) FROM (SELECT ${columns.map(selectOfRow).join(', ')}, ` +
      `row_number() OVER (ORDER BY ${columns.map(sortColumnSql).join(', ')}) AS n ${visible}) k ` +
      `WHERE n % ${each} = 0 ORDER BY n`,
    parameters.values,
  )
  const bounds = keys.map(
    (key: AnswerRow): SortKey => columns.map((column, at) => boundValue(column, key[at])),
  )
  return [null, ...bounds].map((first, index) => ({ first, end: bounds[index] ?? null }))
}

function selectOfRow({ name, type }: SqlColumn): string {
  return type === 'BIGINT' ? `e."${name}"::DOUBLE AS "${name}"` : `e."${name}"`
}

function sortColumnSql({ name }: SqlColumn): string {
  return `e."${name}"`
}

function boundValue({ type }: SqlColumn, value: unknown): string | number {
  return type === 'VARCHAR' ? String(value) : Number(value)
}

/** Every row is in one slice: where many rows share a key, slices between equal bounds are empty. */
async function copy(
  session: DuckSession,
  { from, into, rules, seqs, slice }: Part & { readonly seqs: string; readonly slice: Slice },
): Promise<void> {
  const { file, table } = from
  const parameters = new Parameters()
  const visible = fromVisible(from, rules, { file, parameters })
  const columns = sortColumns(table)
  const key = `(${columns.map(sortColumnSql).join(', ')})`
  const bound = (values: SortKey) =>
    `(${columns.map(({ type }, at) => `${parameters.add(values[at] ?? null)}::${type}`).join(', ')})`
  const isFrom = slice.first === null ? 'true' : `${key} >= ${bound(slice.first)}`
  const isBefore = slice.end === null ? 'true' : `${key} < ${bound(slice.end)}`
  // Not joined by AND: of two bounds DuckDB makes one BETWEEN, which it does not have for rows of values.
  const conditions = [seqs, `CASE WHEN ${isFrom} THEN ${isBefore} ELSE false END`]
  const order = [...columns.map(sortColumnSql), table.hasEventId ? 'e.event_id' : 'e.seq']
  await session.query(
    `${insertFrom(table, into)} ${visible} AND ${conditions.join(' AND ')} ORDER BY ${order.join(', ')}`,
    parameters.values,
  )
}

/** Before any row beyond `upToSeq` is there. */
async function changeRows(session: DuckSession, { table, into, changes }: ChangedRows): Promise<void> {
  const columns = columnsOf(table).values.filter(
    ({ key, type }) => type === 'VARCHAR' && changes.some(({ values }) => Object.hasOwn(values, key)),
  )
  if (columns.length === 0) return
  const parameters = new Parameters()
  const projects = parameters.add(changes.map(({ projectId }) => projectId))
  const ids = parameters.add(changes.map(({ eventId }) => eventId))
  const lists = columns.map(({ key, name }, at) => {
    const texts = parameters.add(changes.map(({ values }) => markNull(values[key] ?? null)))
    return { name, at, list: `unnest(${texts}::VARCHAR[]) AS v${at}` }
  })
  const set = lists.map(({ name, at }) => `"${name}" = CASE WHEN c.v${at} <> '' THEN substr(c.v${at}, 2) END`)
  await session.query(
    `UPDATE ${into}.${ROWS} AS r SET ${set.join(', ')} FROM (SELECT unnest(${projects}::BIGINT[]) AS project, ` +
      `unnest(${ids}::VARCHAR[]) AS id, ${lists.map(({ list }) => list).join(', ')}) c ` +
      'WHERE r.project_id = c.project AND r.event_id = c.id',
    parameters.values,
  )
}

interface ChangedRows {
  readonly table: RowTable
  readonly into: string
  readonly changes: readonly EventChange[]
}

/** A list of parameters holds no null: an empty text stands for it, and a letter before every other. */
function markNull(value: string | null): string {
  return value === null ? '' : `=${value}`
}

async function writeFacts(session: DuckSession, from: string, into: string): Promise<FileFacts> {
  await session.query(
    `UPDATE ${into}.facts SET applied_seq = (SELECT applied_seq FROM ${from}.facts), ` +
      `least_ms = (SELECT min(timestamp_ms) FROM ${into}.${ROWS}), ` +
      `greatest_ms = (SELECT max(timestamp_ms) FROM ${into}.${ROWS})`,
  )
  const [row = []] = await session.query(
    `SELECT applied_seq::DOUBLE, least_ms, greatest_ms FROM ${into}.facts`,
  )
  const [appliedSeq, leastMs, greatestMs] = row as [number, number | null, number | null] // as selected
  return { appliedSeq, leastMs, greatestMs }
}
