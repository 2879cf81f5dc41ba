/** Issues: the list, one issue, its tags, groups and activity. */

import * as v from 'valibot'
import { HOUR_MS } from '#base/durations.ts'
import type { IssueMark } from '#ports/issue-people.ts'
import type { TagDistribution } from '#ports/issues.ts'
import type { Project } from '#ports/projects.ts'
import type { ListedIssue, TimeRange } from '#queries/types.ts'
import { HASHES } from './answers/event.ts'
import {
  ACTIVITIES_SCHEMA,
  ISSUE_COUNTS,
  ISSUE_DETAIL,
  ISSUE_SCHEMA,
  SIMILAR_ISSUE,
  TAG,
  TAG_VALUE,
} from './answers/issue.ts'
import { empty } from './answers/words.ts'
import { type ApiRoute, answerOk, type Exported, type OrgCall, orgRoute } from './call.ts'
import { FORMAT } from './export.ts'
import { badCursor, PAGE, pageOf, readPage } from './pages.ts'
import {
  chosenProjects,
  ENVIRONMENTS_PARAMETER,
  PROJECTS_PARAMETER,
  SORT,
  timeRange,
  wholeHours,
} from './params.ts'
import { requireProject } from './projects.ts'
import { listParameter, words } from './query.ts'
import { apiRefusal, badField, existing } from './refusals.ts'
import { eventRowShape } from './shape/event.ts'
import { groupShape, similarShape } from './shape/group.ts'
import {
  activityShape,
  filteredShape,
  issueShape,
  lifetimeShape,
  mirrorsShape,
  participantShape,
  tagShape,
  tagValueShape,
} from './shape/issue.ts'

/** Default range, as long as events are kept by default: an issue of any age is found without one. */
const RANGE_DEFAULT = '90d'
/** The store begins again at a cursor that it did not write; a program that pages would never end. */
const ISSUE_CURSOR = /^[np]\.([a-z]+)\.\d{1,16}\.\d{1,16}$/
const TAG_VALUES_TOP = 10
const RANGE = timeRange(RANGE_DEFAULT)
const QUERY = words('query', 'A search as in the web app (/docs/search); empty for all')
const COUNTED = listParameter('query', 'A search as in the web app; several')
const LIST = [QUERY, ENVIRONMENTS_PARAMETER, ...RANGE.parameters, SORT, FORMAT, ...PAGE]
const EXPORTED: Exported = {
  name: 'issues',
  columns: () => [
    ...['shortId', 'id', 'title', 'culprit', 'level', 'status', 'substatus', 'priority', 'platform'],
    ...['project.slug', 'assignedTo.name', 'count', 'userCount', 'firstSeen', 'lastSeen'],
    ...['filtered.count', 'filtered.userCount', 'filtered.firstSeen', 'filtered.lastSeen', 'permalink'],
  ],
}

export const ISSUE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/issues/',
    permission: 'issue.read',
    what: 'issues that a search finds',
    query: [PROJECTS_PARAMETER, ...LIST],
    exported: EXPORTED,
    answer: v.array(ISSUE_SCHEMA),
    async run(call) {
      // A project that is absent or not the viewer's is 404, not an empty list.
      return answerIssueList(call, (await chosenProjects(call))?.map(String) ?? [])
    },
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues-count/',
    permission: 'issue.read',
    what: 'how many issues each search finds',
    query: [COUNTED, PROJECTS_PARAMETER, ENVIRONMENTS_PARAMETER, ...RANGE.parameters],
    answer: ISSUE_COUNTS,
    run: answerIssueCounts,
  }),
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/issues/',
    permission: 'issue.read',
    what: 'issues of one project',
    query: LIST,
    exported: EXPORTED,
    answer: v.array(ISSUE_SCHEMA),
    async run(call) {
      return answerIssueList(call, [String((await requireProject(call)).id)])
    },
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/',
    permission: 'issue.read',
    what: 'one issue, by id or short id',
    answer: ISSUE_DETAIL,
    async run(call) {
      return answerOk(await issueDetail(call, call.params.issue ?? ''))
    },
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/tags/',
    permission: 'issue.read',
    what: 'tags with their most frequent values',
    query: [FORMAT],
    exported: {
      name: 'tags',
      columns: () => ['key', 'value', 'count', 'firstSeen', 'lastSeen'],
      rows: tagRows,
    },
    answer: v.array(TAG),
    async run(call) {
      const tags = existing(await call.queries.issueTags(call.scope, call.params.issue ?? ''))
      return answerOk(tags.map((tag) => tagShape(tag, TAG_VALUES_TOP)))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/tags/{key}/',
    permission: 'issue.read',
    what: 'one tag',
    answer: TAG,
    async run(call) {
      return answerOk(tagShape(await requireTag(call), TAG_VALUES_TOP))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/tags/{key}/values/',
    permission: 'issue.read',
    what: 'values of one tag',
    query: PAGE,
    answer: v.array(TAG_VALUE),
    async run(call) {
      const { key, values } = await requireTag(call)
      const { rows, page } = pageOf(values, readPage(call.url))
      return answerOk(
        rows.map((value) => tagValueShape(value, key)),
        page,
      )
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/hashes/',
    permission: 'issue.read',
    what: 'groups of the issue, each with its newest event',
    query: PAGE,
    answer: HASHES,
    async run(call) {
      const ref = call.params.issue ?? ''
      const groups = existing(await call.queries.issueGroups(call.scope, ref))
      const named = existing(await call.queries.mergedGroups(call.scope, ref))
      const { rows, page } = pageOf(groups, readPage(call.url))
      const shaped = rows.map(async ({ hash, projectId, issueId, latest }) => {
        const row = await latest()
        const group = named.find((one) => one.hash === hash && one.projectId === projectId)
        return {
          id: hash,
          latestEvent: row === null ? null : eventRowShape(row, issueId),
          ...(group === undefined ? {} : { errata: groupShape(group) }),
        }
      })
      return answerOk(await Promise.all(shaped), page)
    },
  }),
  {
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/similar/',
    permission: 'issue.read',
    what: 'issues that may be the same failure, most alike first',
    answer: v.array(SIMILAR_ISSUE),
    async run(call) {
      const similar = existing(await call.queries.similarIssues(call.scope, call.params.issue ?? ''))
      return answerOk(similar.map(similarShape))
    },
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/user-reports/',
    permission: 'issue.read',
    what: 'none: what users say of a failure is not kept',
    answer: empty,
    async run(call) {
      await issueDetail(call, call.params.issue ?? '')
      return answerOk([])
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/activities/',
    permission: 'issue.read',
    what: 'who did what when',
    answer: ACTIVITIES_SCHEMA,
    async run(call) {
      const activity = existing(await call.queries.issueActivity(call.scope, call.params.issue ?? ''))
      return answerOk({ activity: activity.map(activityShape) })
    },
  }),
]

/** Most searches counted at once, as many as a screen shows. */
const COUNTED_MAX = 20

async function answerIssueCounts(call: OrgCall) {
  const { queries, scope, url, clock } = call
  const named = [...new Set(COUNTED.read(url))]
  if (named.length > COUNTED_MAX) throw badField('query', `At most ${COUNTED_MAX} searches.`)
  const place = {
    ...{
      projects: (await chosenProjects(call))?.map(String) ?? [],
      environments: ENVIRONMENTS_PARAMETER.read(url),
    },
    range: RANGE.read(url, clock),
    ...({ tab: 'all', sort: 'date', limit: 1, cursor: null, rowsOnly: true } as const),
  }
  const totals: (readonly [string, number])[] = []
  for (const query of named) {
    const { problems, total } = await queries.issueList(scope, { ...place, query })
    if (problems.length > 0)
      throw apiRefusal('query_invalid', problems.map(({ message }) => message).join(' '))
    totals.push([query, total])
  }
  return answerOk(Object.fromEntries(totals))
}

async function answerIssueList(call: OrgCall, projects: readonly string[]) {
  const { queries, scope, url, clock } = call
  const page = readPage(url)
  const sort = SORT.read(url)
  if (page.cursor !== null && ISSUE_CURSOR.exec(page.cursor)?.[1] !== sort) throw badCursor()
  const list = await queries.issueList(scope, {
    query: QUERY.read(url),
    projects,
    environments: ENVIRONMENTS_PARAMETER.read(url),
    range: wholeHours(RANGE.read(url, clock), url),
    sort,
    limit: page.limit,
    cursor: page.cursor,
    rowsOnly: true,
  })
  if (list.problems.length > 0)
    throw apiRefusal('query_invalid', list.problems.map(({ message }) => message).join(' '))
  const known = new Map(list.projects.map((project) => [project.id, project]))
  const ids = list.rows.map(({ id }) => id)
  const [digests, marks] = await Promise.all([
    queries.issueDigests(scope, ids),
    queries.issueMarks(scope, ids),
  ])
  const rows = list.rows.flatMap((row) => {
    const project = known.get(row.projectId)
    const digest = digests.find(({ issueId }) => issueId === row.id)?.digest ?? null
    const mark = marks.find(({ issueId }) => issueId === row.id) ?? null
    return project === undefined ? [] : [listedIssue(call, row, { project, digest, mark })]
  })
  return answerOk(rows, { previous: list.previousCursor, next: list.nextCursor, hits: list.total })
}

function listedIssue(
  { scope, url, publicAddress }: OrgCall,
  row: ListedIssue,
  of: { readonly project: Project; readonly digest: string | null; readonly mark: IssueMark | null },
) {
  const named = url.searchParams.get('statsPeriod') || (url.searchParams.has('start') ? 'auto' : null)
  const period = named ?? RANGE_DEFAULT
  const shape = issueShape(row, {
    url: publicAddress.url,
    organisation: scope.orgSlug,
    ...of,
    stats: { period, series: row.trend },
  })
  return {
    ...shape,
    // Of the range that was asked for, as the list of the web app shows it.
    ...(named === null ? {} : { count: String(row.eventCountInRange) }),
    lifetime: lifetimeShape(row),
    filtered: filteredShape(row.matching, period),
  }
}

/** An issue alone carries its last 24 hours. */
export async function issueDetail({ queries, scope, clock, publicAddress }: OrgCall, ref: string) {
  const nowMs = clock.now()
  const range: TimeRange = { startMs: nowMs - 24 * HOUR_MS, endMs: nowMs }
  const view = existing(await queries.issue(scope, ref, { ...range, stepMs: HOUR_MS }))
  const { issue, project, trend, activity, mirrors, lone } = view
  const shape = issueShape(issue, {
    url: publicAddress.url,
    organisation: scope.orgSlug,
    project,
    digest: view.digests[0]?.digest ?? null,
    mark: view.mark,
    stats: { period: '24h', series: trend },
  })
  return {
    ...shape,
    errata: { ...shape.errata, ...mirrorsShape(mirrors, lone) },
    firstRelease: versionShape(issue.firstRelease),
    lastRelease: versionShape(issue.lastRelease),
    participants: view.followers.map(participantShape),
    seenBy: [],
    activity: activity.map(activityShape),
    tags: view.tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
  }
}

function versionShape(version: string | null) {
  return version === null ? null : { version }
}

/** Every value that is kept apart, and of each key a row for the rest. */
async function tagRows({ queries, scope, params }: OrgCall) {
  const tags = existing(await queries.issueTags(scope, params.issue ?? ''))
  return tags.flatMap(({ key, values, otherCount }) => [
    ...values.map((value) => tagValueShape(value, key)),
    ...(otherCount === 0 ? [] : [{ key, value: null, count: otherCount }]),
  ])
}

async function requireTag({ queries, scope, params }: OrgCall): Promise<TagDistribution> {
  const tags = existing(await queries.issueTags(scope, params.issue ?? ''))
  return existing(tags.find(({ key }) => key === params.key))
}
