/** Describes problems of single terms, naming the part. Pure. */
import { max } from '#limits/limits.ts'
import type { DatasetField, FieldUnit } from '#model/dataset.ts'
import { hasWildcard, patternParts } from '#model/text-pattern.ts'
import type { SearchProblem } from '../types.ts'
import { COMPARED_WORDS, type ComparedUnit, readCompared } from './comparisons.ts'
import { countRange, type SearchField } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import { releaseProblem } from './release-terms.ts'
import { timeBounds } from './time-terms.ts'

/** Problem of a term, wherever it stands. */
export type Wrong = Pick<SearchProblem, 'message' | 'meant'>

/** `text`: the term that was probably meant. */
export function withMeant(lead: string, text: string): Wrong {
  return { message: `${lead} Did you mean ${text}?`, meant: { lead, text } }
}

/** Says what is wrong with the value of a term. `null`: nothing. `field` null: the key is a tag's. */
export function termProblem(
  field: SearchField | null,
  value: string,
  { part, negated }: { readonly part: string; readonly negated: boolean },
): string | Wrong | null {
  const problem = field === null ? null : fieldProblem(field, value, { part, negated })
  if (problem !== null) return problem
  if (negated && field?.filter.by === 'time' && field.filter.of === 'event')
    return `${quotePart(part)}: “${field.name}:” can’t be negated; use the opposite comparison.`
  return hasTooManyStars(value) ? tooManyStars(part) : null
}

function fieldProblem(
  { name, filter, values }: SearchField,
  value: string,
  { part, negated }: { readonly part: string; readonly negated: boolean },
): string | Wrong | null {
  if (filter.by === 'nothing') return `${quotePart(part)}: “${name}:” can’t be searched; ${filter.instead}.`
  if (filter.by === 'count' && countRange(value) === null)
    return `${quotePart(part)}: “${name}:” takes a number, such as 100, >100 or <=5.`
  if (filter.by === 'time' && timeBounds(value, { nowMs: 0, isAge: name === 'age' }) === null)
    return `${quotePart(part)}: “${name}:” takes a time, such as -24h, +7d or >=2026-11-01.`
  const takes = filter.by === 'column' ? columnTakes(filter.field, value) : null
  if (takes !== null) return `${quotePart(part)}: “${name}:” takes ${takes}.`
  const isPattern =
    ((filter.by === 'tag' || (filter.by === 'column' && filter.field.type !== 'flag')) &&
      hasWildcard(value)) ||
    (filter.by === 'column' && value === '*') ||
    (filter.by === 'release' && value === '*')
  if (values !== null && !isPattern && !values.includes(value)) {
    if (values.includes(value.replace(/\)+$/, '')))
      return `The “)” of ${quotePart(part)} closes nothing: remove it.`
    const nearest = nearestWord(value, values)
    const lead = `${quotePart(part)}: “${name}:” takes ${values.join(', ')}.`
    return nearest === null ? lead : withMeant(lead, `${negated ? '!' : ''}${name}:${nearest}`)
  }
  const problem = releaseProblem(filter, value)
  return problem === null ? null : `${quotePart(part)}: “${name}:” ${problem}.`
}

const UNITS: Readonly<Record<NonNullable<FieldUnit>, ComparedUnit>> = {
  ms: 'duration',
  bytes: 'bytes',
  percent: 'percent',
}

export function comparedUnit({ unit }: Pick<DatasetField, 'unit'>): ComparedUnit {
  return unit === null ? 'number' : UNITS[unit]
}

/** Returns what a field takes where a value is none of it; `*` asks for any. */
function columnTakes(field: DatasetField, value: string): string | null {
  if (value === '*') return null
  const unit = comparedUnit(field)
  if (field.type === 'number' && readCompared(value, unit) === null) return COMPARED_WORDS[unit]
  if (field.type === 'time' && timeBounds(value, { nowMs: 0, isAge: false }) === null)
    return 'a time, such as -24h, +7d or >=2026-11-01'
  return null
}

export function hasTooManyStars(value: string): boolean {
  return patternParts(value).length - 1 > max('searchStarsMax')
}

export function tooManyStars(part: string): string {
  return `${quotePart(part)}: a value takes at most ${max('searchStarsMax')} “*”.`
}

export function quotePart(part: string): string {
  return `“${part.length > 60 ? `${part.slice(0, 60)}…` : part}”`
}
