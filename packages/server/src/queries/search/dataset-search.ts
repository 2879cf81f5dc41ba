/** Reads a search of any dataset in the language of `parse.ts`: what may stand before a colon are the dataset's fields. */
import { type Dataset, type DatasetField, foldedName } from '#model/dataset.ts'
import { hasWildcard } from '#model/text-pattern.ts'
import { type Comparison, type Condition, EVERY_ROW, type FieldRef } from '#ports/columns.ts'
import type { SearchProblem, SearchToken } from '../search-words.ts'
import { readCompared } from './comparisons.ts'
import { personCondition } from './conditions.ts'
import { grammarOf, PERSON_NAMES, type SearchField, type SearchGrammar } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import { parseSearch, type SearchTerms } from './parse.ts'
import { placeProblem } from './places.ts'
import { comparedUnit, quotePart, withMeant } from './term-problems.ts'
import { timeBounds } from './time-terms.ts'

export interface DatasetSearch {
  readonly where: Condition
  readonly problems: readonly SearchProblem[]
}

/** Never throws: what it does not understand is said, with the place it is in. */
export function readDatasetSearch(
  text: string,
  { dataset, nowMs }: { readonly dataset: Dataset; readonly nowMs: number },
): DatasetSearch {
  const grammar = datasetGrammar(dataset)
  const parsed = parseSearch(text, { grammar })
  const beyond = parsed.tokens.flatMap((token) => {
    const problem = unknownProblem(dataset, grammar, token)
    return problem === null ? [] : [placeProblem({ ...problem, token }, parsed.places)]
  })
  const problems = [...parsed.problems, ...beyond].sort((one, other) => one.start - other.start)
  const where = problems.length > 0 ? EVERY_ROW : termsCondition(parsed.terms, { dataset, grammar, nowMs })
  return { where, problems }
}

const KNOWN = new WeakMap<Dataset, SearchGrammar>()

/** Returns the names that a search of the dataset can have before a colon. */
export function datasetGrammar(dataset: Dataset): SearchGrammar {
  const known = KNOWN.get(dataset)
  if (known !== undefined) return known
  const made = grammarOf(searchFields(dataset))
  KNOWN.set(dataset, made)
  return made
}

/** Fields as the grammar takes them. */
export function searchFields({ fields }: Dataset): readonly SearchField[] {
  const people = fields.filter(({ type }) => type === 'people')
  return [
    ...fields.flatMap((field) => (field.type === 'pairs' ? [] : [datasetSearchField(field)])),
    ...people.flatMap(({ name }) =>
      PERSON_NAMES.map((each) => ({
        ...blank(`${name}.${each}`),
        filter: { by: 'person', names: [each] } as const,
      })),
    ),
    { ...blank('has'), filter: { by: 'presence' }, completion: { from: 'keys' } },
  ]
}

function blank(name: string): Omit<SearchField, 'filter'> {
  return { name, aliases: [], completion: { from: 'nowhere' }, values: null, spellings: {} }
}

const YES_OR_NO = { true: 'yes', 1: 'yes', false: 'no', 0: 'no' }

function datasetSearchField(field: DatasetField): SearchField {
  const { name, aliases, type, values } = field
  const own = { ...blank(name), aliases, filter: { by: 'column', field } as const }
  if (type === 'project')
    return { ...own, filter: { by: 'nothing', instead: 'choose projects beside the search' } }
  if (type === 'flag') return { ...own, values: ['yes', 'no'], spellings: YES_OR_NO }
  return { ...own, values: type === 'text' ? values : null }
}

/** Returns what is wrong with a key that names nothing of the dataset; `null` where attributes may have it. */
function unknownProblem(dataset: Dataset, grammar: SearchGrammar, token: SearchToken) {
  const { key, value, isTag } = token
  if (key === null) return null
  const field = isTag === true ? null : grammar.fieldOf(key)
  const named = field?.filter.by === 'presence' ? value : field === null ? key : null
  if (named === null || dataset.attributes !== null || (isTag !== true && grammar.fieldOf(named) !== null))
    return null
  const nearest = nearestWord(
    named,
    dataset.fields.map(({ name }) => name),
  )
  const lead = `${quotePart(named)} is no field of ${dataset.name}.`
  return nearest === null
    ? { message: `${lead} Known are ${dataset.fields.map(({ name }) => name).join(', ')}.` }
    : withMeant(lead, field === null ? `${nearest}:${value}` : `has:${nearest}`)
}

interface Context {
  readonly dataset: Dataset
  readonly grammar: SearchGrammar
  readonly nowMs: number
}

function termsCondition({ tokens, either }: SearchTerms, context: Context): Condition {
  const choices = either.map((alternatives): Condition => {
    return { any: alternatives.map((terms) => termsCondition(terms, context)) }
  })
  return { all: [...tokens.map((token) => tokenCondition(token, context)), ...choices] }
}

/** Any of a list's values; negated, none of them. */
function tokenCondition(token: SearchToken, context: Context): Condition {
  const { among = [token.value], negated } = token
  const each = among.map((value) => valueCondition({ ...token, value, negated: false }, context))
  const [only] = each
  const condition: Condition = each.length === 1 && only !== undefined ? only : { any: each }
  return negated ? { not: condition } : condition
}

function valueCondition(token: SearchToken, context: Context): Condition {
  const { key, value, isTag } = token
  if (key === null) return { words: value }
  const { filter } = (isTag === true ? null : context.grammar.fieldOf(key)) ?? { filter: null }
  switch (filter?.by) {
    case 'column':
      return fieldCondition(filter.field, token, context)
    case 'presence':
      return presenceOf(value, context)
    case 'person':
      return peopleCondition(key.slice(0, key.lastIndexOf('.')), token)
    default:
      return { of: { attribute: key }, is: { op: 'like', value } }
  }
}

/** Returns rows that have a field, an attribute, or a person of a sort, as in `has:user.email`; every row has a project. */
function presenceOf(name: string, context: Context): Condition {
  const filter = context.grammar.fieldOf(name)?.filter
  if (filter?.by === 'nothing') return { all: [] }
  if (filter?.by !== 'person') return present(refOf(context, name))
  const field = name.slice(0, name.lastIndexOf('.'))
  return peopleCondition(field, { key: name, value: '*' })
}

function present(of: FieldRef): Condition {
  return { of, is: { op: 'present' } }
}

/** Returns what a name that is no value means: a field, or an attribute. */
function refOf({ grammar }: Context, name: string): FieldRef {
  const filter = grammar.fieldOf(name)?.filter
  return filter?.by === 'column' ? { field: filter.field.name } : { attribute: name }
}

function fieldCondition(field: DatasetField, token: SearchToken, { dataset, nowMs }: Context): Condition {
  const { value } = token
  const of = { field: field.name }
  if (value === '*') return present(of)
  switch (field.type) {
    case 'number':
      return { of, is: numberComparison(field, value) }
    case 'time':
      return timeCondition(of, value, nowMs)
    case 'flag':
      return { of, is: { op: 'is', value: value === 'yes' } }
    case 'people':
      return peopleCondition(field.name, token)
    default:
      // A part of a sentence is what people remember of it.
      return dataset.words.includes(field.key)
        ? { of, is: { op: 'contains', value } }
        : { of, is: { op: 'like', value } }
  }
}

function numberComparison(field: DatasetField, value: string): Comparison {
  const read = readCompared(value, comparedUnit(field))
  return { op: read?.sign ?? '=', value: read?.value ?? 0 }
}

function timeCondition(of: FieldRef, value: string, nowMs: number): Condition {
  const bounds = timeBounds(value, { nowMs, isAge: false })
  const { fromMs = null, untilMs = null } = bounds ?? {}
  return {
    all: [
      ...(fromMs === null ? [] : [{ of, is: { op: '>=', value: fromMs } } as const]),
      ...(untilMs === null ? [] : [{ of, is: { op: '<', value: untilMs } } as const]),
    ],
  }
}

function peopleCondition(field: string, token: Pick<SearchToken, 'key' | 'value'>): Condition {
  const { key, value } = token
  const suffix = key !== null && foldedName(key) !== foldedName(field) ? key.slice(field.length) : ''
  const [person] = personCondition({ key: `user${suffix}`, value, negated: false })
  const names = person?.names ?? []
  return names.length === 0 && !hasWildcard(value)
    ? { any: [] }
    : names.length === 0
      ? present({ field })
      : { of: { field }, is: { op: 'names', value: names } }
}
