/** Completions of a search while it is typed, for whoever builds a search field over this API. */
import * as v from 'valibot'
import type { Suggestion } from '#queries/search-words.ts'
import { namedSchema, textSchema } from './answers/words.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { DATASET, readDataset } from './datasets.ts'
import { chosenProjects, PROJECTS_PARAMETER } from './params.ts'
import { words } from './query.ts'

const KEY = words('key', 'The key before the colon; empty for keys themselves', 200)
const PREFIX = words('prefix', 'What was typed of it so far', 200)

const COMPLETIONS = v.array(
  namedSchema(
    'SearchCompletion',
    v.object({ text: textSchema, count: v.nullable(v.pipe(v.number(), v.integer())) }),
  ),
)

export const SEARCH_COMPLETION_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/search-completions/',
    permission: 'trace.read',
    what: 'what completes a search of a dataset while it is typed: keys, or values of one, with how many rows have them',
    query: [DATASET, KEY, PREFIX, PROJECTS_PARAMETER],
    answer: COMPLETIONS,
    run: completions,
  },
]

async function completions(call: OrgCall): Promise<ApiAnswer> {
  const found = await suggestByCall(call)
  return answerOk(found.map(({ text: own, count }) => ({ text: own, count })))
}

async function suggestByCall(call: OrgCall): Promise<readonly Suggestion[]> {
  const { queries, scope, url } = call
  const [dataset, chosen] = [readDataset(call), await chosenProjects(call)]
  const [key, prefix] = [KEY.read(url) || null, PREFIX.read(url)]
  if (typeof dataset !== 'string')
    return queries.datasetSuggestions(scope, { dataset: dataset.name, key, prefix, projects: chosen })
  if (dataset === 'errors')
    return queries.searchSuggestions(scope, { key, prefix, projects: chosen?.map(String), of: 'events' })
  if (chosen === null) return queries.traceSuggestions(scope, { key, prefix, projects: null })
  const named = (await queries.projects(scope)).filter(({ id }) => chosen.includes(id))
  return queries.traceSuggestions(scope, { key, prefix, projects: named.map(({ slug }) => slug) })
}
