/** Completes a search of any dataset while it is typed: its fields, its attributes, and values that rows have. */
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { Dataset, FieldUnit } from '#model/dataset.ts'
import { literalText, withOwnStars } from '#model/text-pattern.ts'
import type { DatasetSuggestionsAsked, DatasetValuesAsked } from '../dataset-types.ts'
import { DURATION_OFFERS } from '../search/comparisons.ts'
import { datasetGrammar, searchFields } from '../search/dataset-search.ts'
import { withoutCount } from '../search/suggestions.ts'
import type { Suggestion } from '../search-words.ts'
import { datasetNamed } from './named.ts'

type Counted = readonly { readonly value: string; readonly count: number }[]

interface CompletionParts {
  readonly datasets: readonly Dataset[]
  readonly clock: Clock
  readonly values: (asked: DatasetValuesAsked) => Promise<Counted>
  readonly keys: (asked: Omit<DatasetValuesAsked, 'key'>) => Promise<Counted>
}

const SUGGESTIONS_MAX = 20
/** How far back values are looked for while somebody types. */
const DAYS = 7
const TIMES: readonly string[] = ['-1h', '-24h', '-7d']
const BOUNDS: Readonly<Record<NonNullable<FieldUnit> | 'none', readonly string[]>> = {
  ms: DURATION_OFFERS,
  bytes: ['>10KB', '>1MB', '<1KB'],
  percent: ['>1%', '>10%', '<50%'],
  none: ['>0', '>10', '>100'],
}

export async function datasetSuggestions(
  parts: CompletionParts,
  { dataset: name, key, prefix: typed, projects }: DatasetSuggestionsAsked,
): Promise<readonly Suggestion[]> {
  const dataset = datasetNamed(parts.datasets, name)
  const prefix = literalText(withOwnStars(typed)).slice(0, max('tagValueCharsMax'))
  const endMs = parts.clock.now() + max('eventFutureMsMax')
  const asked = {
    ...{ dataset: name, projects, environments: [], query: '', prefix, limit: SUGGESTIONS_MAX },
    range: { startMs: endMs - DAYS * DAY_MS, endMs },
  }
  const found =
    key === null
      ? await completeKeys(parts, dataset, asked)
      : await completeValues(parts, dataset, { ...asked, key })
  const wanted = prefix.toLowerCase()
  return found
    .filter(({ text }) => key === null || text.toLowerCase().startsWith(wanted))
    .slice(0, SUGGESTIONS_MAX)
}

/** Fields first; a key that a field is called is the field's. */
async function completeKeys(
  { keys }: CompletionParts,
  dataset: Dataset,
  asked: Omit<DatasetValuesAsked, 'key'>,
): Promise<readonly Suggestion[]> {
  const wanted = asked.prefix.toLowerCase()
  const grammar = datasetGrammar(dataset)
  const fields = searchFields(dataset).filter(
    ({ filter, ...field }) =>
      filter.by !== 'nothing' &&
      [field.name, ...field.aliases].some((each) => each.toLowerCase().startsWith(wanted)),
  )
  const attributes = (await keys(asked)).filter(({ value }) => grammar.fieldOf(value) === null)
  return [
    ...fields.map(({ name }) => ({ text: name, count: null })),
    ...attributes.map(({ value, count }) => ({ text: value, count })),
  ]
}

async function completeValues(
  parts: CompletionParts,
  dataset: Dataset,
  asked: DatasetValuesAsked,
): Promise<readonly Suggestion[]> {
  const known = datasetGrammar(dataset).fieldOf(asked.key)
  const filter = known?.filter
  if (filter?.by === 'presence') return completeKeys(parts, dataset, asked)
  if (filter?.by === 'person') return completePeople(parts, asked, `${filter.names[0]}:`)
  if (filter?.by === 'nothing') return []
  if (filter?.by !== 'column')
    return dataset.attributes === null ? [] : countedSuggestions(await parts.values(asked))
  const { field } = filter
  switch (field.type) {
    case 'time':
      return TIMES.map(withoutCount)
    case 'number':
      return BOUNDS[field.unit ?? 'none'].map(withoutCount)
    case 'people':
      return completePeople(parts, { ...asked, key: field.name }, '')
    default: {
      const values = countedSuggestions(await parts.values({ ...asked, key: field.name }))
      return known === null || known.values === null ? values : completeWords(known.values, values)
    }
  }
}

/** Words of a field with how many rows say them, also those that none says. */
function completeWords(words: readonly string[], found: readonly Suggestion[]): readonly Suggestion[] {
  return words.map((text) => ({ text, count: found.find((one) => one.text === text)?.count ?? 0 }))
}

const PERSON = /^(?:id|email|username|ip):/

/** `id:42` of a person is found by `42` alone. */
async function completePeople(
  { values }: CompletionParts,
  asked: DatasetValuesAsked,
  kind: string,
): Promise<readonly Suggestion[]> {
  const key = asked.key.replace(/\.(?:id|email|username|ip)$/, '')
  const found = await values({ ...asked, key, prefix: '', limit: max('facetValuesPerProjectMax') })
  return found
    .filter(({ value }) => value.startsWith(kind))
    .map(({ value, count }) => ({ text: value.replace(PERSON, ''), count }))
}

function countedSuggestions(values: Counted): readonly Suggestion[] {
  return values.map(({ value, count }) => ({ text: value, count }))
}
