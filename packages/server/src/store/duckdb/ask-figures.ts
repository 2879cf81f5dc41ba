/** Rows of any dataset counted by values and time, over any number of files: a few in each statement, summed behind them. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { byNewest, type FileName } from '#model/file-name.ts'
import type { Figure, FiguresAnswer, FiguresAsked, NamedAnswer, NamedAsked } from '#ports/columns.ts'
import { conditionSql } from './ask-conditions.ts'
import type { AskContext } from './ask-context.ts'
import { askPlace, badQuestion, elementSql, type Place, plainValue, valueSql } from './ask-fields.ts'
import {
  type Addend,
  addendOf,
  addRowToSum,
  emptySum,
  figureOfSum,
  PER_ADDEND,
  type Sum,
  summedSql,
  sumSql,
} from './ask-sums.ts'
import {
  type FileRows,
  fromGroups,
  fromProjects,
  groupsWithin,
  Parameters,
  type VisibleGroups,
  visibleGroups,
} from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import { filesInRange } from './event-reads.ts'
import { filesPerScan } from './group-scan.ts'
import { decodeTag, GS, splitListText } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'

type Group = FiguresAnswer['groups'][number]

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
    for (const row of await scanFigures(context, plan, files)) unique += addRow(groups, row, plan)
    if (groups.size > max('tallyRowsMax') || unique > max('tallyUsersMax'))
      throw new ErrataError('store_timeout', 'the count has too many values')
  })
  const limit = Math.max(1, Math.min(Math.floor(question.limit), max('tallyRowsMax')))
  return {
    groups: mostFrequent([...groups.values()], limit).map((group) => figureGroup(group, plan)),
  }
}

interface Plan {
  readonly question: FiguresAsked
  readonly by: readonly Place[]
  /** Each once, however many figures are read from it. */
  readonly addends: readonly Addend[]
  /** Index of the addend that each figure is read from; `null` for a count of rows. */
  readonly sources: readonly (number | null)[]
  /** The groups that rows must be of; `null`: any. */
  readonly groups: VisibleGroups | null
}

function planOf({ dataset, scope, rules }: AskContext, question: FiguresAsked): Plan {
  const { by, figures, stepMs, range } = question
  if (by.length > max('askKeysMax'))
    throw badQuestion(`Figures are kept apart by at most ${max('askKeysMax')} fields.`)
  if (figures.length > max('askFiguresMax'))
    throw badQuestion(`At most ${max('askFiguresMax')} figures at once.`)
  if (stepMs !== null && !(stepMs > 0 && (range.endMs - range.startMs) / stepMs <= max('tallyRowsMax')))
    throw badQuestion('The steps are too many for this range.')
  const places = by.map((ref) => askPlace(dataset, ref))
  if (places.filter(({ type }) => type === 'list').length > 1)
    throw badQuestion('Figures are kept apart by one list at most.')
  const pairs = places.find(({ type }) => type === 'pairs')
  if (pairs !== undefined) throw badQuestion(`${pairs.name} holds several values: name one of them.`)
  const { groups = null } = question.ofEvents ?? {}
  const wanted = figures.map((figure) => (figure.is === 'count' ? null : addendOf(dataset, figure)))
  const addends = [...new Map(wanted.flatMap((one) => (one === null ? [] : [[one.name, one]]))).values()]
  return {
    ...{
      question,
      by: places,
      addends,
      groups: groups === null ? null : visibleGroups(scope, groups, rules),
    },
    sources: wanted.map((one) => (one === null ? null : addends.findIndex(({ name }) => name === one.name))),
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

function scanFigures(
  context: AskContext,
  plan: Plan,
  files: readonly FileName[],
): Promise<readonly AnswerRow[]> {
  const { question, by, addends, groups } = plan
  return context.files.readAll(files, async (attached) => {
    const parameters = new Parameters()
    const values = [
      ...by.map((place, at) => `${keySql(context, place, parameters)} AS k${at}`),
      `${stepSql(question, parameters)} AS b`,
      'e.timestamp_ms AS t',
      ...addends.map((addend, at) => `${summedSql(context.dataset, addend, parameters)} AS f${at}`),
    ]
    const branches = attached.flatMap((rows: FileRows & { readonly file: FileName }) => {
      const from = fromQuestion(context, rows, { asked: question, groups, parameters })
      return from === null ? [] : [`SELECT ${values.join(', ')} ${from}`]
    })
    if (branches.length === 0) return []
    const keys = [...by.map((_, at) => `k${at}`), 'b']
    const sums = addends.map((addend, at) => sumSql(addend, `f${at}`))
    return context.query(
      `SELECT ${[...keys, 'count(*)::DOUBLE', 'min(t)', 'max(t)', ...sums].join(', ')} ` +
        `FROM (${branches.join(' UNION ALL ')}) GROUP BY ${keys.join(', ')} LIMIT ${max('tallyRowsMax') + 1}`,
      parameters.values,
    )
  })
}

interface From {
  readonly asked: FiguresAsked | NamedAsked
  readonly groups: VisibleGroups | null
  readonly parameters: Parameters
}

/** `FROM … WHERE …` over the rows that are asked for; `null` where none can be seen. */
function fromQuestion(
  { dataset, scope, rules }: AskContext,
  rows: FileRows & { readonly file: FileName },
  { asked, groups, parameters }: From,
): string | null {
  const { where, range } = asked
  const { groups: _, ...ofEvents } = (asked.ask === 'figures' ? asked.ofEvents : undefined) ?? {
    groups: null,
  }
  const filter = { ...ofEvents, ...range }
  const within = groups === null ? null : groupsWithin(groups, rules, rows.file)
  if (within?.hashes.length === 0) return null
  const from =
    within === null
      ? fromProjects(rows, scope, { filter, parameters, rules, file: rows.file })
      : fromGroups(rows, within, { filter, parameters })
  return 'all' in where && where.all.length === 0
    ? from
    : `${from} AND ${conditionSql(dataset, where, parameters)}`
}

function keySql({ dataset }: AskContext, place: Place, parameters: Parameters): string {
  return place.type === 'list' ? elementSql(place) : valueSql(dataset, place, parameters)
}

function stepSql({ range, stepMs }: FiguresAsked, parameters: Parameters): string {
  if (stepMs === null) return '0::DOUBLE'
  return `floor((e.timestamp_ms - ${parameters.add(range.startMs)}::DOUBLE) / ${parameters.add(stepMs)}::DOUBLE)`
}

/** Answers how many values of figures that tell them apart were not known before. */
function addRow(groups: Map<string, GroupSum>, row: AnswerRow, { by, addends }: Plan): number {
  const values = by.map((place, at) => plainValue(place, row[at]))
  const [step, rows, firstMs, lastMs, ...told] = row.slice(by.length)
  const key = JSON.stringify([values, Number(step)])
  const known = groups.get(key) ?? newGroup(values, Number(step), addends)
  groups.set(key, known)
  known.rows += Number(rows)
  known.firstMs = Math.min(known.firstMs, Number(firstMs))
  known.lastMs = Math.max(known.lastMs, Number(lastMs))
  let added = 0
  known.sums.forEach((sum, at) => {
    const addend = addends[at]
    if (addend !== undefined)
      added += addRowToSum(sum, addend, told.slice(at * PER_ADDEND, (at + 1) * PER_ADDEND))
  })
  return added
}

function newGroup(values: Group['values'], step: number, addends: readonly Addend[]): GroupSum {
  const sums = addends.map(emptySum)
  return { values, step, rows: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: 0, sums }
}

function figureGroup({ sums, ...group }: GroupSum, { question, sources }: Plan): Group {
  const figureAt = (figure: Figure, at: number) => {
    const sum = sums[sources[at] ?? -1]
    return sum === undefined ? group.rows : figureOfSum(figure, sum)
  }
  return { ...group, figures: question.figures.map(figureAt) }
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
        const from = fromQuestion(context, rows, { asked: question, groups: null, parameters })
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
      const [name] = decodeTag(`${splitListText(`${GS}${String(written)}${GS}`)[0] ?? ''}=`)
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
