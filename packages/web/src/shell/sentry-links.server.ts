/** Links as Sentry spells them, in old chats and in tools that make their own: they lead to the same thing here. */
import { paths, withQuery } from '#parts/paths.ts'
import type { HandlerRoute } from '#wire/app-tables.ts'
import { notFound } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

type Params = Readonly<Record<string, string>>

/** Where each leads; whoever opens it is asked there who they are. */
const LINKS: Readonly<Record<string, (params: Params, query: URLSearchParams) => string>> = {
  '/organizations/:org': ({ org = '' }) => paths.issues(org),
  '/organizations/:org/issues': ({ org = '' }, query) => withQuery(paths.issues(org), issueQuery(query)),
  '/organizations/:org/issues/:id': ({ org = '', id = '' }) => paths.issue(org, id),
  '/organizations/:org/issues/:id/events': ({ org = '', id = '' }, query) =>
    paths.issueEvents(org, id, { query: query.get('query') }),
  '/organizations/:org/issues/:id/events/:event': ({ org = '', id = '', event = '' }) =>
    paths.issueEvent(org, id, event),
  '/organizations/:org/issues/:id/activity': ({ org = '', id = '' }) => paths.issueActivity(org, id),
  '/organizations/:org/issues/:id/merged': ({ org = '', id = '' }) => paths.issueMerged(org, id),
  '/organizations/:org/issues/:id/similar': ({ org = '', id = '' }) => paths.issueSimilar(org, id),
  '/organizations/:org/issues/:id/tags': ({ org = '', id = '' }) => paths.issue(org, id),
  '/organizations/:org/projects': ({ org = '' }) => paths.projects(org),
  '/organizations/:org/projects/:project': ({ org = '', project = '' }) => paths.issues(org, { project }),
  '/organizations/:org/releases': ({ org = '' }, query) => paths.releases(org, { query: query.get('query') }),
  '/organizations/:org/releases/:version': ({ org = '', version = '' }) => paths.release(org, version),
  '/organizations/:org/performance': ({ org = '' }) => paths.performance(org),
  '/organizations/:org/performance/summary': ({ org = '' }, query) =>
    // A route has no method here.
    paths.performance(org, { text: query.get('transaction')?.replace(/^[A-Z]+ /, '') ?? null }),
  '/organizations/:org/insights': ({ org = '' }) => paths.performance(org),
  '/organizations/:org/performance/trace/:trace': ({ org = '', trace = '' }) => paths.trace(org, trace),
  '/organizations/:org/traces': ({ org = '' }) => paths.traces(org),
  '/organizations/:org/traces/trace/:trace': ({ org = '', trace = '' }) => paths.trace(org, trace),
  '/organizations/:org/explore/traces/trace/:trace': ({ org = '', trace = '' }) => paths.trace(org, trace),
  '/organizations/:org/alerts': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules/details/:rule': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules/:project/:rule': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules/:project/:rule/details': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/stats': ({ org = '' }) => paths.outcomes(org),
  '/organizations/:org/settings': ({ org = '' }) => paths.orgSettings(org),
  '/settings/account': () => paths.account(),
  '/settings/account/api/auth-tokens': () => paths.account(),
  '/settings/:org': ({ org = '' }) => paths.orgSettings(org),
  '/settings/:org/members': ({ org = '' }) => paths.members(org),
  '/settings/:org/teams': ({ org = '' }) => paths.teams(org),
  '/settings/:org/auth-tokens': ({ org = '' }) => paths.tokens(org),
  '/settings/:org/audit-log': ({ org = '' }) => paths.audit(org),
  '/settings/:org/projects': ({ org = '' }) => paths.projects(org),
  '/settings/:org/projects/:project': ({ org = '', project = '' }) => paths.projectSettings(org, project),
  '/settings/:org/projects/:project/keys': ({ org = '', project = '' }) => paths.projectKeys(org, project),
  '/settings/:org/projects/:project/source-maps': ({ org = '', project = '' }) =>
    paths.projectSourceMaps(org, project),
  '/settings/:org/projects/:project/alerts': ({ org = '', project = '' }) =>
    paths.projectAlerts(org, project),
  // As Sentry spelt them before organisations stood in addresses.
  '/:org/:project/issues/:id': ({ org = '', id = '' }) => paths.issue(org, id),
  '/:org/:project/issues/:id/events/:event': ({ org = '', id = '', event = '' }) =>
    paths.issueEvent(org, id, event),
}

export const sentryLinks: readonly HandlerRoute[] = Object.entries(LINKS).map(([path, leadsTo]) => ({
  path,
  // The place they lead to asks again; below an organisation nothing answers a stranger.
  access: path.startsWith('/:org') ? 'issue.read' : 'anyone',
  handle: async ({ params, url }: LoaderContext) => lead(leadsTo(known(params), url.searchParams)),
}))

function known(params: LoaderContext['params']): Params {
  return Object.fromEntries(Object.entries(params).flatMap(([name, value = '']) => [[name, value] as const]))
}

/** What both call alike; a range of ours where it has one. */
function issueQuery(query: URLSearchParams): Readonly<Record<string, string | readonly string[] | null>> {
  return {
    query: query.get('query'),
    environment: query.getAll('environment'),
    range: query.get('statsPeriod'),
  }
}

function lead(to: string): Response {
  if (!to.startsWith('/') || to.startsWith('//')) return notFound()
  return new Response(null, { status: 302, headers: { location: to } })
}
