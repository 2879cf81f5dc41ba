/** Links as Sentry spells them, in old chats and in tools that make their own: they lead to the same thing here. */
import { paths, withQuery } from '#parts/paths.ts'
import type { HandlerRoute } from '#wire/app-tables.ts'
import { withoutBase } from '#wire/base-path.ts'
import { notFound } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

type Params = Readonly<Record<string, string>>

/** Targets of links; whoever opens one is asked there who they are. */
const LINKS: Links = {
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
  '/organizations/:org/projects/new': ({ org = '' }) => paths.newProject(org),
  '/organizations/:org/projects/:project/getting-started': ({ org = '', project = '' }) =>
    paths.firstEvent(org, project),
  '/organizations/:org/projects/:project/events/:event': ({ org = '', event = '' }) =>
    paths.issues(org, { query: event }),
  '/organizations/:org/projects/:project': ({ org = '', project = '' }) => paths.issues(org, { project }),
  '/organizations/:org/releases': ({ org = '' }, query) => paths.releases(org, { query: query.get('query') }),
  '/organizations/:org/releases/:version': ({ org = '', version = '' }) => paths.release(org, version),
  '/organizations/:org/performance': ({ org = '' }) => paths.performance(org),
  '/organizations/:org/performance/summary': ({ org = '' }, query) =>
    paths.performance(org, routeQuery(query)),
  // `web:9ec79c33…`, an event of a project.
  '/organizations/:org/performance/:event': ({ org = '', event = '' }) =>
    paths.issues(org, { query: event.slice(event.lastIndexOf(':') + 1) }),
  '/organizations/:org/insights': ({ org = '' }) => paths.performance(org),
  '/organizations/:org/insights/summary': ({ org = '' }, query) => paths.performance(org, routeQuery(query)),
  '/organizations/:org/insights/:area': ({ org = '' }) => paths.performance(org),
  '/organizations/:org/insights/:area/summary': ({ org = '' }, query) =>
    paths.performance(org, routeQuery(query)),
  '/organizations/:org/insights/:area/:part': ({ org = '' }) => paths.performance(org),
  '/organizations/:org/performance/trace/:trace': ({ org = '', trace = '' }) => paths.trace(org, trace),
  '/organizations/:org/traces': ({ org = '' }) => paths.traces(org),
  '/organizations/:org/traces/trace/:trace': ({ org = '', trace = '' }) => paths.trace(org, trace),
  '/organizations/:org/explore/traces': ({ org = '' }) => paths.traces(org),
  ...tracesBelow('explore/traces/trace', 'discover/trace', 'issues/trace', 'insights/trace', 'trace'),
  ...tracesBelow('insights/:area/trace', 'explore/:list/trace', 'dashboard/trace'),
  ...searchesBelow('discover/homepage', 'discover/results', 'discover/queries', 'explore/discover/homepage'),
  ...searchesBelow('explore/discover/results', 'issues/searches/:id', 'issues/views/:id'),
  '/organizations/:org/explore/releases': ({ org = '' }) => paths.releases(org),
  '/organizations/:org/alerts': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/issues/alerts/rules': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/issues/alerts/rules/details/:rule': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/monitors': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/monitors/alerts': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules/details/:rule': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules/:project/:rule': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/alerts/rules/:project/:rule/details': ({ org = '' }) => paths.alerts(org),
  '/organizations/:org/stats': ({ org = '' }) => paths.outcomes(org),
  '/organizations/:org/settings': ({ org = '' }) => paths.orgSettings(org),
  '/settings/account': () => paths.account(),
  '/settings/account/api/auth-tokens': () => paths.account(),
  '/settings/account/api/applications': () => paths.accountApps(),
  '/settings/account/details': () => paths.account(),
  '/settings/account/notifications': () => paths.accountAlerts(),
  '/settings/account/security': () => paths.accountSecurity(),
  '/settings/account/security/session-history': () => paths.accountSessions(),
  '/account/settings': () => paths.account(),
  '/settings/:org': ({ org = '' }) => paths.orgSettings(org),
  '/settings/:org/members': ({ org = '' }) => paths.members(org),
  '/settings/:org/teams': ({ org = '' }) => paths.teams(org),
  '/settings/:org/auth-tokens': ({ org = '' }) => paths.tokens(org),
  '/settings/:org/audit-log': ({ org = '' }) => paths.audit(org),
  '/settings/:org/auth': ({ org = '' }) => paths.signInSettings(org),
  '/settings/:org/integrations': ({ org = '' }) => paths.trackers(org),
  '/settings/:org/integrations/:kind': ({ org = '', kind = '' }) =>
    CHATS.includes(kind) ? paths.alertChannels(org) : paths.trackers(org),
  '/settings/:org/stats': ({ org = '' }) => paths.outcomes(org),
  '/settings/:org/projects': ({ org = '' }) => paths.projects(org),
  '/settings/:org/projects/:project': ({ org = '', project = '' }) => paths.projectSettings(org, project),
  '/settings/:org/projects/:project/keys': ({ org = '', project = '' }) => paths.projectKeys(org, project),
  ...settingsBelow(paths.projectSourceMaps, 'source-maps', 'source-maps/artifact-bundles', 'debug-symbols'),
  ...settingsBelow(paths.projectGrouping, 'issue-grouping'),
  ...settingsBelow(paths.projectOwnership, 'ownership'),
  ...settingsBelow(paths.projectEnvironments, 'environments'),
  ...settingsBelow(paths.projectFilters, 'filters', 'filters/data-filters'),
  ...settingsBelow(paths.projectScrubbing, 'security-and-privacy'),
  ...settingsBelow(paths.projectRetention, 'performance'),
  ...settingsBelow(paths.firstEvent, 'install', 'install/:platform'),
  '/settings/:org/projects/:project/alerts': ({ org = '', project = '' }) =>
    paths.projectAlerts(org, project),
  '/onboarding/:org': ({ org = '' }) => paths.issues(org),
  '/onboarding/:org/setup-docs': ({ org = '' }) => paths.newProject(org),
  '/organizations/new': () => paths.home(),
  '/auth/login': (_, query) => paths.signIn(query.get('next') ?? undefined),
  '/auth/login/:org': ({ org = '' }) => paths.signInAt(org),
  '/manage': () => paths.system(),
  '/manage/status': () => paths.system(),
  // As Sentry spelt them before organisations stood in addresses.
  '/:org/:project/events/:event': ({ org = '', event = '' }) => paths.issues(org, { query: event }),
  '/:org/:project/issues/:id': ({ org = '', id = '' }) => paths.issue(org, id),
  '/:org/:project/issues/:id/events/:event': ({ org = '', id = '', event = '' }) =>
    paths.issueEvent(org, id, event),
}

/** Links of hosted Sentry, where the host names the organisation; here it is one of whoever opens them. */
const OF_VIEWER: Readonly<Record<string, (params: Params & { readonly org: string }) => string>> = {
  '/issues/:id/events/:event': ({ org, id = '', event = '' }) => paths.issueEvent(org, id, event),
  '/issues/:id': ({ org, id = '' }) => paths.issue(org, id),
  '/traces/trace/:trace': ({ org, trace = '' }) => paths.trace(org, trace),
  '/performance/trace/:trace': ({ org, trace = '' }) => paths.trace(org, trace),
  '/explore/traces/trace/:trace': ({ org, trace = '' }) => paths.trace(org, trace),
  // Sentry's documentation links so, colon included.
  '/orgredirect/organizations/:orgslug/settings/auth-tokens': ({ org }) => paths.tokens(org),
  '/orgredirect/organizations/:orgslug/issues': ({ org }) => paths.issues(org),
  '/orgredirect/organizations/:orgslug/:place': ({ org }) => paths.overview(org),
}

export const sentryLinks: readonly HandlerRoute[] = [
  ...Object.entries(LINKS).map(
    ([path, leadsTo]): HandlerRoute => ({
      path,
      // The place they lead to asks again; below an organisation nothing answers a stranger.
      access: path.startsWith('/:org') ? 'issue.read' : 'anyone',
      handle: async ({ params, url }: LoaderContext) => lead(leadsTo(knownParams(params), url.searchParams)),
    }),
  ),
  ...Object.entries(OF_VIEWER).map(
    ([path, leadsTo]): HandlerRoute => ({
      path,
      // Whoever has no such issue is told so by the page of their own organisation, as of any other.
      access: 'anyone',
      handle: async (ctx) => {
        const { viewer, url, params } = ctx
        if (viewer === null) return lead(paths.signIn(`${withoutBase(url.pathname)}${url.search}`))
        const org = await organisationOf(ctx, viewer)
        return lead(org === null ? paths.home() : leadsTo({ ...knownParams(params), org }))
      },
    }),
  ),
]

/** That of the viewer's in which the issue of the address is, else the one used last. */
async function organisationOf(
  { engine, params }: LoaderContext,
  viewer: NonNullable<LoaderContext['viewer']>,
): Promise<string | null> {
  const { memberships, user } = viewer
  const isLast = (id: number) => Number(id === user.orgIdLast)
  const slugs = memberships
    .map(({ organisation }) => organisation)
    .toSorted((one, other) => isLast(other.id) - isLast(one.id))
    .map(({ slug }) => slug)
  const { id } = params
  for (const slug of id === undefined ? [] : slugs.slice(0, ORGANISATIONS_MAX)) {
    const scope = engine.access.scope(viewer, slug)
    if (scope !== null && (await engine.queries.issueActivity(scope, id ?? '')) !== null) return slug
  }
  return slugs[0] ?? null
}

/** Asked one after the other. */
const ORGANISATIONS_MAX = 50
const CHATS: readonly string[] = ['slack', 'discord', 'msteams', 'pagerduty', 'opsgenie', 'webhooks']

type Links = Readonly<Record<string, (params: Params, query: URLSearchParams) => string>>

function tracesBelow(...places: readonly string[]): Links {
  return Object.fromEntries(
    places.map((place) => [
      `/organizations/:org/${place}/:trace`,
      ({ org = '', trace = '' }: Params) => paths.trace(org, trace),
    ]),
  )
}

/** Searches of events that Sentry kept apart from those of issues. */
function searchesBelow(...places: readonly string[]): Links {
  return Object.fromEntries(
    places.map((place) => [
      `/organizations/:org/${place}`,
      ({ org = '' }: Params, query: URLSearchParams) => withQuery(paths.issues(org), issueQuery(query)),
    ]),
  )
}

function settingsBelow(of: (org: string, project: string) => string, ...names: readonly string[]): Links {
  return Object.fromEntries(
    names.map((name) => [
      `/settings/:org/projects/:project/${name}`,
      ({ org = '', project = '' }: Params) => of(org, project),
    ]),
  )
}

/** A route has no method here. */
function routeQuery(query: URLSearchParams) {
  return { text: query.get('transaction')?.replace(/^[A-Z]+ /, '') ?? null }
}

function knownParams(params: LoaderContext['params']): Params {
  return Object.fromEntries(Object.entries(params).flatMap(([name, value = '']) => [[name, value] as const]))
}

/** Returns the parameters that both name alike; a range of ours if it has one. */
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
