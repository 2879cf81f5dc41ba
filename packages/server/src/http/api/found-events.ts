/** Events of a project or of all, newest first, and figures of them: `events/` and `events-stats/` of errors. */
import * as v from 'valibot'
import { MINUTE_MS } from '#base/durations.ts'
import { groupHash, projectId as projectIdOf } from '#base/ids.ts'
import type { Issue } from '#ports/issues.ts'
import type { Project } from '#ports/projects.ts'
import { foundGroupKey } from '#queries/events/found-events.ts'
import type { EventsAsked, Tally, TallyColumn } from '#queries/found-event-types.ts'
import { EVENT, EVENT_ROW } from './answers/event.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import {
  aggregateOf,
  type Cell,
  type CellType,
  errorColumn,
  isAggregate,
  type TallyFigures,
  tallyColumnOf,
} from './error-fields.ts'
import { fullEvents } from './events.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { ENVIRONMENTS_PARAMETER, timeRange } from './params.ts'
import { requireProject } from './projects.ts'
import { words, yes } from './query.ts'
import { badField, refuseProblems } from './refusals.ts'
import { eventRowShape } from './shape/event.ts'
import { sortedRows } from './sorted-rows.ts'

/** Range as long as events are kept by default. */
const RANGE = timeRange('90d')
const QUERY = words('query', 'A search of the events, as in the web app; empty for all')
const FULL = yes('full', 'With all parts of each event')

export const FOUND_EVENT_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/events/',
    permission: 'issue.read',
    what: 'events of a project, newest first; `full=1` with all parts',
    query: [QUERY, FULL, ENVIRONMENTS_PARAMETER, ...RANGE.parameters, ...PAGE],
    answer: v.union([v.array(EVENT_ROW), v.array(EVENT)]),
    run: projectEvents,
  },
]

async function projectEvents(call: OrgCall): Promise<ApiAnswer> {
  const { queries, scope, url, clock } = call
  const { id } = await requireProject(call)
  const { limit, cursor } = readPage(url)
  const found = await queries.eventsFound(scope, {
    ...{ projects: [id], environments: ENVIRONMENTS_PARAMETER.read(url), query: QUERY.read(url) },
    ...{ range: RANGE.read(url, clock), limit, cursor },
  })
  refuseProblems(found.problems)
  const page = { previous: null, next: found.nextCursor, hits: null }
  if (FULL.read(url)) {
    const places = found.rows.map(({ row, issue }) => ({ ref: String(issue.id), id: row.eventId }))
    return answerOk(await fullEvents(call, places), page)
  }
  return answerOk(
    found.rows.map(({ row, issue }) => eventRowShape(row, issue.id)),
    page,
  )
}

export interface ErrorsAsked extends EventsAsked {
  readonly fields: readonly string[]
  /** A field, `-` before it for the greatest first; empty: as they come. */
  readonly sort: string
}

/** `GET …/events/?dataset=errors`: rows of events, or figures of them by what stands beside these. */
export async function errorEvents(call: OrgCall, asked: ErrorsAsked): Promise<ApiAnswer> {
  return asked.fields.some(isAggregate) ? errorFigures(call, asked) : errorRows(call, asked)
}

async function errorRows(call: OrgCall, { fields, sort, ...asked }: ErrorsAsked): Promise<ApiAnswer> {
  if (sort !== '' && sort !== '-timestamp') throw badField('sort', 'Of events -timestamp alone.')
  const { limit, cursor } = readPage(call.url)
  const found = await call.queries.eventsFound(call.scope, { ...asked, limit, cursor })
  refuseProblems(found.problems)
  const projects = await projectsById(call)
  const columns = fields.map((name) => [name, errorColumn(name)] as const)
  const data = found.rows.map((one) => {
    const project = projects.get(one.row.projectId)
    return Object.fromEntries(columns.map(([name, { of }]) => [name, of(one, project)]))
  })
  const page = { previous: null, next: found.nextCursor, hits: null }
  return { ...answerOk({ data, meta: eventsMeta(columns.map(([name, { type }]) => [name, type])) }), page }
}

async function errorFigures(call: OrgCall, { fields, sort, ...asked }: ErrorsAsked): Promise<ApiAnswer> {
  const keys = fields.filter((name) => !isAggregate(name))
  const aggregates = fields.filter(isAggregate).map((name) => [name, aggregateOf(name, 'field')] as const)
  const withUsers = aggregates.some(([, { users }]) => users === true)
  const groups = await readGroupedEvents(call, {
    ...asked,
    keys,
    users: withUsers,
    stepMs: null,
    limit: GROUPS_MAX,
  })
  const minutes = (asked.range.endMs - asked.range.startMs) / MINUTE_MS
  const all = groups.map(({ cells, tallies }) => {
    const figures = { ...sumTallies(tallies), minutes }
    const counted = aggregates.map(([name, { of }]) => [name, of(figures)] as const)
    return Object.fromEntries([...keys.map((name, at) => [name, cells[at] ?? null] as const), ...counted])
  })
  // Without anything to count by there is one figure, of nothing too.
  if (keys.length === 0 && all.length === 0) {
    const none = { count: 0, users: 0, firstMs: asked.range.startMs, lastMs: asked.range.startMs, minutes }
    all.push(
      Object.fromEntries(aggregates.map(([name, { type, of }]) => [name, type === 'date' ? null : of(none)])),
    )
  }
  const { rows, page } = pageOf(sortedRows(all, fields, sort), readPage(call.url))
  const types = fields.map(
    (name) => [name, isAggregate(name) ? aggregateOf(name, 'field').type : errorColumn(name).type] as const,
  )
  return { ...answerOk({ data: rows, meta: eventsMeta(types) }), page }
}

/** Values that figures are kept apart by: those with most events. */
const GROUPS_MAX = 1_000

export interface GroupsAsked extends EventsAsked {
  readonly keys: readonly string[]
  readonly users: boolean
  readonly stepMs: number | null
  readonly limit: number
}

export interface CellsOfGroup {
  /** Cells in the order of the keys. */
  readonly cells: readonly Cell[]
  readonly tallies: readonly Tally[]
}

/** Tallies by what the keys say: groups of one issue together. */
export async function readGroupedEvents(call: OrgCall, asked: GroupsAsked): Promise<readonly CellsOfGroup[]> {
  const { keys, ...rest } = asked
  const by = [...new Set(['projectId' as const, ...keys.map(tallyColumnOf)])]
  const needed: readonly TallyColumn[] = by.includes('groupHash') || keys.some(isOfProject) ? by : by.slice(1)
  const counted = await call.queries.eventsCounted(call.scope, { ...rest, by: needed })
  refuseProblems(counted.problems)
  const told = await tellerOf(call, { keys, needed, tallies: counted.tallies })
  const groups = new Map<string, { readonly cells: readonly Cell[]; readonly tallies: Tally[] }>()
  for (const tally of counted.tallies) {
    const cells = told(tally)
    if (cells === null) continue
    const name = JSON.stringify(cells)
    const known = groups.get(name)
    if (known === undefined) groups.set(name, { cells, tallies: [tally] })
    else known.tallies.push(tally)
  }
  return [...groups.values()]
}

function isOfProject(key: string): boolean {
  return tallyColumnOf(key) === 'projectId'
}

interface Told {
  readonly keys: readonly string[]
  readonly needed: readonly TallyColumn[]
  readonly tallies: readonly Tally[]
}

/** Returns a function that turns a tally into cells; `null` if its issue is gone. */
async function tellerOf(call: OrgCall, { keys, needed, tallies }: Told) {
  const cellOf = (tally: Tally, column: TallyColumn) => tally.values[needed.indexOf(column)] ?? null
  const projects = await projectsById(call)
  const isByIssue = needed.includes('groupHash')
  const groups = tallies.map((tally) => ({
    projectId: projectIdOf(Number(cellOf(tally, 'projectId'))),
    hash: groupHash(String(cellOf(tally, 'groupHash'))),
  }))
  const issues: ReadonlyMap<string, Issue> = isByIssue
    ? await call.queries.issuesOfGroups(call.scope, groups)
    : new Map()
  return (tally: Tally): readonly Cell[] | null => {
    const projectId = Number(cellOf(tally, 'projectId'))
    const hash = String(cellOf(tally, 'groupHash'))
    const issue = isByIssue ? issues.get(foundGroupKey({ projectId, hash })) : undefined
    if (isByIssue && issue === undefined) return null
    return keys.map((key) => {
      if (key === 'issue') return issue?.shortId ?? null
      if (key === 'issue.id') return issue === undefined ? null : Number(issue.id)
      if (key === 'project.id' || key === 'project_id') return projectId
      if (isOfProject(key)) return projects.get(projectId)?.slug ?? null
      const value = cellOf(tally, tallyColumnOf(key))
      return typeof value === 'boolean' ? Number(value) : value
    })
  }
}

async function projectsById({ queries, scope }: OrgCall): Promise<ReadonlyMap<number, Project>> {
  return new Map((await queries.projects(scope)).map((project) => [Number(project.id), project]))
}

export function sumTallies(tallies: readonly Tally[]): Omit<TallyFigures, 'minutes'> {
  return {
    count: tallies.reduce((sum, { count }) => sum + count, 0),
    users: tallies.reduce((sum, { users }) => sum + (users ?? 0), 0),
    firstMs: Math.min(...tallies.map(({ firstMs }) => firstMs)),
    lastMs: Math.max(...tallies.map(({ lastMs }) => lastMs)),
  }
}

function eventsMeta(types: readonly (readonly [string, CellType])[]) {
  return {
    fields: Object.fromEntries(types),
    units: Object.fromEntries(types.map(([name]) => [name, null])),
  }
}
