/** Whether a search of events would be taken, before it is asked: what agents' tools ask first. */

import { ErrataError } from '#base/errors.ts'
import type { DatasetView } from '#queries/dataset-types.ts'
import { readTraceSearch } from '#queries/search/trace-search.ts'
import { EVENTS_VALIDATION } from './answers/event.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { type AskedDataset, DATASET, datasetProblem, readDataset } from './datasets.ts'
import { aggregateOf, isAggregate } from './error-fields.ts'
import { ENVIRONMENTS_PARAMETER, PROJECTS_PARAMETER, timeRange } from './params.ts'
import { type AskedEvents, askedProjects } from './project-terms.ts'
import { listParameter, words } from './query.ts'
import { ApiRefusal } from './refusals.ts'
import { FIELDS_MAX, isSpanField } from './span-events.ts'

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
  const names = FIELD.read(url)
  const within = await askedProjects(call, QUERY.read(url))
  const errors = await fieldErrors(call, new Set(names), { dataset: asked, within })
  const fields = names.map((name) => fieldVerdict(name, errors.get(name) ?? null))
  const orders = ORDER.read(url).map((name) => fieldVerdict(name, null))
  const error = await queryError(call, { dataset: asked, within })
  const all = [datasetError, error, ...fields.map((field) => field.error)]
  return answerOk({
    valid: all.every((each) => each === null),
    ...{ projects: [], environment: [], field: fields, orderby: orders },
    dataset: dataset === '' ? [] : [{ name: dataset, valid: datasetError === null, error: datasetError }],
    query: { valid: error === null, error, fields: [] },
  })
}

function fieldVerdict(name: string, error: string | null) {
  return { name, valid: error === null, attrType: null, error }
}

interface Checked<Of = AskedDataset> {
  readonly dataset: Of
  readonly within: AskedEvents
}

async function fieldError(call: OrgCall, name: string, checked: Checked): Promise<string | null> {
  const { dataset, within } = checked
  if (typeof dataset !== 'string') return datasetFieldError(call, name, { dataset, within })
  if (dataset === 'spans') return isSpanField(name) ? null : 'Spans have no such field here.'
  if (!isAggregate(name)) return null
  return refusalIn(() => aggregateOf(name, 'field'))
}

/** Returns why `events/` would refuse it: an attribute is none where no row of the range has it. */
async function datasetFieldError(
  { queries, scope, url, clock }: OrgCall,
  name: string,
  { dataset, within }: Checked<DatasetView>,
): Promise<string | null> {
  const asked = {
    dataset: dataset.name,
    projects: within.projects,
    environments: [],
    query: '',
    range: RANGE.read(url, clock),
  }
  try {
    return await queries.datasetFieldProblem(scope, asked, name)
  } catch (cause) {
    // Too busy to look for rows: then nothing is known against it.
    if (cause instanceof ErrataError && (cause.code === 'store_timeout' || cause.code === 'overloaded'))
      return null
    throw cause
  }
}

/** Returns what is wrong with the search, checked as `events/` does. */
async function queryError(call: OrgCall, { dataset, within }: Checked): Promise<string | null> {
  const { queries, scope, url, clock } = call
  const { query, projects } = within
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

/** Checks fields one after the other, as `events/` asks: each may look for rows, and there may be many. */
async function fieldErrors(call: OrgCall, names: ReadonlySet<string>, checked: Checked) {
  const errors = new Map<string, string | null>()
  for (const name of names) {
    const isBeyond = errors.size >= FIELDS_MAX
    errors.set(name, isBeyond ? `At most ${FIELDS_MAX} fields.` : await fieldError(call, name, checked))
  }
  return errors
}
