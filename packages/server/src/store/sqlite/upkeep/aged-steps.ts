/**
 * Ways to remove rows by sets that are small enough for a batch to wait for. A step asks before it removes: what finds
 * nothing is no write, after which a commit would forget what it remembers.
 */
import { max } from '#limits/limits.ts'
import type { AgedPlace } from '#store/embedded/care/stores/control.ts'
import type { Connection, SqlValue } from '../connection.ts'

type Params = Readonly<Record<string, SqlValue>>

export interface AgedAsk {
  readonly nowMs: number
  /** Key behind which the step goes on; `null`: it begins. */
  readonly after: AgedPlace['after']
  /** Rows that it removes at most, about. */
  readonly most: number
}

export interface AgedSet {
  /** Rows removed, and some for what was only read. */
  readonly cost: number
  /** Key behind which it goes on, or `done`. */
  readonly after: AgedPlace['after'] | 'done'
}

export type AgedStep = (db: Connection, ask: AgedAsk) => AgedSet

/** Rows looked at in place of one that is removed. */
export const READ_PER_ROW = 10
const DONE: AgedSet = { cost: 0, after: 'done' }

interface Rows {
  readonly table: string
  /** Columns of the primary key, or `rowid`. */
  readonly key?: string
  readonly where: string
  readonly params?: (nowMs: number) => Params
}

/** Removes rows that an index finds, or that are few. */
export function removeRowsStep({ table, key = 'rowid', where, params = () => ({}) }: Rows): AgedStep {
  const find = `SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`
  const remove = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT :most)`
  return (db, { nowMs, most }) => {
    const given = params(nowMs)
    if (db.get(find, given) === undefined) return DONE
    const { changes } = db.run(remove, { ...given, most })
    return { cost: changes, after: changes < most ? 'done' : null }
  }
}

/** Removes rows that no index finds, along the key: `key` is of whole numbers. */
export function rowsAlong({
  table,
  key,
  where,
  params = () => ({}),
}: Omit<Rows, 'key'> & { readonly key: readonly string[] }): AgedStep {
  const names = key.join(', ')
  const at = (of: string) => `(${key.map((_, place) => `CAST(:${of}${place} AS INTEGER)`).join(', ')})`
  const read = `SELECT ${key.map((name) => `CAST(${name} AS TEXT) AS ${name}`).join(', ')}, (${where}) AS isAged
    FROM ${table} WHERE (${names}) > ${at('after')} ORDER BY ${key.map((name) => `${table}.${name}`).join(', ')} LIMIT :read`
  const remove = `DELETE FROM ${table} WHERE (${names}) > ${at('after')} AND (${names}) <= ${at('last')} AND (${where})`
  const bound = (of: string, values: readonly string[]) =>
    Object.fromEntries(values.map((value, place) => [`${of}${place}`, value]))
  return (db, { nowMs, after, most }) => {
    const from = { ...params(nowMs), ...bound('after', after ?? key.map(() => LEAST)) }
    const count = most * READ_PER_ROW
    const rows = db.all<Readonly<Record<string, string>> & { readonly isAged: number }>(read, {
      ...from,
      read: count,
    })
    const newest = rows.at(-1)
    if (newest === undefined) return DONE
    const last = key.map((name) => newest[name] ?? LEAST)
    const isAny = rows.some(({ isAged }) => isAged === 1)
    const changes = isAny ? db.run(remove, { ...from, ...bound('last', last) }).changes : 0
    return { cost: rows.length / READ_PER_ROW + changes, after: rows.length < count ? 'done' : last }
  }
}

/** Below every key. */
const LEAST = '-9223372036854775808'

interface Series {
  readonly series: string
  /** Rows of one series (`:id`) that go. */
  readonly rows: readonly { readonly table: string; readonly where: string }[]
  /** Condition on a series that goes itself. */
  readonly isOver: string
  /** `days`: how long its project keeps events. */
  readonly params: (nowMs: number, days: number) => Params
}

/** Removes rows of series, each by the period of its project. */
export function rowsOfSeries({ series, rows, isOver, params }: Series): AgedStep {
  const read = `SELECT s.id, coalesce(json_extract(p.options, '$.retentionDays'), :days) AS days
    FROM ${series} s JOIN projects p ON p.id = s.project_id WHERE s.id > :after ORDER BY s.id LIMIT :read`
  const each = [...rows, { table: series, where: `id = :id AND ${isOver}` }]
  return (db, { nowMs, after, most }) => {
    const [before = 0] = after ?? []
    const found = db.all<{ readonly id: number; readonly days: number }>(read, {
      after: Number(before),
      ...{ days: max('retentionDaysDefault'), read: most },
    })
    const given = new Map(found.map(({ id, days }) => [id, { id, ...params(nowMs, days) }]))
    let cost = found.length / READ_PER_ROW
    let [past, last] = [false, before]
    // Of a series at a time, so that a set ends where it has removed enough.
    const aged = new Set(each.flatMap((of) => agedOf(db, of, [...given.values()])))
    for (const { id } of found) {
      if (cost >= most) {
        past = true
        break
      }
      const own = given.get(id)
      if (own !== undefined && aged.has(id))
        for (const { table, where } of each)
          cost += db.run(`DELETE FROM ${table} WHERE ${where}`, pickNamedParams(where, own)).changes
      last = id
    }
    return { cost, after: past || found.length === most ? [String(last)] : 'done' }
  }
}

function agedOf(
  db: Connection,
  { table, where }: Series['rows'][number],
  given: readonly (Params & { readonly id: number })[],
): readonly number[] {
  const rows = db.getEach(
    `SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`,
    given.map((each) => pickNamedParams(where, each)),
  )
  return given.flatMap(({ id }, at) => (rows[at] === undefined ? [] : [id]))
}

/** Returns the parameters that the condition names: SQLite refuses others. */
function pickNamedParams(where: string, params: Params): Params {
  const names = new Set(where.match(/:\w+/g))
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.has(`:${name}`)))
}

/** Removes the oldest beyond a number of each owner. `order`: the oldest first. */
export function rowsBeyond({
  table,
  owner,
  order,
  owners,
  most: kept,
}: {
  readonly table: string
  readonly owner: string
  readonly order: string
  /** Table of owners. */
  readonly owners: string
  readonly most: number
}): AgedStep {
  const count = `SELECT count(*) AS count FROM ${table} WHERE ${owner} = ?`
  const remove = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${owner} = :id ORDER BY ${order} LIMIT :count)`
  return stepThroughOwners(owners, (db, id, most) => {
    const excess = (db.get<{ readonly count: number }>(count, [id])?.count ?? 0) - kept
    const cost = excess > 0 ? db.run(remove, { id, count: Math.min(excess, most) }).changes : 0
    return { cost, isDone: excess <= most }
  })
}

interface Removed {
  /** Rows removed, and some for what was read. */
  readonly cost: number
  /** Nothing is left to remove of the owner. */
  readonly isDone: boolean
}

/** Goes from owner to owner. */
function stepThroughOwners(
  owners: string,
  remove: (db: Connection, id: number, most: number) => Removed,
): AgedStep {
  const next = `SELECT id FROM ${owners} WHERE id > ? ORDER BY id LIMIT 1`
  return (db, { after, most }) => {
    const [before = 0] = after ?? []
    const id = db.get<{ readonly id: number }>(next, [Number(before)])?.id
    if (id === undefined) return DONE
    // Counting is as much as removing some.
    const counted = Math.ceil(most / OWNERS_PER_TURN)
    const { cost, isDone } = remove(db, id, most)
    return { cost: counted + cost, after: [String(isDone ? id : before)] }
  }
}

const OWNERS_PER_TURN = 20
