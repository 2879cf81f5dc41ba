/** Rows of any dataset counted by values and time, over any number of files: a few in each statement, summed behind them. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { byNewest, type FileName } from '#model/file-name.ts'
import type { Figure, FiguresAnswer, FiguresAsked, NamedAnswer, NamedAsked } from '#ports/columns.ts'
import { conditionSql } from './ask-conditions.ts'
import type { AskContext } from './ask-context.ts'
import {
  badQuestion,
  columnSql,
  elementSql,
  type Place,
  placeOf,
  plainValue,
  valueSql,
} from './ask-fields.ts'
import { type FileRows, fromProjects, Parameters } from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import { filesInRange } from './event-reads.ts'
import { filesPerScan } from './group-scan.ts'
import { decodeTag, GS, readList } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'

type Group = FiguresAnswer['groups'][number]

/** A figure while it is added up. */
interface Sum {
  values: number
  sum: number
  least: number | null
  most: number | null
  readonly unique: Set<number>
}

interface GroupSum extends Omit<Group, 'figures' | 'rows' | 'firstMs' | 'lastMs'> {
  rows: number
  firstMs: number
  lastMs: number
  readonly sums: readonly Sum[]
}

export async function askFigures(context: AskContext, question: FiguresAsked): Promise<FiguresAnswer> {
  const plan = planOf(context, question)
  const groups = new Map<string, GroupSum>()
  let unique = 0
  await eachScan(context, question, async (files) => {
    for (const row of await scan(context, plan, files)) unique += addRow(groups, row, plan)
    if (groups.size > max('tallyRowsMax') || unique > max('tallyUsersMax'))
      throw new ErrataError('store_timeout', 'the count has too many values')
  })
  const limit = Math.max(1, Math.min(Math.floor(question.limit), max('tallyRowsMax')))
  return {
    groups: mostFrequent([...groups.values()], limit).map((group) => groupOf(group, question.figures)),
  }
}

interface Plan {
  readonly question: FiguresAsked
  readonly by: readonly Place[]
  /** Places of figures; `null` for a count of rows. */
  readonly figures: readonly (Place | null)[]
}

const NUMBERS: ReadonlySet<Place['type']> = new Set(['number', 'time'])

function planOf({ dataset }: AskContext, question: FiguresAsked): Plan {
  const { by, figures, stepMs, range } = question
  if (by.length > max('askKeysMax'))
    throw badQuestion(`Figures are kept apart by at most ${max('askKeysMax')} fields.`)
  if (figures.length > max('askFiguresMax'))
    throw badQuestion(`At most ${max('askFiguresMax')} figures at once.`)
  if (stepMs !== null && !(stepMs > 0 && (range.endMs - range.startMs) / stepMs <= max('tallyRowsMax')))
    throw badQuestion('The steps are too many for this range.')
  const places = by.map((ref) => placeOf(dataset, ref))
  if (places.filter(({ type }) => type === 'list').length > 1)
    throw badQuestion('Figures are kept apart by one list at most.')
  const pairs = places.find(({ type }) => type === 'pairs')
  if (pairs !== undefined) throw badQuestion(`${pairs.name} holds several values: name one of them.`)
  return {
    ...{ question, by: places },
    figures: figures.map((figure) => {
      if (figure.is === 'count') return null
      const place = placeOf(dataset, figure.of)
      if (figure.is !== 'unique' && !NUMBERS.has(place.type))
        throw badQuestion(`${place.name} is no number: ${figure.is} is of numbers.`)
      return place
    }),
  }
}

async function eachScan(
  { dataset, files, scope }: AskContext,
  asked: FiguresAsked | NamedAsked,
  work: (files: readonly FileName[]) => Promise<void>,
): Promise<void> {
  if (scope.projects.length === 0) return
  const known = await filesInRange({ files, table: dataset.table }, { files: asked.files, ...asked.range })
  const sorted = known.map(({ file }) => file).sort(byNewest)
  for (let at = 0; at < sorted.length; at += filesPerScan()) await work(sorted.slice(at, at + filesPerScan()))
}

/** Columns of a figure in the answer of a scan: how many values, their sum, the least, the most, and each once. */
const PER_FIGURE = 5

function scan(context: AskContext, plan: Plan, files: readonly FileName[]): Promise<readonly AnswerRow[]> {
  const { question, by, figures } = plan
  return context.files.readAll(files, async (attached) => {
    const parameters = new Parameters()
    const values = [
      ...by.map((place, at) => `${keySql(context, place, parameters)} AS k${at}`),
      `${stepSql(question, parameters)} AS b`,
      'e.timestamp_ms AS t',
      ...figures.map((place, at) => `${figureSql(context, place, parameters)} AS f${at}`),
    ]
    const branches = attached.map((rows: FileRows & { readonly file: FileName }) => {
      const from = fromQuestion(context, rows, { asked: question, parameters })
      return `SELECT ${values.join(', ')} ${from}`
    })
    if (branches.length === 0) return []
    const keys = [...by.map((_, at) => `k${at}`), 'b']
    const sums = figures.map((place, at) => sumSql(place, `f${at}`, question.figures[at]))
    return context.query(
      `SELECT ${[...keys, 'count(*)::DOUBLE', 'min(t)', 'max(t)', ...sums].join(', ')} ` +
        `FROM (${branches.join(' UNION ALL ')}) GROUP BY ${keys.join(', ')} LIMIT ${max('tallyRowsMax') + 1}`,
      parameters.values,
    )
  })
}

function fromQuestion(
  { dataset, scope, rules }: AskContext,
  rows: FileRows & { readonly file: FileName },
  { asked, parameters }: { readonly asked: FiguresAsked | NamedAsked; readonly parameters: Parameters },
): string {
  const { range: filter, where } = asked
  const from = fromProjects(rows, scope, { filter, parameters, rules, file: rows.file })
  return `${from} AND ${conditionSql(dataset, where, parameters)}`
}

function keySql({ dataset }: AskContext, place: Place, parameters: Parameters): string {
  return place.type === 'list' ? elementSql(place) : valueSql(dataset, place, parameters)
}

function stepSql({ range, stepMs }: FiguresAsked, parameters: Parameters): string {
  if (stepMs === null) return '0::DOUBLE'
  return `floor((e.timestamp_ms - ${parameters.add(range.startMs)}::DOUBLE) / ${parameters.add(stepMs)}::DOUBLE)`
}

function figureSql({ dataset }: AskContext, place: Place | null, parameters: Parameters): string {
  if (place === null) return 'NULL'
  return place.type === 'list' || place.type === 'pairs'
    ? columnSql(place)
    : valueSql(dataset, place, parameters)
}

function sumSql(place: Place | null, name: string, figure: Figure | undefined): string {
  if (place === null || figure === undefined) return Array(PER_FIGURE).fill('NULL').join(', ')
  if (figure.is === 'unique')
    return `NULL, NULL, NULL, NULL, list(DISTINCT (hash(${name}) >> 11)::DOUBLE) FILTER (WHERE ${name} IS NOT NULL)`
  return `count(${name})::DOUBLE, sum(${name})::DOUBLE, min(${name})::DOUBLE, max(${name})::DOUBLE, NULL`
}

/** Answers how many values of unique figures were not known before. */
function addRow(groups: Map<string, GroupSum>, row: AnswerRow, { by, figures }: Plan): number {
  const values = by.map((place, at) => plainValue(place, row[at]))
  const [step, rows, firstMs, lastMs, ...told] = row.slice(by.length)
  const key = JSON.stringify([values, Number(step)])
  const known = groups.get(key) ?? newGroup(values, Number(step), figures.length)
  groups.set(key, known)
  known.rows += Number(rows)
  known.firstMs = Math.min(known.firstMs, Number(firstMs))
  known.lastMs = Math.max(known.lastMs, Number(lastMs))
  let added = 0
  known.sums.forEach((sum, at) => {
    added += addTo(sum, told.slice(at * PER_FIGURE, (at + 1) * PER_FIGURE))
  })
  return added
}

function newGroup(values: Group['values'], step: number, figures: number): GroupSum {
  const sums = Array.from({ length: figures }, () => ({
    ...{ values: 0, sum: 0, least: null, most: null },
    unique: new Set<number>(),
  }))
  return { values, step, rows: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: 0, sums }
}

function addTo(sum: Sum, [values, total, least, most, unique]: AnswerRow): number {
  sum.values += Number(values ?? 0)
  sum.sum += Number(total ?? 0)
  if (least !== null) sum.least = Math.min(Number(least), sum.least ?? Number.POSITIVE_INFINITY)
  if (most !== null) sum.most = Math.max(Number(most), sum.most ?? Number.NEGATIVE_INFINITY)
  const before = sum.unique.size
  if (Array.isArray(unique)) for (const each of unique) sum.unique.add(Number(each))
  return sum.unique.size - before
}

function groupOf({ sums, ...group }: GroupSum, figures: readonly Figure[]): Group {
  return {
    ...group,
    figures: figures.map((figure, at) => {
      const sum = sums[at]
      if (figure.is === 'count' || sum === undefined) return group.rows
      if (figure.is === 'unique') return sum.unique.size
      if (sum.values === 0) return null
      if (figure.is === 'avg') return sum.sum / sum.values
      return figure.is === 'sum' ? sum.sum : figure.is === 'min' ? sum.least : sum.most
    }),
  }
}

/** All steps of those values that have most rows. */
function mostFrequent(groups: readonly GroupSum[], limit: number): readonly GroupSum[] {
  const nameOf = ({ values }: GroupSum) => JSON.stringify(values)
  const totals = new Map<string, number>()
  for (const group of groups) totals.set(nameOf(group), group.rows + (totals.get(nameOf(group)) ?? 0))
  const most = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, limit)
  const place = new Map(most.map(([name], index) => [name, index]))
  return groups
    .filter((group) => place.has(nameOf(group)))
    .sort((a, b) => (place.get(nameOf(a)) ?? 0) - (place.get(nameOf(b)) ?? 0) || a.step - b.step)
}

/** Keys of attributes, with how many rows have them. Keys that a field stands for are the field's. */
export async function askAttributeKeys(context: AskContext, question: NamedAsked): Promise<NamedAnswer> {
  const { dataset } = context
  const column = columnsOf(dataset.table).lists.find(({ key }) => key === dataset.attributes)
  if (column === undefined) return { values: [] }
  const { prefix, limit } = question.of
  const counts = new Map<string, number>()
  await eachScan(context, question, async (files) => {
    const rows = await context.files.readAll(files, async (attached) => {
      const parameters = new Parameters()
      const branches = attached.map((rows: FileRows & { readonly file: FileName }) => {
        const from = fromQuestion(context, rows, { asked: question, parameters })
        return `SELECT unnest(string_split(e."${column.name}", chr(29))) AS pair ${from}`
      })
      if (branches.length === 0) return []
      return context.query(
        `SELECT split_part(pair, '=', 1) AS name, count(*)::DOUBLE FROM (${branches.join(' UNION ALL ')}) ` +
          `WHERE pair <> '' GROUP BY name ORDER BY 2 DESC, 1 LIMIT ${max('tallyRowsMax')}`,
        parameters.values,
      )
    })
    for (const [written, count] of rows) {
      const [name] = decodeTag(`${readList(`${GS}${String(written)}${GS}`)[0] ?? ''}=`)
      counts.set(name, Number(count) + (counts.get(name) ?? 0))
    }
  })
  const wanted = prefix.toLowerCase()
  return {
    values: [...counts]
      .filter(([value]) => value.toLowerCase().startsWith(wanted))
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, Math.max(1, Math.min(limit, max('tallyRowsMax'))))
      .map(([value, count]) => ({ value, count })),
  }
}
