/** Events counted by columns and time, over any number of files: a few in each statement, summed behind them. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { byNewest, type FileName } from '#model/file-name.ts'
import type { AnyEventFilter, EventLike, Tally, TallyAsked, TallyColumn } from '#ports/telemetry.ts'
import { fromGroups, fromProjects, groupsWithin, Parameters, visibleGroups } from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import { filesInRange } from './event-reads.ts'
import { filesPerScan } from './group-scan.ts'
import type { ReadContext } from './read-context.ts'
import { columnsOf } from './table-columns.ts'

interface Sum extends Omit<Tally, 'users'> {
  readonly users: Set<number>
}

/** Same as `EventReads.tally`. */
export async function readTallies<R extends EventLike>(
  context: ReadContext<R>,
  filter: AnyEventFilter,
  asked: TallyAsked,
): Promise<readonly Tally[]> {
  if (context.scope.projects.length === 0) return []
  const sums = new Map<string, Sum>()
  let users = 0
  const files = (await filesInRange(context, filter)).map(({ file }) => file).sort(byNewest)
  for (let at = 0; at < files.length; at += filesPerScan()) {
    for (const row of await scan(context, { filter, asked, files: files.slice(at, at + filesPerScan()) }))
      users += addTo(sums, row, asked)
    if (sums.size > max('tallyRowsMax') || users > max('tallyUsersMax'))
      throw new ErrataError('store_timeout', 'the count has too many values')
  }
  return mostFrequent([...sums.values()], asked.limit).map((sum) => ({
    ...sum,
    users: asked.users ? sum.users.size : null,
  }))
}

interface Part {
  readonly filter: AnyEventFilter
  readonly asked: TallyAsked
  readonly files: readonly FileName[]
}

function scan<R extends EventLike>(
  context: ReadContext<R>,
  { filter: { groups, files: _, ...filter }, asked, files }: Part,
): Promise<readonly AnswerRow[]> {
  const { scope, rules } = context
  const named = groups === null ? null : visibleGroups(scope, groups, rules)
  return context.files.readAll(files, async (attached) => {
    const parameters = new Parameters()
    const step = stepOf(filter.startMs ?? 0, asked.stepMs, parameters)
    const columns = asked.by.map((column, index) => `e.${nameOf(context, column)} AS k${index}`)
    const branches = attached.flatMap((rows) => {
      const within = named === null ? null : groupsWithin(named, rules, rows.file)
      if (within?.hashes.length === 0) return []
      const from =
        within === null
          ? fromProjects(rows, scope, { filter, parameters, rules, file: rows.file })
          : fromGroups(rows, within, { filter, parameters })
      const user = asked.users ? 'e."user"' : 'NULL'
      return [
        `SELECT ${[...columns, `${step} AS b`, 'e.timestamp_ms AS t', `${user} AS u`].join(', ')} ${from}`,
      ]
    })
    if (branches.length === 0) return []
    const keys = [...asked.by.map((_column, index) => `k${index}`), 'b']
    const users = asked.users ? 'list(DISTINCT (hash(u) >> 11)::DOUBLE) FILTER (WHERE u IS NOT NULL)' : 'NULL'
    const shown = asked.by.map((column, index) => (WHOLE.has(column) ? `k${index}::DOUBLE` : `k${index}`))
    return context.query(
      `SELECT ${[...shown, 'b::DOUBLE', 'count(*)::DOUBLE', users, 'min(t)', 'max(t)'].join(', ')} ` +
        `FROM (${branches.join(' UNION ALL ')}) GROUP BY ${keys.join(', ')} LIMIT ${max('tallyRowsMax') + 1}`,
      parameters.values,
    )
  })
}

const WHOLE: ReadonlySet<TallyColumn> = new Set(['projectId'])

function stepOf(startMs: number, stepMs: number | null, parameters: Parameters): string {
  if (stepMs === null) return '0'
  return `floor((e.timestamp_ms - ${parameters.add(startMs)}) / ${parameters.add(stepMs)})`
}

function nameOf({ table }: Pick<ReadContext, 'table'>, column: TallyColumn): string {
  const found = columnsOf(table).values.find(({ key }) => key === column)
  if (found === undefined) throw new Error(`${table.kind} has no column ${column}`)
  return `"${found.name}"`
}

/** Answers how many users were not known of it before. */
function addTo(sums: Map<string, Sum>, row: AnswerRow, { by }: TallyAsked): number {
  const values = row.slice(0, by.length).map(cellOf)
  const [step, count, users, firstMs, lastMs] = row.slice(by.length)
  const key = JSON.stringify([values, Number(step)])
  const known = sums.get(key)
  const told = known?.users ?? new Set<number>()
  const before = told.size
  if (Array.isArray(users)) for (const user of users) told.add(Number(user))
  sums.set(key, {
    ...{ values, step: Number(step), users: told, count: Number(count) + (known?.count ?? 0) },
    firstMs: Math.min(Number(firstMs), known?.firstMs ?? Number.POSITIVE_INFINITY),
    lastMs: Math.max(Number(lastMs), known?.lastMs ?? 0),
  })
  return told.size - before
}

function cellOf(value: unknown): Tally['values'][number] {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return String(value)
}

/** All steps of those values that have most events. */
function mostFrequent(sums: readonly Sum[], limit: number): readonly Sum[] {
  const totals = new Map<string, number>()
  const nameOfSum = ({ values }: Sum) => JSON.stringify(values)
  for (const sum of sums) totals.set(nameOfSum(sum), sum.count + (totals.get(nameOfSum(sum)) ?? 0))
  const most = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, limit)
  const place = new Map(most.map(([name], index) => [name, index]))
  return sums
    .filter((sum) => place.has(nameOfSum(sum)))
    .sort((a, b) => (place.get(nameOfSum(a)) ?? 0) - (place.get(nameOfSum(b)) ?? 0) || a.step - b.step)
}
