/** Addresses that lead from one feature to another; those within a feature are in its own `paths.ts`. Nothing else spells one. */

export type Query = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

/** Returns a path segment. */
export const segment = (value: string | number): string => encodeURIComponent(String(value))
const s = segment

/** Returns names and values of a query; leaves out what is absent or empty, repeats lists. */
export function queryPairs(query: Query): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [value].flat().map((each): [string, string] => [name, String(each)]),
  )
}

/** Appends a query to a path. */
export function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams(queryPairs(query)).toString()
  return text === '' ? path : `${path}?${text}`
}

export const paths = {
  home: () => '/',
  signIn: (next?: string) => withQuery('/sign-in', { next }),
  /** The sign-in page of one organisation. */
  signInAt: (org: string, query: Query = {}) => withQuery('/sign-in', { org, ...query }),
  forgot: () => '/forgot',
  reset: (code: string) => `/reset/${s(code)}`,

  overview: (org: string) => `/${s(org)}`,
  /** Offers while somebody types. */
  choices: (org: string, query: Query) => withQuery(`/${s(org)}/choices`, query),
  issues: (org: string, query: Query = {}) => withQuery(`/${s(org)}/issues`, query),
  /** How many issues saved searches find in a list. */
  searchTotals: (org: string, query: Query = {}) => withQuery(`/${s(org)}/issues/totals`, query),
  issue: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}`, query),
  issueSuggestions: (org: string, query: Query) => withQuery(`/${s(org)}/issues/suggestions`, query),
  issueEvents: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/events`, query),
  issueEvent: (org: string, id: string | number, event: string, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/events/${s(event)}`, query),
  issueActivity: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/activity`, query),
  issueMerged: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/merged`, query),
  issueSimilar: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/similar`, query),
  people: (org: string, query: Query = {}) => withQuery(`/${s(org)}/people`, query),
  /** A few whom a text names, while somebody types. */
  peopleFound: (org: string, query: Query) => withQuery(`/${s(org)}/people-found`, query),
  /** `key`: a name as events have it, `id:42`; or a bare id, email or address. */
  person: (org: string, key: string, query: Query = {}) => withQuery(`/${s(org)}/people/${s(key)}`, query),

  digest: (number?: string) => (number === undefined ? '/digest' : `/digest/${s(number)}`),
  outcomes: (org: string, query: Query = {}) => withQuery(`/${s(org)}/outcomes`, query),

  traces: (org: string, query: Query = {}) => withQuery(`/${s(org)}/traces`, query),
  /** `near`: a time that it is known to hold, in milliseconds. */
  trace: (org: string, trace: string, query: Query = {}) => withQuery(`/${s(org)}/traces/${s(trace)}`, query),

  releases: (org: string, query: Query = {}) => withQuery(`/${s(org)}/releases`, query),
  release: (org: string, version: string) => `/${s(org)}/releases/${s(version)}`,
  releaseSlower: (org: string, version: string) => `/${s(org)}/releases/${s(version)}/slower`,
  releaseCommits: (org: string, version: string) => `/${s(org)}/releases/${s(version)}/commits`,

  performance: (org: string, query: Query = {}) => withQuery(`/${s(org)}/performance`, query),
  vitals: (org: string, query: Query = {}) => withQuery(`/${s(org)}/performance/vitals`, query),
  performanceRoute: (org: string, project: string, query: Query) =>
    withQuery(`/${s(org)}/performance/${s(project)}/route`, query),

  skew: (org: string, query: Query = {}) => withQuery(`/${s(org)}/skew`, query),
  alerts: (org: string, query: Query = {}) => withQuery(`/${s(org)}/alerts`, query),
  newAlertRule: (org: string, query: Query = {}) => withQuery(`/${s(org)}/alerts/rules/new`, query),
  alertRule: (org: string, rule: number, query: Query = {}) =>
    withQuery(`/${s(org)}/alerts/rules/${s(rule)}`, query),
  alertLog: (org: string, query: Query = {}) => withQuery(`/${s(org)}/alerts/log`, query),
  alertChannels: (org: string) => `/${s(org)}/alerts/channels`,
  newAlertChannel: (org: string, query: Query = {}) => withQuery(`/${s(org)}/alerts/channels/new`, query),
  alertChannel: (org: string, channel: number) => `/${s(org)}/alerts/channels/${s(channel)}`,

  trackers: (org: string) => `/${s(org)}/settings/trackers`,
  newTracker: (org: string, query: Query = {}) => withQuery(`/${s(org)}/settings/trackers/new`, query),

  projects: (org: string, query: Query = {}) => withQuery(`/${s(org)}/projects`, query),
  newProject: (org: string) => `/${s(org)}/projects/new`,
  firstEvent: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/setup`,
  projectSettings: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/settings`,
  projectKeys: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/settings/keys`,
  projectRelay: (org: string, project: string, query: Query = {}) =>
    withQuery(`/${s(org)}/projects/${s(project)}/settings/relay`, query),
  projectScrubbing: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/settings/scrubbing`,
  projectRetention: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/settings/retention`,
  projectGrouping: (org: string, project: string, query: Query = {}) =>
    withQuery(`/${s(org)}/projects/${s(project)}/settings/grouping`, query),
  projectFilters: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/settings/filters`,
  projectOwnership: (org: string, project: string, query: Query = {}) =>
    withQuery(`/${s(org)}/projects/${s(project)}/settings/ownership`, query),
  projectEnvironments: (org: string, project: string) =>
    `/${s(org)}/projects/${s(project)}/settings/environments`,
  projectAlerts: (org: string, project: string, query: Query = {}) =>
    withQuery(`/${s(org)}/projects/${s(project)}/settings/alerts`, query),
  projectSourceMaps: (org: string, project: string, query: Query = {}) =>
    withQuery(`/${s(org)}/projects/${s(project)}/settings/source-maps`, query),
  projectDanger: (org: string, project: string) => `/${s(org)}/projects/${s(project)}/settings/danger`,

  orgSettings: (org: string) => `/${s(org)}/settings`,
  members: (org: string, query: Query = {}) => withQuery(`/${s(org)}/settings/members`, query),
  teams: (org: string, query: Query = {}) => withQuery(`/${s(org)}/settings/teams`, query),
  tokens: (org: string) => `/${s(org)}/settings/tokens`,
  signInSettings: (org: string) => `/${s(org)}/settings/sign-in`,
  audit: (org: string, query: Query = {}) => withQuery(`/${s(org)}/settings/audit`, query),

  inbox: (query: Query = {}) => withQuery('/inbox', query),
  inboxUnread: () => '/inbox/unread',

  account: () => '/account',
  accountPassword: () => '/account/password',
  accountSecurity: () => '/account/security',
  accountSessions: () => '/account/sessions',
  accountApps: () => '/account/apps',
  accountTheme: () => '/account/theme',
  accountAlerts: () => '/account/alerts',

  system: () => '/system',

  /** A page of the handbook, which is no page of the app: a plain link leads there. */
  docs: (slug = '', anchor = '') =>
    `/docs${slug === '' ? '' : `/${slug}`}${anchor === '' ? '' : `#${anchor}`}`,
  /** The section that explains a page of the app. */
  docsOf: (page: string) => withQuery('/docs', { of: page }),

  /** Answers what a page waits for; asked beside the queue of pages. */
  waits: (org: string) => `/${org}/waits`,
  palette: (query: Query = {}) => withQuery('/palette', query),
} as const
