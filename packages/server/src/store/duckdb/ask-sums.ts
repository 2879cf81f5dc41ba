/** Figures of numbers and values while they are added up, over statements and files. */
import type { Dataset } from '#model/dataset.ts'
import type { FieldRef, Figure } from '#ports/columns.ts'
import { conditionSql } from './ask-conditions.ts'
import { askPlace, badQuestion, columnSql, type Place, valueSql } from './ask-fields.ts'
import type { Parameters } from './conditions.ts'
import type { AnswerRow } from './driver.ts'

type FigureOfPlace = Exclude<Figure, { readonly is: 'count' }>

/**
 * Something that figures are read from: the numbers of a place, which values it has, how many are in which bin, or how
 * many rows have one.
 */
export interface Addend {
  /** Tells it from others of one question. */
  readonly name: string
  readonly how: 'numbers' | 'unique' | 'bins' | 'rows'
  readonly place: Place
  readonly of: FieldRef
}

export interface Sum {
  values: number
  sum: number
  least: number | null
  most: number | null
  /** Values by their hash, or bins of numbers in ascending order of what is in them, with how many are in each. */
  readonly each: Map<number, number>
}

const HOW: { readonly [Is in FigureOfPlace['is']]?: Addend['how'] } = {
  ...{ present: 'rows', unique: 'unique', quantile: 'bins' },
}
const NUMBERS: ReadonlySet<Place['type']> = new Set(['number', 'time'])

/**
 * Returns what of each row is added up for a figure.
 * @throws `bad_request` for a figure that its field does not have
 */
export function addendOf(dataset: Dataset, figure: FigureOfPlace): Addend {
  const place = askPlace(dataset, figure.of)
  const how = HOW[figure.is] ?? 'numbers'
  if ((how === 'numbers' || how === 'bins') && !NUMBERS.has(place.type))
    throw badQuestion(`${place.name} is no number: ${figure.is} is of numbers.`)
  // One percent of the time since 1970 is half a year.
  if (figure.is === 'quantile' && (place.type === 'time' || !(figure.q >= 0 && figure.q <= 1)))
    throw badQuestion(`${place.name} has no quantile of ${figure.q}: they are of numbers, from 0 to 1.`)
  const of = 'attribute' in figure.of ? `tags[${place.name}]` : place.name
  return { name: `${how} ${of}`, how, place, of: figure.of }
}

/** Returns what is added up of a row, as SQL; nothing where there is none. */
export function summedSql(dataset: Dataset, { how, place, of }: Addend, parameters: Parameters): string {
  if (how === 'rows') {
    const isThere = conditionSql(dataset, { of, is: { op: 'present' } }, parameters)
    return `CASE WHEN ${isThere} THEN 1 END`
  }
  if (place.type === 'list' || place.type === 'pairs') return columnSql(place)
  const value = valueSql(dataset, place, parameters)
  return how === 'unique' && place.column.type === 'VARCHAR' ? `nullif(${value}, '')` : value
}

/** Columns of an addend in the answer of a statement: how many values, their sum, the least, the most, and each. */
export const PER_ADDEND = 5

/** Numbers of one bin are within 1 % of what stands for them, as those of requests are. */
const ACCURACY = 0.01
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY)
const LN_GAMMA = Math.log(GAMMA)
/** Beyond the key of any number. */
const ABOVE_ANY_KEY = 40_000

/** Returns what stands for all numbers of the bin that a column of no negative ones lies in, as SQL. */
export function binValueSql(name: string): string {
  return `CASE WHEN ${name} > 0 THEN exp(ceil(ln(${name}) / ${LN_GAMMA}) * ${LN_GAMMA}) * ${2 / (1 + GAMMA)} ELSE 0 END`
}

/** Returns the columns of an addend over rows that have it as `name`, as SQL. */
export function sumSql({ how }: Addend, name: string): string {
  if (how === 'unique')
    return `NULL, NULL, NULL, NULL, list(DISTINCT (hash(${name}) >> 11)::DOUBLE) FILTER (WHERE ${name} IS NOT NULL)`
  if (how === 'rows') return `count(${name})::DOUBLE, NULL, NULL, NULL, NULL`
  const numbers = `count(${name})::DOUBLE, sum(${name})::DOUBLE, min(${name})::DOUBLE, max(${name})::DOUBLE`
  if (how === 'numbers') return `${numbers}, NULL`
  const key = `ceil(ln(abs(nullif(${name}, 0))) / ${LN_GAMMA}) + ${ABOVE_ANY_KEY}`
  const bins = `histogram(CASE WHEN ${name} = 0 THEN 0 ELSE (sign(${name}) * (${key}))::INTEGER END)`
  return `${numbers}, list_concat(map_keys(${bins})::DOUBLE[], map_values(${bins})::DOUBLE[])`
}

export function emptySum(): Sum {
  return { values: 0, sum: 0, least: null, most: null, each: new Map() }
}

/** Answers how many values or bins were not known before. */
export function addRowToSum(
  sum: Sum,
  { how }: Addend,
  [values, total, least, most, each]: AnswerRow,
): number {
  sum.values += Number(values ?? 0)
  sum.sum += Number(total ?? 0)
  if (least !== null) sum.least = Math.min(Number(least), sum.least ?? Number.POSITIVE_INFINITY)
  if (most !== null) sum.most = Math.max(Number(most), sum.most ?? Number.NEGATIVE_INFINITY)
  const before = sum.each.size
  if (!Array.isArray(each)) return 0
  const all = each.map(Number)
  const keys = how === 'bins' ? all.slice(0, all.length / 2) : all
  for (const [at, key] of keys.entries())
    sum.each.set(key, (sum.each.get(key) ?? 0) + (all[keys.length + at] ?? 0))
  return sum.each.size - before
}

/** Returns a figure; `null` where there is nothing to say. */
export function figureOfSum(figure: Figure, sum: Sum): number | null {
  switch (figure.is) {
    case 'count':
      return null
    case 'present':
      return sum.values
    case 'unique':
      return sum.each.size
    case 'quantile':
      return quantileOf(sum, figure.q)
  }
  if (sum.values === 0) return null
  if (figure.is === 'avg') return sum.sum / sum.values
  return figure.is === 'sum' ? sum.sum : figure.is === 'min' ? sum.least : sum.most
}

/** Ranks as those of requests; never beyond the least and the most, which are exact. */
function quantileOf({ values, each, least, most }: Sum, q: number): number | null {
  if (values === 0 || least === null || most === null) return null
  const rank = q * (values - 1)
  let before = 0
  for (const [key, count] of [...each].sort(([a], [b]) => a - b)) {
    before += count
    if (before > rank) return Math.min(most, Math.max(least, valueOfBin(key)))
  }
  return most
}

function valueOfBin(key: number): number {
  if (key === 0) return 0
  return Math.sign(key) * Math.exp((Math.abs(key) - ABOVE_ANY_KEY) * LN_GAMMA) * (2 / (1 + GAMMA))
}
