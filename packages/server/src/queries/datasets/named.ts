/** Names of datasets, fields and figures in questions. */
import { ErrataError } from '#base/errors.ts'
import { type Dataset, type DatasetField, type DatasetFieldType, fieldNamed } from '#model/dataset.ts'
import type { FieldRef, Figure } from '#ports/columns.ts'
import type { DatasetColumn, ResultColumnType } from '../dataset-types.ts'
import { nearestWord } from '../search/nearest-word.ts'

/** A column of an answer, and what of the dataset it shows. */
export interface NamedColumn extends DatasetColumn {
  readonly ref: FieldRef
  /** `null` for an attribute. */
  readonly field: DatasetField | null
}

export interface NamedFigure extends DatasetColumn {
  readonly figure: Figure
  /** Time that the number is divided by; `null` for none. */
  readonly per: 'minute' | 'second' | null
}

export function badRequest(sentence: string): ErrataError {
  return new ErrataError('bad_request', sentence)
}

export function datasetNamed(datasets: readonly Dataset[], name: string): Dataset {
  const found = datasets.find((dataset) => [dataset.name, ...dataset.aliases].includes(name))
  if (found === undefined)
    throw badRequest(
      `There is no dataset ${cutName(name)}: one of ${datasets.map((each) => each.name).join(', ')}.`,
    )
  return found
}

const ATTRIBUTE = /^tags\[([^\]]{1,200})\]$/

/** Returns the column of a name: a field, or an attribute written as `tags[key]`; `null` for any other. */
export function datasetColumn(dataset: Dataset, name: string): NamedColumn | null {
  const [, key] = ATTRIBUTE.exec(name) ?? []
  if (key !== undefined) return dataset.attributes === null ? null : attributeColumn(name, key)
  const field = fieldNamed(dataset, name)
  if (field === null) return null
  return { name, type: TYPES[field.type], unit: field.unit, ref: { field: field.name }, field }
}

export function attributeColumn(name: string, key: string): NamedColumn {
  return { name, type: 'string', unit: null, ref: { attribute: key }, field: null }
}

export function unknownField(dataset: Dataset, name: string): ErrataError {
  const names = dataset.fields.map((field) => field.name)
  const nearest = nearestWord(name, names)
  const meant = nearest === null ? `Fields are ${names.join(', ')}.` : `Did you mean ${nearest}?`
  const attribute = dataset.attributes === null ? '' : ` An attribute is asked for as tags[${cutName(name)}].`
  return badRequest(`${dataset.name} have no field “${cutName(name)}”. ${meant}${attribute}`)
}

const TYPES: Readonly<Record<DatasetFieldType, ResultColumnType>> = {
  text: 'string',
  number: 'number',
  flag: 'boolean',
  list: 'array',
  time: 'date',
  project: 'string',
  people: 'string',
  pairs: 'object',
}

function cutName(name: string): string {
  return name.length <= NAME_CHARS ? name : `${name.slice(0, NAME_CHARS)}…`
}

const NAME_CHARS = 60

export function isFigure(name: string): boolean {
  return name.endsWith(')')
}

const FIGURE =
  /^(count|count_unique|sum|avg|min|max|p50|p75|p90|p95|p99|first_seen|last_seen|epm|eps)\(([^()]{0,200})\)$/
const WORDS =
  'count(), count_unique(field), sum(field), avg(field), min(field), max(field), p50(field), p75(field), p90(field), p95(field), p99(field), first_seen(), last_seen(), epm() or eps()'

/**
 * Reads a figure such as `avg(duration)` of a dataset.
 * @throws `bad_request` for what is no figure
 */
export function figureOf(dataset: Dataset, name: string): NamedFigure {
  const [, is, of = ''] = FIGURE.exec(name) ?? []
  const whole = { name, type: 'number', unit: null, per: null } as const
  switch (is) {
    case 'count':
      if (of === '') return { ...whole, figure: { is } }
      break
    case 'epm':
    case 'eps':
      if (of === '') return { ...whole, figure: { is: 'count' }, per: is === 'epm' ? 'minute' : 'second' }
      break
    case 'first_seen':
    case 'last_seen':
      if (of !== '') break
      return {
        ...{ ...whole, type: 'date' },
        figure: { is: is === 'first_seen' ? 'min' : 'max', of: { field: 'timestamp' } },
      }
    case 'count_unique': {
      const column = figureColumn(dataset, of)
      return { ...whole, figure: { is: 'unique', of: column.ref } }
    }
    case 'sum':
    case 'avg':
    case 'min':
    case 'max': {
      const column = figureColumn(dataset, of)
      if (column.type !== 'number' && !(column.type === 'date' && (is === 'min' || is === 'max')))
        throw badRequest(`${of} is no number: ${is}() is of numbers.`)
      return { ...whole, type: column.type, unit: column.unit, figure: { is, of: column.ref } }
    }
    case 'p50':
    case 'p75':
    case 'p90':
    case 'p95':
    case 'p99': {
      const { ref, type, unit } = figureColumn(dataset, of)
      if (type !== 'number') throw badRequest(`${of} is no number: ${is}() is of numbers.`)
      return { ...whole, unit, figure: { is: 'quantile', q: Number(is.slice(1)) / 100, of: ref } }
    }
  }
  throw badRequest(`${cutName(name)} is no figure of ${dataset.name}: ${WORDS}.`)
}

function figureColumn(dataset: Dataset, name: string): NamedColumn {
  const column = datasetColumn(dataset, name)
  if (column === null) throw unknownField(dataset, name)
  return column
}
