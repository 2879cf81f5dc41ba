/** Tags of events by project, and who the events are of. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { DatasetView } from '#queries/dataset-types.ts'
import { PROJECT_TAG, PROJECT_TAG_VALUE, PROJECT_USER } from './answers/event.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { DATASET, readDataset } from './datasets.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { chosenProjects, PROJECTS_PARAMETER, timeRange } from './params.ts'
import { picks } from './pick.ts'
import { requireProject } from './projects.ts'
import { words } from './query.ts'
import { ApiRefusal, existing } from './refusals.ts'

/** Values that a list of them reaches: those that most events have. */
const VALUES_MAX = 1_000
const PREFIX = words('query', 'What the values begin with; empty for all', 200)
/** Range in which values of a dataset are counted; those of errors are counted as they come. */
const RANGE = timeRange('14d')
const USER_KEYS = ['id', 'email', 'username', 'ip'] as const
type UserKey = (typeof USER_KEYS)[number]

export const TAG_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/tags/',
    permission: 'issue.read',
    what: 'keys of tags, with how many events carry them; of another dataset its fields and the keys of its attributes',
    query: [DATASET, PROJECTS_PARAMETER, ...RANGE.parameters, ...PAGE],
    answer: v.array(PROJECT_TAG),
    run: keysOfDataset,
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/tags/{key}/values/',
    permission: 'issue.read',
    what: 'values of a tag, or of a field or attribute of another dataset, most frequent first',
    query: [DATASET, PROJECTS_PARAMETER, PREFIX, ...RANGE.parameters, ...PAGE],
    answer: v.array(PROJECT_TAG_VALUE),
    run: valuesOfDataset,
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/tags/',
    permission: 'issue.read',
    what: 'keys of tags of a project, with how many events carry them',
    query: PAGE,
    answer: v.array(PROJECT_TAG),
    run: async (call) => tagKeys(call, [(await requireProject(call)).id]),
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/tags/{key}/values/',
    permission: 'issue.read',
    what: 'values of a tag in a project, most frequent first',
    query: [PREFIX, ...PAGE],
    answer: v.array(PROJECT_TAG_VALUE),
    run: async (call) => tagValues(call, [(await requireProject(call)).id]),
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/users/',
    permission: 'issue.read',
    what: 'whom events of a project are of, most events first; `query` such as `email:ada@`',
    query: [PREFIX, ...PAGE],
    answer: v.array(PROJECT_USER),
    run: users,
  }),
]

async function keysOfDataset(call: OrgCall) {
  const [dataset, projects] = [countedDataset(call), await chosenProjects(call)]
  if (dataset === null) return tagKeys(call, projects)
  const asked = datasetAsked(dataset, projects)
  const fields = dataset.dataset.fields.map(({ name }) => name)
  const attributes = await call.queries.datasetKeys(call.scope, { ...asked, prefix: '' })
  const keys = new Map<string, number | null>(fields.map((name) => [name, null]))
  for (const { value, count } of attributes) if (!keys.has(value)) keys.set(value, count)
  const { rows, page } = pageOf([...keys], readPage(call.url))
  const named = rows.flatMap(([key, count]) => (count === null ? [key] : []))
  const counted = await call.queries.datasetFieldCounts(call.scope, { ...asked, fields: named })
  const countOf = new Map(counted.map(({ value, count }) => [value, count]))
  return answerOk(
    rows.map(([key, count]) => tagKeyShape({ value: key, count: count ?? countOf.get(key) ?? 0 })),
    page,
  )
}

async function valuesOfDataset(call: OrgCall) {
  const [dataset, projects] = [countedDataset(call), await chosenProjects(call)]
  if (dataset === null) return tagValues(call, projects)
  const { key = '' } = call.params
  const prefix = PREFIX.read(call.url)
  const counted = await call.queries.datasetValues(call.scope, {
    ...{ ...datasetAsked(dataset, projects), key, prefix },
  })
  const { rows, page } = pageOf(counted, readPage(call.url))
  return answerOk(
    rows.map((each) => valueShape(each, key)),
    page,
  )
}

/**
 * A dataset that is counted within a range; `null` for errors, whose tags were counted as they came, in all of time.
 * @throws `ApiRefusal` for a dataset that is not served
 */
function countedDataset(call: OrgCall): CountedDataset | null {
  const dataset = viewOfDataset(call)
  try {
    const range = RANGE.read(call.url, call.clock)
    return dataset === null ? null : { dataset, range }
  } catch (cause) {
    // Tools send ranges along that say nothing of tags.
    if (dataset === null && cause instanceof ApiRefusal) return null
    throw cause
  }
}

/** Names by which tools ask for tags of errors, and for nothing else. */
const TAGS_OF_ERRORS = new Set(['events', 'search_issues'])

function viewOfDataset(call: OrgCall): DatasetView | null {
  if (TAGS_OF_ERRORS.has(call.url.searchParams.get(DATASET.name) ?? '')) return null
  const asked = readDataset(call)
  if (asked === 'errors') return null
  return typeof asked === 'string'
    ? existing(call.queries.datasets().find(({ name }) => name === asked))
    : asked
}

interface CountedDataset {
  readonly dataset: DatasetView
  readonly range: ReturnType<typeof RANGE.read>
}

function datasetAsked({ dataset: { name }, range }: CountedDataset, projects: readonly ProjectId[] | null) {
  return { dataset: name, projects, environments: [], query: '', range, limit: VALUES_MAX }
}

async function tagKeys(call: OrgCall, projects: readonly ProjectId[] | null) {
  const keys = await call.queries.tagKeys(call.scope, projects)
  const { rows, page } = pageOf(keys, readPage(call.url))
  return answerOk(rows.map(tagKeyShape), page)
}

async function tagValues(call: OrgCall, projects: readonly ProjectId[] | null) {
  const { key = '' } = call.params
  const keys = await call.queries.tagKeys(call.scope, projects)
  existing(keys.find(({ value }) => value === key))
  const asked = { projects, key, prefix: PREFIX.read(call.url), limit: VALUES_MAX }
  const { rows, page } = pageOf(await call.queries.tagValues(call.scope, asked), readPage(call.url))
  return answerOk(
    rows.map((each) => valueShape(each, key)),
    page,
  )
}

interface CountedValue {
  readonly value: string
  readonly count: number
}

const tagKeyShape = picks(PROJECT_TAG).from<CountedValue>({
  key: ({ value }) => value,
  name: ({ value }) => tagTitle(value),
  totalValues: ({ count }) => count,
  canDelete: () => false,
})

const valueShape = picks(PROJECT_TAG_VALUE).from<CountedValue, string>({
  key: (_, key) => key,
  name: ({ value }) => value,
  firstSeen: () => null,
  lastSeen: () => null,
})

/** Returns the title of a tag: `browser.name` is `Browser Name`. */
function tagTitle(key: string): string {
  const spaced = key.replaceAll(/[._-]+/g, ' ').trim()
  return spaced === '' ? key : spaced.replaceAll(/(?:^| )[a-z]/g, (letter) => letter.toUpperCase())
}

async function users(call: OrgCall) {
  const { id } = await requireProject(call)
  const query = PREFIX.read(call.url)
  const isNamed = USER_KEYS.some((key) => query.startsWith(`${key}:`))
  const prefixes = query === '' || isNamed ? [query] : USER_KEYS.map((key) => `${key}:${query}`)
  const limit = Math.min(VALUES_MAX, max('facetValuesPerProjectMax'))
  const found = await Promise.all(
    prefixes.map((prefix) =>
      call.queries.tagValues(call.scope, { projects: [id], key: 'user', prefix, limit }),
    ),
  )
  const all = found.flat().sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  const { rows, page } = pageOf(all, readPage(call.url))
  return answerOk(
    rows.map(({ value }) => userOfTag(value)),
    page,
  )
}

function userOfTag(tag: string) {
  const at = tag.indexOf(':')
  const kind = USER_KEYS.find((key) => key === tag.slice(0, at))
  const of = (wanted: UserKey) => (kind === wanted ? tag.slice(at + 1) : null)
  return {
    ...{ id: tag, tagValue: tag, hash: tag },
    ...{ identifier: of('id'), username: of('username'), email: of('email'), ipAddress: of('ip') },
    ...{ name: of('username') ?? of('email'), avatarUrl: null, dateCreated: null },
  }
}
