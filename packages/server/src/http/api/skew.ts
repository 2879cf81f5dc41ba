/** Deploy skew: what tabs of an old build asked for in vain, per deploy. */
import { max } from '#limits/limits.ts'
import { SKEW_FAILURES } from '#model/recognised.ts'
import type { DeployDetail, DeployRow, SkewFilter } from '#queries/skew/types.ts'
import { DEPLOY_SKEW, SKEW, SKEW_DETAIL } from './answers/issue.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { timeRange } from './params.ts'
import { picks } from './pick.ts'
import { words } from './query.ts'
import { existing, notFound } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const RANGE = timeRange('14d')
const PROJECT = words('project', 'Slug or id of one project; default all')
const ENVIRONMENT = words('environment', 'Name of one environment', max('routeCharsMax'))
const FILTER = [PROJECT, ENVIRONMENT, ...RANGE.parameters]

export const SKEW_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/skew/',
    permission: 'trace.read',
    what: 'deploys with clicks in tabs of an old build: how many, of how many users, why',
    query: FILTER,
    answer: SKEW,
    run: listSkewedDeploys,
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/skew/{deploy}/',
    permission: 'trace.read',
    what: 'one of them: hour by hour, by build, by failure and route',
    query: FILTER,
    answer: SKEW_DETAIL,
    run: showSkewedDeploy,
  }),
]

async function listSkewedDeploys(call: OrgCall) {
  const { queries, scope } = call
  const rows = await queries.skewDeploys(scope, await readSkewFilter(call))
  return answerOk({
    data: await Promise.all(rows.map(async (row) => deployShape(row, await queries.skewIssue(scope, row)))),
  })
}

async function showSkewedDeploy(call: OrgCall) {
  const { queries, scope, params } = call
  const found = await queries.skewDeploy(scope, await readSkewFilter(call), params.deploy ?? '')
  if (found === null) throw notFound('No deploy of this id has stale clicks in the range.')
  return answerOk({ ...deployShape(found, await queries.skewIssue(scope, found)), ...detailShape(found) })
}

const deployShape = picks(DEPLOY_SKEW).from<DeployRow, { readonly id: number } | null>({
  project: ({ projects }) => projects[0]?.slug ?? null,
  projects: ({ projects }) => projects.map(({ slug }) => slug),
  environment: ({ environment }) => (environment === '' ? null : environment),
  users: ({ users }) => users.count,
  isUsersEstimated: ({ users }) => !users.isExact,
  causes: ({ kinds }) => kinds,
  why: ({ causes }) => causes.map(({ name, count }) => ({ cause: name, count })),
  deployedAt: ({ atMs }) => isoTimeText(atMs),
  isDeployTold: ({ isTold }) => isTold,
  firstSeen: ({ firstMs }) => isoTimeText(firstMs),
  lastSeen: ({ lastMs }) => isoTimeText(lastMs),
  issueId: (_, issue) => (issue === null ? undefined : String(issue.id)),
})

function detailShape(deploy: DeployDetail) {
  const { hours, widthMs, builds, places, counts, lastHour, olderTabs, crawled } = deploy
  return {
    ...{ failures: Object.fromEntries(SKEW_FAILURES.map((name) => [name, counts[name]])), lastHour },
    ...{ bucketMs: widthMs, crawled },
    olderTabs: olderTabs === null ? null : { views: olderTabs.views, isEstimated: olderTabs.isEstimated },
    hours: hours.map(({ startMs, action, files, pageData }) => ({
      ...{ start: isoTimeText(startMs), action, chunk: files, 'page-data': pageData },
    })),
    builds: builds.map(({ release, ageMs, counts: own, users }) => ({
      ...{ release: release === '' ? null : release, ageMs, failures: own, users: users.count },
    })),
    places: places.map(({ failure, route, count, users, example, issue }) => ({
      ...{ failure, route: route === '' ? null : route, count, users: users.count },
      ...{ httpStatus: example.httpStatus, subject: example.subject },
      ...{
        eventId: example.eventId,
        traceId: example.traceId,
        issueId: issue === null ? null : String(issue.id),
      },
    })),
  }
}

async function readSkewFilter({ queries, scope, url, clock }: OrgCall): Promise<SkewFilter> {
  const ref = PROJECT.read(url)
  const project = ref === '' || ref === '-1' ? null : existing(await queries.project(scope, ref)).slug
  const environment = ENVIRONMENT.read(url)
  return {
    range: RANGE.read(url, clock),
    project,
    environment: environment === '' ? null : environment,
  }
}
