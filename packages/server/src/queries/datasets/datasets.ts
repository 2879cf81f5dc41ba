/** Reads of any dataset: rows, figures, values of fields and completions, all from what the dataset says of its fields. */
import type { Clock } from '#base/clock.ts'
import { ErrataError } from '#base/errors.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type Dataset, datasetTimeText } from '#model/dataset.ts'
import type { FileName } from '#model/file-name.ts'
import { asOwnText } from '#model/text-pattern.ts'
import type { Columns, Condition, FieldValue } from '#ports/columns.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import type {
  DatasetAsked,
  DatasetFieldsAsked,
  DatasetFigures,
  DatasetFiguresAsked,
  DatasetQueries,
  DatasetRows,
  DatasetRowsAsked,
  DatasetValuesAsked,
  DatasetView,
} from '../dataset-types.ts'
import { readDatasetSearch } from '../search/dataset-search.ts'
import { inTime } from '../search/in-time.ts'
import type { SearchProblem } from '../search-words.ts'
import { datasetSuggestions } from './completion.ts'
import {
  attributeColumn,
  badRequest,
  datasetColumn,
  datasetNamed,
  figureOf,
  isFigure,
  type NamedColumn,
  unknownField,
} from './named.ts'

export interface DatasetParts {
  readonly datasets: readonly Dataset[]
  readonly telemetry: Columns & Pick<TelemetryStore, 'files'>
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly clock: Clock
}

export function datasetQueries(parts: DatasetParts): DatasetQueries {
  const views = parts.datasets.map(datasetView)
  return {
    datasets: () => views,
    datasetRows: (scope, asked) => readDatasetRows(parts, scope, asked),
    datasetFigures: (scope, asked) => readDatasetFigures(parts, scope, asked),
    datasetValues: (scope, asked) => datasetValues(parts, scope, asked),
    datasetKeys: (scope, asked) => datasetKeys(parts, scope, asked),
    datasetFieldCounts: (scope, asked) => datasetFieldCounts(parts, scope, asked),
    datasetSuggestions: (scope, asked) =>
      datasetSuggestions(
        {
          ...parts,
          values: (of) => datasetValues(parts, scope, of),
          keys: (of) => datasetKeys(parts, scope, of),
        },
        asked,
      ),
    datasetSearchProblems: (name, query) =>
      readDatasetSearch(query, { dataset: datasetNamed(parts.datasets, name), nowMs: parts.clock.now() })
        .problems,
    datasetFieldProblem: (scope, asked, field) => datasetFieldProblem(parts, scope, { asked, field }),
  }
}

function datasetView({ name, aliases: names, fields, attributes }: Dataset): DatasetView {
  return {
    ...{ name, aliases: names },
    fields: fields.map(({ name: field, aliases, type, values, unit }) => ({
      ...{ name: field, aliases, type, values, unit },
    })),
    hasAttributes: attributes !== null,
  }
}

const TOOK_TOO_LONG: SearchProblem = {
  ...{ message: 'The search took too long; choose a shorter time range.', start: 0, end: 0 },
}

interface Ready {
  readonly dataset: Dataset
  /** Scope left by the chosen projects. */
  readonly within: ReadScope
  readonly where: Condition
  readonly problems: readonly SearchProblem[]
}

function readyFor({ datasets, clock }: DatasetParts, scope: ReadScope, asked: DatasetAsked): Ready {
  const dataset = datasetNamed(datasets, asked.dataset)
  const { where, problems } = readDatasetSearch(asked.query, { dataset, nowMs: clock.now() })
  const chosen = asked.projects === null ? null : new Set(asked.projects)
  const within = { ...scope, projects: scope.projects.filter((id) => chosen?.has(id) ?? true) }
  const named = asked.environments.length === 0 ? null : environmentCondition(dataset, asked.environments)
  return { dataset, within, problems, where: named === null ? where : { all: [where, named] } }
}

function environmentCondition(dataset: Dataset, environments: readonly string[]): Condition {
  const column = datasetColumn(dataset, 'environment')
  if (column === null) throw badRequest(`${dataset.name} have no environment.`)
  return {
    any: environments.map((value) => ({
      of: column.ref,
      is: { op: 'like', value: asOwnText(value) } as const,
    })),
  }
}

/** Files of the kind; the store leaves out those that hold nothing of the range. */
async function filesOfDataset({ telemetry }: DatasetParts, { table }: Dataset): Promise<readonly FileName[]> {
  return (await telemetry.files()).filter(({ kind }) => kind === table.kind)
}

async function readDatasetRows(
  parts: DatasetParts,
  scope: ReadScope,
  asked: DatasetRowsAsked,
): Promise<DatasetRows> {
  const { dataset, within, where, problems } = readyFor(parts, scope, asked)
  const columns = await askedColumns(parts, within, { dataset, asked })
  if (problems.length > 0) return { columns, rows: [], nextCursor: null, problems }
  const sorted = asked.sort === '' ? '-timestamp' : asked.sort
  const by = await findNamedColumn(parts, within, { dataset, asked, name: sorted.replace(/^-/, '') })
  const found = await inTime(
    parts.telemetry.ask(within, {
      ...{
        ask: 'rows',
        dataset: dataset.name,
        files: await filesOfDataset(parts, dataset),
        range: asked.range,
        where,
      },
      fields: columns.map(({ ref }) => ref),
      sort: { by: by.ref, isDescending: sorted.startsWith('-') },
      ...{ limit: asked.limit, cursor: asked.cursor },
    }),
  )
  if (found === null) return { columns, rows: [], nextCursor: null, problems: [TOOK_TOO_LONG] }
  const slugs = await slugsOfColumns(parts, scope, columns)
  const rows = found.rows.map((row) => row.map((value, at) => shownValue(columns[at], value, slugs)))
  return { columns, rows, nextCursor: found.nextCursor, problems: [] }
}

/** Every field where none is named. */
async function askedColumns(
  parts: DatasetParts,
  scope: ReadScope,
  { dataset, asked }: { readonly dataset: Dataset; readonly asked: DatasetRowsAsked },
): Promise<readonly NamedColumn[]> {
  const names = asked.fields.length === 0 ? dataset.fields.map(({ name }) => name) : asked.fields
  const columns: NamedColumn[] = []
  for (const name of names) columns.push(await findNamedColumn(parts, scope, { dataset, asked, name }))
  return columns
}

interface NamedIn {
  readonly dataset: Dataset
  readonly asked: DatasetAsked
  readonly name: string
}

/** A name that is no field's is an attribute's, where any row of the range has it. */
async function findNamedColumn(
  parts: DatasetParts,
  scope: ReadScope,
  { dataset, asked, name }: NamedIn,
): Promise<NamedColumn> {
  const column = datasetColumn(dataset, name)
  if (column !== null) return column
  if (dataset.attributes === null || name.length > max('attributeKeyAskedCharsMax'))
    throw unknownField(dataset, name)
  const found = await inTime(
    parts.telemetry.ask(scope, {
      ...{
        ask: 'figures',
        dataset: dataset.name,
        files: await filesOfDataset(parts, dataset),
        range: asked.range,
      },
      where: { of: { attribute: name }, is: { op: 'present' } },
      ...{ by: [], figures: [], stepMs: null, limit: 1 },
    }),
  )
  if (found !== null && found.groups.length === 0) throw unknownField(dataset, name)
  return attributeColumn(name, name)
}

/** Asked as `datasetRows` and `datasetFigures` ask. */
async function datasetFieldProblem(
  parts: DatasetParts,
  scope: ReadScope,
  { asked, field }: { readonly asked: DatasetAsked; readonly field: string },
): Promise<string | null> {
  const { dataset, within } = readyFor(parts, scope, asked)
  try {
    if (isFigure(field)) figureOf(dataset, field)
    else await findNamedColumn(parts, within, { dataset, asked, name: field })
    return null
  } catch (cause) {
    if (cause instanceof ErrataError && cause.code === 'bad_request') return cause.message
    throw cause
  }
}

async function slugsOfColumns(
  { projects }: DatasetParts,
  scope: ReadScope,
  columns: readonly NamedColumn[],
): Promise<ReadonlyMap<ProjectId, string>> {
  if (!columns.some(({ field }) => field?.type === 'project')) return new Map()
  return new Map((await projects.projects(scope)).map(({ id, slug }) => [id, slug]))
}

function shownValue<T extends FieldValue>(
  column: NamedColumn | undefined,
  value: T,
  slugs: ReadonlyMap<number, string>,
): T | string | null {
  if (column?.field?.type === 'project') return slugs.get(Number(value)) ?? null
  if (column?.type === 'date' && typeof value === 'number') return datasetTimeText(value)
  return value
}

async function readDatasetFigures(
  parts: DatasetParts,
  scope: ReadScope,
  asked: DatasetFiguresAsked,
): Promise<DatasetFigures> {
  const { dataset, within, where, problems } = readyFor(parts, scope, asked)
  const figures = asked.fields.filter(isFigure).map((name) => figureOf(dataset, name))
  const by: NamedColumn[] = []
  for (const name of asked.fields)
    if (!isFigure(name)) by.push(await findNamedColumn(parts, within, { dataset, asked, name }))
  if (problems.length > 0) return { by, figures, groups: [], problems }
  const found = await inTime(
    parts.telemetry.ask(within, {
      ...{
        ask: 'figures',
        dataset: dataset.name,
        files: await filesOfDataset(parts, dataset),
        range: asked.range,
        where,
      },
      by: by.map(({ ref }) => ref),
      figures: figures.map(({ figure }) => figure),
      ...{ stepMs: asked.stepMs, limit: asked.limit },
    }),
  )
  if (found === null) return { by, figures, groups: [], problems: [TOOK_TOO_LONG] }
  const slugs = await slugsOfColumns(parts, scope, by)
  const seconds = (asked.stepMs ?? asked.range.endMs - asked.range.startMs) / 1_000
  return {
    ...{ by, figures, problems: [] },
    groups: found.groups.map(({ values, step, rows, figures: told }) => ({
      ...{ step, rows },
      values: values.map((value, at) => shownValue(by[at], value, slugs)),
      figures: told.map((value, at) => {
        const { per = null, figure } = figures[at] ?? {}
        if (value === null) return null
        if (figure?.is === 'quantile') return roundedQuantile(value)
        return per === null ? value : value / Math.max(1, per === 'minute' ? seconds / 60 : seconds)
      }),
    })),
  }
}

/** Percentiles are within 1 %: more digits than these say nothing. */
function roundedQuantile(value: number): number {
  return Math.abs(value) >= 1 ? Math.round(value * 100) / 100 : Number(value.toPrecision(4))
}

/** Asks for a few fields at once. */
async function datasetFieldCounts(parts: DatasetParts, scope: ReadScope, asked: DatasetFieldsAsked) {
  const { dataset, within, where, problems } = readyFor(parts, scope, asked)
  if (problems.length > 0) return []
  const files = await filesOfDataset(parts, dataset)
  const columns = asked.fields.flatMap((name) => datasetColumn(dataset, name) ?? [])
  const counted: { readonly value: string; readonly count: number }[] = []
  for (let at = 0; at < columns.length; at += max('askFiguresMax')) {
    const some = columns.slice(at, at + max('askFiguresMax'))
    const found = await inTime(
      parts.telemetry.ask(within, {
        ...{ ask: 'figures', dataset: dataset.name, files, range: asked.range, where },
        figures: some.map(({ ref }) => ({ is: 'present' as const, of: ref })),
        ...{ by: [], stepMs: null, limit: 1 },
      }),
    )
    const told = found?.groups[0]?.figures ?? []
    counted.push(...some.map(({ name }, place) => ({ value: name, count: told[place] ?? 0 })))
  }
  return counted
}

async function datasetValues(parts: DatasetParts, scope: ReadScope, asked: DatasetValuesAsked) {
  const { dataset, within, where, problems } = readyFor(parts, scope, asked)
  if (problems.length > 0) return []
  const column =
    datasetColumn(dataset, asked.key) ??
    (dataset.attributes === null ? null : attributeColumn(asked.key, asked.key))
  if (column === null) throw unknownField(dataset, asked.key)
  const isText = column.field === null || column.field.type === 'text' || column.field.type === 'list'
  const begins: readonly Condition[] =
    asked.prefix === '' || !isText
      ? [{ of: column.ref, is: { op: 'present' } }]
      : [{ of: column.ref, is: { op: 'begins', value: asOwnText(asked.prefix) } }]
  const found = await inTime(
    parts.telemetry.ask(within, {
      ...{
        ask: 'figures',
        dataset: dataset.name,
        files: await filesOfDataset(parts, dataset),
        range: asked.range,
      },
      ...{ where: { all: [where, ...begins] }, by: [column.ref], figures: [], stepMs: null },
      limit: max('tallyRowsMax'),
    }),
  )
  const slugs = await slugsOfColumns(parts, scope, [column])
  const wanted = asked.prefix.toLowerCase()
  return (found?.groups ?? [])
    .flatMap(({ values: [value], rows: count }) => {
      const shown = value === null || value === undefined ? null : shownValue(column, value, slugs)
      return shown === null
        ? []
        : [{ value: typeof shown === 'boolean' ? (shown ? 'yes' : 'no') : String(shown), count }]
    })
    .filter(({ value }) => value.toLowerCase().startsWith(wanted))
    .slice(0, asked.limit)
}

async function datasetKeys(parts: DatasetParts, scope: ReadScope, asked: Omit<DatasetValuesAsked, 'key'>) {
  const { dataset, within, where, problems } = readyFor(parts, scope, asked)
  if (problems.length > 0 || dataset.attributes === null) return []
  const found = await inTime(
    parts.telemetry.ask(within, {
      ...{ ask: 'named', name: 'attribute keys', dataset: dataset.name, where, range: asked.range },
      ...{ files: await filesOfDataset(parts, dataset), of: { prefix: asked.prefix, limit: asked.limit } },
    }),
  )
  return found?.values ?? []
}
