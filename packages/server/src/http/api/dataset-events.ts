/** Rows of a dataset and figures of them, from what it says of its fields: `events/` and `events-stats/` of every kind. */
import type { ProjectId } from '#base/ids.ts'
import type { FieldValue } from '#ports/columns.ts'
import type { DatasetColumn, DatasetView } from '#queries/dataset-types.ts'
import { type ApiAnswer, answerOk, type OrgCall } from './call.ts'
import type { CellType } from './error-fields.ts'
import { pageOf, readPage } from './pages.ts'
import { refuseProblems } from './refusals.ts'
import { sortedRows } from './sorted-rows.ts'

interface Asked {
  readonly query: string
  readonly projects: readonly ProjectId[] | null
  readonly environments: readonly string[]
  readonly range: { readonly startMs: number; readonly endMs: number }
  readonly fields: readonly string[]
  /** A field, `-` before it for the greatest first; empty: as they come. */
  readonly sort: string
}

/** `GET …/events/?dataset=<name>`: rows, or figures of them by the fields beside these. */
export function datasetEvents(call: OrgCall, dataset: DatasetView, asked: Asked): Promise<ApiAnswer> {
  return asked.fields.some((name) => name.endsWith(')'))
    ? answerDatasetFigures(call, dataset, asked)
    : answerDatasetRows(call, dataset, asked)
}

async function answerDatasetRows(call: OrgCall, dataset: DatasetView, asked: Asked): Promise<ApiAnswer> {
  const { limit, cursor } = readPage(call.url)
  const found = await call.queries.datasetRows(call.scope, { ...asked, dataset: dataset.name, limit, cursor })
  refuseProblems(found.problems)
  const data = found.rows.map((row) =>
    Object.fromEntries(
      found.columns.map(({ name }, at) => [name, datasetCell(found.columns[at], row[at] ?? null)]),
    ),
  )
  const page = { previous: null, next: found.nextCursor, hits: null }
  return { ...answerOk({ data, meta: datasetMeta(found.columns) }), page }
}

type Cell = string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>

/** Pairs are an object by their keys. */
function datasetCell(column: DatasetColumn | undefined, value: FieldValue): Cell {
  if (value === null || typeof value !== 'object') return value
  if (column?.type !== 'object') return value.map(String)
  const cell: Record<string, string> = Object.create(null)
  for (const [key = '', own = ''] of value) cell[key] = own
  return cell
}

/** Values that figures are kept apart by: those with most rows. */
const GROUPS_MAX = 1_000

async function answerDatasetFigures(call: OrgCall, dataset: DatasetView, asked: Asked): Promise<ApiAnswer> {
  const { sort, ...rest } = asked
  const found = await call.queries.datasetFigures(call.scope, {
    ...{ ...rest, dataset: dataset.name, stepMs: null, limit: GROUPS_MAX },
  })
  refuseProblems(found.problems)
  const { by, figures } = found
  const all = found.groups.map(({ values, figures: told }) => ({
    ...Object.fromEntries(by.map(({ name }, at) => [name, values[at] ?? null])),
    ...Object.fromEntries(figures.map((figure, at) => [figure.name, figureCell(figure, told[at] ?? null)])),
  }))
  // Without anything to count by there is one figure, of nothing too.
  if (by.length === 0 && all.length === 0) all.push(Object.fromEntries(figures.map(noneOf)))
  const { rows, page } = pageOf(sortedRows(all, asked.fields, sort), readPage(call.url))
  const columns = new Map([...by, ...figures].map((column) => [column.name, column]))
  return {
    ...answerOk({ data: rows, meta: datasetMeta(asked.fields.flatMap((name) => columns.get(name) ?? [])) }),
    page,
  }
}

function noneOf({ name, type }: DatasetColumn): readonly [string, number | null] {
  return [name, type === 'number' && /^(?:count|epm|eps)/.test(name) ? 0 : null]
}

function figureCell({ type }: DatasetColumn, value: number | null): string | number | null {
  return type === 'date' && value !== null ? new Date(value).toISOString() : value
}

const UNITS: Readonly<
  Record<NonNullable<DatasetColumn['unit']>, { readonly type: string; readonly unit: string }>
> = {
  ms: { type: 'duration', unit: 'millisecond' },
  bytes: { type: 'size', unit: 'byte' },
  percent: { type: 'percentage', unit: 'percent' },
}

function datasetMeta(columns: readonly DatasetColumn[]) {
  const told = columns.map(
    ({ name, type, unit }) => [name, unit === null ? { type, unit } : UNITS[unit]] as const,
  )
  return {
    fields: Object.fromEntries(told.map(([name, { type }]) => [name, type])),
    units: Object.fromEntries(told.map(([name, { unit }]) => [name, unit])),
  }
}

/** Groups by time for `events-stats/`, as errors have them. */
export interface DatasetSeriesGroup {
  readonly cells: readonly (string | number | boolean | null)[]
  readonly rows: number
  /** Values of the axes by step. */
  readonly steps: ReadonlyMap<number, readonly (number | null)[]>
}

export interface DatasetSeries {
  readonly axes: readonly { readonly name: string; readonly type: CellType }[]
  readonly groups: readonly DatasetSeriesGroup[]
}

export async function datasetSeries(
  call: OrgCall,
  dataset: DatasetView,
  asked: Omit<Asked, 'sort' | 'fields'> & {
    readonly axes: readonly string[]
    readonly keys: readonly string[]
    readonly stepMs: number
    readonly limit: number
  },
): Promise<DatasetSeries> {
  const { axes, keys, ...rest } = asked
  const found = await call.queries.datasetFigures(call.scope, {
    ...{ ...rest, dataset: dataset.name, fields: [...keys, ...axes] },
  })
  refuseProblems(found.problems)
  const groups = new Map<
    string,
    { cells: DatasetSeriesGroup['cells']; rows: number; steps: Map<number, readonly (number | null)[]> }
  >()
  for (const { values, step, rows, figures } of found.groups) {
    const name = JSON.stringify(values)
    const known = groups.get(name) ?? {
      cells: values,
      rows: 0,
      steps: new Map<number, readonly (number | null)[]>(),
    }
    groups.set(name, known)
    known.rows += rows
    known.steps.set(step, figures)
  }
  return {
    axes: found.figures.map(({ name, type }) => ({ name, type: type === 'date' ? 'date' : 'number' })),
    groups: [...groups.values()].sort((a, b) => b.rows - a.rows),
  }
}
