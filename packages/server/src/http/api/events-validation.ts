/** Whether a search of events would be taken, before it is asked: what agents' tools ask first. */

import type { DatasetView } from '#queries/dataset-types.ts'
import { readTraceSearch } from '#queries/search/trace-search.ts'
import { EVENTS_VALIDATION } from './answers/event.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { type AskedDataset, DATASET, datasetProblem, readDataset } from './datasets.ts'
import { aggregateOf, isAggregate } from './error-fields.ts'
import { ENVIRONMENTS_PARAMETER, PROJECTS_PARAMETER, timeRange } from './params.ts'
import { askedProjects } from './project-terms.ts'
import { listParameter, words } from './query.ts'
import { ApiRefusal } from './refusals.ts'
import { isSpanField } from './span-events.ts'

const RANGE = timeRange('14d')
const NAME = words('dataset', DATASET.what)
const FIELD = listParameter('field', 'A field that would be asked for')
const ORDER = listParameter('orderby', 'A field that would be sorted by')
const QUERY = words('query', 'The search')

export const EVENTS_VALIDATION_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/events/validate/',
    permission: 'issue.read',
    what: 'whether `events/` would take these fields and this search',
    query: [NAME, FIELD, ORDER, QUERY, PROJECTS_PARAMETER, ENVIRONMENTS_PARAMETER, ...RANGE.parameters],
    answer: EVENTS_VALIDATION,
    run: validate,
  },
]

async function validate(call: OrgCall): Promise<ApiAnswer> {
  const { url } = call
  const dataset = NAME.read(url)
  const datasetError = datasetProblem(call, dataset)
  const asked = datasetError === null ? readDataset(call) : 'errors'
  const fields = FIELD.read(url).map((name) => named(name, fieldError(name, asked)))
  const orders = ORDER.read(url).map((name) => named(name, null))
  const error = await queryError(call, asked)
  const all = [datasetError, error, ...fields.map((field) => field.error)]
  return answerOk({
    valid: all.every((each) => each === null),
    ...{ projects: [], environment: [], field: fields, orderby: orders },
    dataset: dataset === '' ? [] : [{ name: dataset, valid: datasetError === null, error: datasetError }],
    query: { valid: error === null, error, fields: [] },
  })
}

function named(name: string, error: string | null) {
  return { name, valid: error === null, attrType: null, error }
}

function fieldError(name: string, dataset: AskedDataset): string | null {
  if (typeof dataset !== 'string') return datasetFieldError(name, dataset)
  if (dataset === 'spans') return isSpanField(name) ? null : 'Spans have no such field here.'
  if (!isAggregate(name)) return null
  return refusalIn(() => aggregateOf(name, 'field'))
}

function datasetFieldError(name: string, { fields, hasAttributes }: DatasetView): string | null {
  const [, figure, of = ''] = /^([a-z_]+)\((.*)\)$/.exec(name) ?? []
  const asked = figure === undefined ? name : of
  const isKnown = fields.some((field) => field.name === asked || field.aliases.includes(asked))
  if (isKnown || hasAttributes || (figure !== undefined && of === '')) return null
  return `One of ${fields.map((field) => field.name).join(', ')}.`
}

/** Returns what is wrong with the search, checked as `events/` does. */
async function queryError(call: OrgCall, dataset: AskedDataset): Promise<string | null> {
  const { queries, scope, url, clock } = call
  const { query, projects } = await askedProjects(call, QUERY.read(url))
  if (typeof dataset !== 'string') return sentences(queries.datasetSearchProblems(dataset.name, query))
  const asked = {
    ...{ projects, environments: ENVIRONMENTS_PARAMETER.read(url) },
    ...{ range: RANGE.read(url, clock), query, limit: 1, cursor: null },
  }
  const problems =
    dataset === 'errors'
      ? (await queries.eventsFound(scope, asked)).problems.map(({ message }) => message)
      : readTraceSearch(query).problems
  return problems.length === 0 ? null : problems.join(' ')
}

function sentences(problems: readonly { readonly message: string }[]): string | null {
  return problems.length === 0 ? null : problems.map(({ message }) => message).join(' ')
}

function refusalIn(read: () => unknown): string | null {
  try {
    read()
    return null
  } catch (cause) {
    if (cause instanceof ApiRefusal) return cause.message
    throw cause
  }
}
