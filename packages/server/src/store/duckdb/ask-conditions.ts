/** Conditions of a question as SQL. What somebody typed is a parameter; names of columns come from the table alone. */
import { max } from '#limits/limits.ts'
import type { Dataset } from '#model/dataset.ts'
import { foldAscii, hasWildcard } from '#model/text-pattern.ts'
import type { Comparison, Condition } from '#ports/columns.ts'
import { askPlace, attributeStart, badQuestion, columnSql, type Place, valueSql } from './ask-fields.ts'
import { elementPattern, literalPattern, type Parameters, textSql, wholePattern } from './conditions.ts'
import { escapeElement, GS, listText } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'
import { impliedText } from './table-sql.ts'

/** Counts conditions: a question that nests or lists too much is refused before anything of it is written. */
export function checkCondition(condition: Condition): void {
  let count = 0
  const walk = (one: Condition, depth: number): void => {
    if (depth > max('askDepthMax')) throw badQuestion(`Conditions nest at most ${max('askDepthMax')} deep.`)
    if (++count > max('askConditionsMax'))
      throw badQuestion(`A question has at most ${max('askConditionsMax')} conditions.`)
    if ('all' in one) for (const each of one.all) walk(each, depth + 1)
    else if ('any' in one) for (const each of one.any) walk(each, depth + 1)
    else if ('not' in one) walk(one.not, depth + 1)
  }
  walk(condition, 0)
}

/** Writes a condition that is true or false, never unknown. */
export function conditionSql(dataset: Dataset, condition: Condition, parameters: Parameters): string {
  if ('all' in condition)
    return joinConditions(dataset, condition.all, { by: 'AND', none: 'true', parameters })
  if ('any' in condition)
    return joinConditions(dataset, condition.any, { by: 'OR', none: 'false', parameters })
  if ('not' in condition) return `NOT ${conditionSql(dataset, condition.not, parameters)}`
  if ('words' in condition) return wordsSql(dataset, condition.words, parameters)
  const place = askPlace(dataset, condition.of)
  return `coalesce(${comparisonSql(dataset, { place, is: condition.is }, parameters)}, false)`
}

function joinConditions(
  dataset: Dataset,
  parts: readonly Condition[],
  {
    by,
    none,
    parameters,
  }: { readonly by: 'AND' | 'OR'; readonly none: string; readonly parameters: Parameters },
): string {
  if (parts.length === 0) return none
  return `(${parts.map((part) => conditionSql(dataset, part, parameters)).join(` ${by} `)})`
}

function wordsSql({ words, table }: Dataset, text: string, parameters: Parameters): string {
  const columns = columnsOf(table).values.filter(({ key }) => words.includes(key))
  const said = columns.map(({ name }) => `coalesce(${textSql(`e."${name}"`, text, parameters)}, false)`)
  return `(${said.join(' OR ') || 'false'})`
}

interface Compared<C extends Comparison = Comparison> {
  readonly place: Place
  readonly is: C
}

function comparisonSql(dataset: Dataset, { place, is }: Compared, parameters: Parameters): string {
  switch (is.op) {
    case 'present':
      return presentSql(dataset, place, parameters)
    case 'like':
    case 'begins':
    case 'contains':
      return comparedTextSql(dataset, { place, is }, parameters)
    case 'is':
      if (place.type !== 'flag') throw unfit(place, is)
      return `${columnSql(place)} = ${is.value ? 'true' : 'false'}`
    case 'names':
      if (place.type !== 'people') throw unfit(place, is)
      return namesSql(place, is.value, parameters)
    default:
      return numberSql({ place, is }, parameters)
  }
}

function unfit({ name, type }: Place, { op }: Comparison): Error {
  return badQuestion(`${name} is a ${type} field: ${op} does not compare it.`)
}

function presentSql(dataset: Dataset, place: Place, parameters: Parameters): string {
  if (place.type === 'attribute') return entrySql(dataset, { place, value: '*' }, parameters)
  const name = columnSql(place)
  return place.column.type === 'VARCHAR' ? `${name} <> ''` : `${name} IS NOT NULL`
}

const NUMBERS: ReadonlySet<Place['type']> = new Set(['number', 'time', 'project'])
const SIGNS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>='])

function numberSql(
  { place, is }: Compared<Extract<Comparison, { readonly op: '=' | '<' | '<=' | '>' | '>=' }>>,
  parameters: Parameters,
): string {
  if (!NUMBERS.has(place.type) || !SIGNS.has(is.op) || !Number.isFinite(is.value)) throw unfit(place, is)
  return `${columnSql(place)} ${is.op} ${parameters.add(is.value)}::DOUBLE`
}

type TextComparison = Extract<Comparison, { readonly op: 'like' | 'begins' | 'contains' }>

function comparedTextSql(
  dataset: Dataset,
  { place, is }: Compared<TextComparison>,
  parameters: Parameters,
): string {
  if (place.type === 'list') return elementsSql(place, is, parameters)
  if (place.type !== 'text' && place.type !== 'attribute') throw unfit(place, is)
  if (is.op === 'like' && place.type === 'attribute')
    return entrySql(dataset, { place, value: is.value }, parameters)
  const value = valueSql(dataset, place, parameters)
  if (is.op === 'contains') return textSql(value, is.value, parameters)
  if (is.op === 'begins') return `starts_with(lower(${value}), ${parameters.add(foldAscii(is.value))})`
  return likeSql(value, is.value, parameters)
}

function likeSql(value: string, wanted: string, parameters: Parameters): string {
  if (!hasWildcard(wanted)) return `${value} = ${parameters.add(wanted)}`
  return `regexp_full_match(${value}, ${parameters.add(wholePattern(wanted))}, 's')`
}

/** An entry of the pairs, or the field that stands for it. */
function entrySql(
  dataset: Dataset,
  { place, value }: { readonly place: Place; readonly value: string },
  parameters: Parameters,
): string {
  const column = `coalesce(${columnSql(place)}, '')`
  const start = attributeStart(place)
  const listed = hasWildcard(value)
    ? `regexp_matches(${column}, ${parameters.add(`${GS}${literalPattern(start)}${elementPattern(value)}${GS}`)})`
    : `contains(${column}, ${parameters.add(`${GS}${start}${escapeElement(value)}${GS}`)})`
  const implied = columnsOf(dataset.table).tags.get(place.attribute)
  if (implied === undefined) return listed
  const meets = likeSql(impliedText(implied), value, parameters)
  return `(((e.implied & ${implied.bit}) <> 0 AND ${meets}) OR ${listed})`
}

function elementsSql(place: Place, { op, value }: TextComparison, parameters: Parameters): string {
  const column = `coalesce(${columnSql(place)}, '')`
  const matching = (column: string, pattern: string) =>
    `regexp_matches(${column}, ${parameters.add(pattern)})`
  switch (op) {
    case 'begins':
      return matching(`lower(${column})`, `${GS}${literalPattern(escapeElement(foldAscii(value)))}`)
    case 'contains':
      return matching(`lower(${column})`, `${GS}[^${GS}]*${elementPattern(value.toLowerCase())}`)
    default:
      return hasWildcard(value)
        ? matching(column, `${GS}${elementPattern(value)}${GS}`)
        : `contains(${column}, ${parameters.add(listText([value]))})`
  }
}

function namesSql(place: Place, names: readonly string[], parameters: Parameters): string {
  const column = `coalesce(${columnSql(place)}, '')`
  const each = names.map((name) =>
    hasWildcard(name)
      ? `regexp_matches(${column}, ${parameters.add(`${GS}${elementPattern(name)}${GS}`)})`
      : `contains(${column}, ${parameters.add(listText([name]))})`,
  )
  return `(${each.join(' OR ') || 'false'})`
}
