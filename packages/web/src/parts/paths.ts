/** Every address of the app. Nothing else spells one. */

type Query = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

/** Path segment. */
const s = (value: string | number): string => encodeURIComponent(String(value))

/** Appends a query; leaves out what is absent or empty, repeats lists. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue
    if (typeof value === 'object') for (const one of value) search.append(name, one)
    else search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

export const paths = {
  home: () => '/',
  setup: () => '/setup',
  signIn: (next?: string) => withQuery('/sign-in', { next }),
  /** `ticket` stands for the password that was right. */
  secondStep: (ticket: string, query: Query = {}) => withQuery(`/sign-in/${s(ticket)}`, query),
  joinAccount: (ticket: string) => withQuery('/join-account', { ticket }),
  confirm: (query: Query = {}) => withQuery('/confirm', query),
  providerConfirm: (next: string) => withQuery('/confirm/provider', { next }),
  /** Page where an app asks to be connected. */
  authorize: (query: Query = {}) => withQuery('/oauth/authorize', query),
  signOut: () => '/sign-out',
  /** The sign-in page of one organisation. */
  signInAt: (org: string, query: Query = {}) => withQuery('/sign-in', { org, ...query }),
  providerSignIn: (org: string, kind: string, next?: string) =>
    withQuery(`/sign-in/with/${s(org)}/${s(kind)}`, { next }),
  providerSignOut: (org: string, kind: string) => `/sign-in/out/${s(org)}/${s(kind)}`,
  forgot: () => '/forgot',
  join: (code: string) => `/join/${s(code)}`,
  reset: (code: string) => `/reset/${s(code)}`,

  overview: (org: string) => `/${s(org)}`,
  projectOverview: (org: string, project: string) => `/${s(org)}/projects/${s(project)}`,
  /** Offers while somebody types. */
  choices: (org: string, query: Query) => withQuery(`/${s(org)}/choices`, query),
  issues: (org: string, query: Query = {}) => withQuery(`/${s(org)}/issues`, query),
  /** The list below a matrix of its issues over time. */
  issueTimeline: (org: string, query: Query = {}) => withQuery(`/${s(org)}/issues/timeline`, query),
  issue: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}`, query),
  issueSuggestions: (org: string, query: Query) => withQuery(`/${s(org)}/issues/suggestions`, query),
  traceSuggestions: (org: string, query: Query) => withQuery(`/${s(org)}/traces/suggestions`, query),
  routeSuggestions: (org: string, query: Query) => withQuery(`/${s(org)}/performance/suggestions`, query),
  searchTotals: (org: string, query: Query) => withQuery(`/${s(org)}/issues/totals`, query),
  issueNews: (org: string, query: Query) => withQuery(`/${s(org)}/issues/news`, query),
  issueEvents: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/events`, query),
  issueEvent: (org: string, id: string | number, event: string, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/events/${s(event)}`, query),
  issueActivity: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/activity`, query),
  issueChange: (org: string, id: string | number) => `/${s(org)}/issues/${s(id)}/change`,
  issueSend: (org: string, id: string | number) => `/${s(org)}/issues/${s(id)}/send`,
  issueMerged: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/merged`, query),
  issueSimilar: (org: string, id: string | number, query: Query = {}) =>
    withQuery(`/${s(org)}/issues/${s(id)}/similar`, query),
  eventJson: (org: string, project: string | number, event: string) =>
    `/api/0/projects/${s(org)}/${s(project)}/events/${s(event)}/json/`,
  attachment: (
    org: string,
    project: string,
    { event, id }: { readonly event: string; readonly id: string },
  ) => `/api/0/projects/${s(org)}/${s(project)}/events/${s(event)}/attachments/${s(id)}/?download=1`,

  issueMarkdown: (org: string, id: string | number, reader: 'report' | 'agent') =>
    withQuery(`/api/0/organizations/${s(org)}/issues/${s(id)}/markdown/`, { for: reader }),
  /** Files of all rows; `format`: `csv` or `jsonl`. */
  issuesFile: (org: string, query: Query) => withQuery(`/api/0/organizations/${s(org)}/issues/`, query),
  eventsFile: (org: string, id: string | number, query: Query) =>
    withQuery(`/api/0/organizations/${s(org)}/issues/${s(id)}/events/`, query),
  tagsFile: (org: string, id: string | number, query: Query) =>
    withQuery(`/api/0/organizations/${s(org)}/issues/${s(id)}/tags/`, query),
  tracesFile: (org: string, query: Query) => withQuery(`/api/0/organizations/${s(org)}/events/`, query),
  personFile: (org: string, project: string | number) =>
    `/api/0/projects/${s(org)}/${s(project)}/person-data/`,
  personFileOfOrg: (org: string, query: Query) =>
    withQuery(`/api/0/organizations/${s(org)}/person-data/`, query),
  people: (org: string, query: Query = {}) => withQuery(`/${s(org)}/people`, query),
  /** A few whom a text names, while somebody types. */
  peopleFound: (org: string, query: Query) => withQuery(`/${s(org)}/people-found`, query),
  /** `key`: a name as events have it, `id:42`; or a bare id, email or address. */
  person: (org: string, key: string, query: Query = {}) => withQuery(`/${s(org)}/people/${s(key)}`, query),
  share: (token: string) => `/share/${s(token)}`,

  digest: (number?: string) => (number === undefined ? '/digest' : `/digest/${s(number)}`),
  digestOfText: (text: string) => withQuery('/digest', { text }),
  outcomes: (org: string, query: Query = {}) => withQuery(`/${s(org)}/outcomes`, query),
  outcomesCsv: (org: string, query: Query = {}) => withQuery(`/${s(org)}/outcomes/csv`, query),

  traces: (org: string, query: Query = {}) => withQuery(`/${s(org)}/traces`, query),
  /** `near`: a time that it is known to hold, in milliseconds. */
  trace: (org: string, trace: string, query: Query = {}) => withQuery(`/${s(org)}/traces/${s(trace)}`, query),
  traceSpan: (org: string, trace: string, query: Query) =>
    withQuery(`/${s(org)}/traces/${s(trace)}/span`, query),

  releases: (org: string, query: Query = {}) => withQuery(`/${s(org)}/releases`, query),
  release: (org: string, version: string) => `/${s(org)}/releases/${s(version)}`,
  releaseSlower: (org: string, version: string) => `/${s(org)}/releases/${s(version)}/slower`,
  releaseCommits: (org: string, version: string) => `/${s(org)}/releases/${s(version)}/commits`,
  releaseDeploys: (org: string, version: string) => `/${s(org)}/releases/${s(version)}/deploys`,
  releaseArtifacts: (org: string, version: string) => `/${s(org)}/releases/${s(version)}/artifacts`,

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
  alertLogCsv: (org: string, query: Query = {}) => withQuery(`/${s(org)}/alerts/log/csv`, query),
  alertChannels: (org: string) => `/${s(org)}/alerts/channels`,
  newAlertChannel: (org: string, query: Query = {}) => withQuery(`/${s(org)}/alerts/channels/new`, query),
  alertChannel: (org: string, channel: number) => `/${s(org)}/alerts/channels/${s(channel)}`,
  alertMutes: (org: string) => `/${s(org)}/alerts/mutes`,
  quietHours: (org: string) => `/${s(org)}/alerts/quiet-hours`,

  trackers: (org: string) => `/${s(org)}/settings/trackers`,
  newTracker: (org: string, query: Query = {}) => withQuery(`/${s(org)}/settings/trackers/new`, query),
  tracker: (org: string, tracker: number) => `/${s(org)}/settings/trackers/${s(tracker)}`,

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
  agents: (org: string, query: Query = {}) => withQuery(`/${s(org)}/settings/agents`, query),
  signInSettings: (org: string) => `/${s(org)}/settings/sign-in`,
  auditExport: (org: string, format: 'csv' | 'jsonl', query: Query = {}) =>
    withQuery(`/${s(org)}/settings/audit/${format}`, query),
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
  systemSettings: () => '/system/server',
  quarantined: (seq: number) => `/system/quarantine/${s(seq)}`,
  selfTest: () => '/system/self-test',
  selfTestDocument: () => '/system/self-test/document',
  selfTestPageData: () => '/system/self-test/page-data',
  selfTestHandler: () => '/system/self-test/handler',

  /** A page of the handbook, which is no page of the app: a plain link leads there. */
  docs: (slug = '', anchor = '') =>
    `/docs${slug === '' ? '' : `/${slug}`}${anchor === '' ? '' : `#${anchor}`}`,
  /** The section that explains a page of the app. */
  docsOf: (page: string) => withQuery('/docs', { of: page }),

  /** Answers what a page waits for; asked beside the queue of pages. */
  waits: (org: string) => `/${org}/waits`,
  palette: (query: Query = {}) => withQuery('/palette', query),
} as const
