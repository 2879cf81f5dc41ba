import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { alertsPaths } from '#features/alerts/paths.ts'
import { authPaths } from '#features/auth/paths.ts'
import { eventPaths } from '#features/event/paths.ts'
import { issuesPaths } from '#features/issues/paths.ts'
import { orgSettingsPaths } from '#features/org-settings/paths.ts'
import { overviewPaths } from '#features/overview/paths.ts'
import { releasesPaths } from '#features/releases/paths.ts'
import { systemPaths } from '#features/system/paths.ts'
import type { Feature } from '#parts/feature.ts'
import { paths, withQuery } from '#parts/paths.ts'
import { matchTable } from '#wire/page-at.ts'
import { tableMatcher } from '#wire/table-matcher.ts'
import { handlers, reservedSegments } from './features.server.ts'
import * as features from './features.ts'
import { pages } from './pages.ts'

const EXPECTED = {
  home: ['/', '/'],
  setup: ['/setup', '/setup'],
  signIn: ['/sign-in', '/sign-in'],
  providerConfirm: ['/confirm/provider?next=%2Facme', '/confirm/provider'],
  authorize: ['/oauth/authorize?client_id=a', '/oauth/authorize'],
  signOut: ['/sign-out', '/sign-out'],
  join: ['/join/c%2Fd', '/join/:code'],
  forgot: ['/forgot', '/forgot'],
  secondStep: ['/sign-in/c0de', '/sign-in/:code'],
  confirm: ['/confirm', '/confirm'],
  reset: ['/reset/c%2Fd', '/reset/:code'],
  overview: ['/acme', '/:org'],
  projectOverview: ['/acme/projects/web', '/:org/projects/:project'],
  issues: ['/acme/issues?query=is%3Aunresolved', '/:org/issues'],
  issue: ['/acme/issues/SHOP-1', '/:org/issues/:id'],
  issueTimeline: ['/acme/issues/timeline?sort=freq', '/:org/issues/timeline'],
  issueEvents: ['/acme/issues/SHOP-1/events', '/:org/issues/:id/events'],
  issueEvent: ['/acme/issues/SHOP-1/events/abc', '/:org/issues/:id/events/:eventId'],
  issueActivity: ['/acme/issues/SHOP-1/activity', '/:org/issues/:id/activity'],
  issueSend: ['/acme/issues/SHOP-1/send', '/:org/issues/:id/send'],
  issueChange: ['/acme/issues/SHOP-1/change', '/:org/issues/:id/change'],
  people: ['/acme/people?query=anna', '/:org/people'],
  peopleFound: ['/acme/people-found?query=anna', '/:org/people-found'],
  person: ['/acme/people/id%3A42', '/:org/people/:id'],
  issueMerged: ['/acme/issues/SHOP-1/merged', '/:org/issues/:id/merged'],
  issueSimilar: ['/acme/issues/SHOP-1/similar', '/:org/issues/:id/similar'],
  share: ['/share/c%2Fd', '/share/:token'],
  digest: ['/digest/2674428404', '/digest/:number'],
  outcomes: ['/acme/outcomes', '/:org/outcomes'],
  traces: ['/acme/traces?query=kind%3Aaction', '/:org/traces'],
  trace: ['/acme/traces/c%2Fd?near=1', '/:org/traces/:trace'],
  releases: ['/acme/releases', '/:org/releases'],
  release: ['/acme/releases/web%401.0%2Fx', '/:org/releases/:version'],
  releaseSlower: ['/acme/releases/web%401.0%2Fx/slower', '/:org/releases/:version/slower'],
  releaseCommits: ['/acme/releases/web%401.0%2Fx/commits', '/:org/releases/:version/commits'],
  releaseDeploys: ['/acme/releases/web%401.0%2Fx/deploys', '/:org/releases/:version/deploys'],
  releaseArtifacts: ['/acme/releases/web%401.0%2Fx/artifacts', '/:org/releases/:version/artifacts'],
  performance: ['/acme/performance', '/:org/performance'],
  vitals: ['/acme/performance/vitals', '/:org/performance/vitals'],
  performanceRoute: [
    '/acme/performance/shop/route?route=%2Forders%2F%5Bid%5D',
    '/:org/performance/:project/route',
  ],
  skew: ['/acme/skew', '/:org/skew'],
  alerts: ['/acme/alerts', '/:org/alerts'],
  newAlertRule: ['/acme/alerts/rules/new?kind=metric', '/:org/alerts/rules/new'],
  alertRule: ['/acme/alerts/rules/3', '/:org/alerts/rules/:rule'],
  alertLog: ['/acme/alerts/log?state=failed', '/:org/alerts/log'],
  alertChannels: ['/acme/alerts/channels', '/:org/alerts/channels'],
  newAlertChannel: ['/acme/alerts/channels/new?kind=slack', '/:org/alerts/channels/new'],
  alertChannel: ['/acme/alerts/channels/3', '/:org/alerts/channels/:channel'],
  alertMutes: ['/acme/alerts/mutes', '/:org/alerts/mutes'],
  quietHours: ['/acme/alerts/quiet-hours', '/:org/alerts/quiet-hours'],
  trackers: ['/acme/settings/trackers', '/:org/settings/trackers'],
  newTracker: ['/acme/settings/trackers/new?kind=github', '/:org/settings/trackers/new'],
  tracker: ['/acme/settings/trackers/3', '/:org/settings/trackers/:tracker'],
  projects: ['/acme/projects', '/:org/projects'],
  newProject: ['/acme/projects/new', '/:org/projects/new'],
  firstEvent: ['/acme/projects/shop/setup', '/:org/projects/:project/setup'],
  projectSettings: ['/acme/projects/shop/settings', '/:org/projects/:project/settings'],
  projectKeys: ['/acme/projects/shop/settings/keys', '/:org/projects/:project/settings/keys'],
  projectRelay: ['/acme/projects/shop/settings/relay', '/:org/projects/:project/settings/relay'],
  projectScrubbing: ['/acme/projects/shop/settings/scrubbing', '/:org/projects/:project/settings/scrubbing'],
  projectRetention: ['/acme/projects/shop/settings/retention', '/:org/projects/:project/settings/retention'],
  projectFilters: ['/acme/projects/shop/settings/filters', '/:org/projects/:project/settings/filters'],
  projectOwnership: ['/acme/projects/shop/settings/ownership', '/:org/projects/:project/settings/ownership'],
  projectEnvironments: [
    '/acme/projects/shop/settings/environments',
    '/:org/projects/:project/settings/environments',
  ],
  projectSourceMaps: [
    '/acme/projects/shop/settings/source-maps',
    '/:org/projects/:project/settings/source-maps',
  ],
  projectAlerts: ['/acme/projects/shop/settings/alerts', '/:org/projects/:project/settings/alerts'],
  projectDanger: ['/acme/projects/shop/settings/danger', '/:org/projects/:project/settings/danger'],
  orgSettings: ['/acme/settings', '/:org/settings'],
  members: ['/acme/settings/members', '/:org/settings/members'],
  teams: ['/acme/settings/teams', '/:org/settings/teams'],
  tokens: ['/acme/settings/tokens', '/:org/settings/tokens'],
  agents: ['/acme/settings/agents', '/:org/settings/agents'],
  signInSettings: ['/acme/settings/sign-in', '/:org/settings/sign-in'],
  projectGrouping: ['/acme/projects/shop/settings/grouping', '/:org/projects/:project/settings/grouping'],
  audit: ['/acme/settings/audit', '/:org/settings/audit'],
  auditExport: ['/acme/settings/audit/csv?words=a+b', '/:org/settings/audit/:format'],
  account: ['/account', '/account'],
  accountPassword: ['/account/password', '/account/password'],
  accountSecurity: ['/account/security', '/account/security'],
  accountSessions: ['/account/sessions', '/account/sessions'],
  inbox: ['/inbox', '/inbox'],
  inboxUnread: ['/inbox/unread', '/inbox/unread'],
  accountAlerts: ['/account/alerts', '/account/alerts'],
  accountApps: ['/account/apps', '/account/apps'],
  accountTheme: ['/account/theme', '/account/theme'],
  system: ['/system', '/system'],
  systemSettings: ['/system/server', '/system/server'],
  quarantined: ['/system/quarantine/7', '/system/quarantine/:seq'],
  selfTest: ['/system/self-test', '/system/self-test'],
  selfTestDocument: ['/system/self-test/document', '/system/self-test/document'],
  selfTestPageData: ['/system/self-test/page-data', '/system/self-test/page-data'],
  selfTestHandler: ['/system/self-test/handler', '/system/self-test/handler'],
  palette: ['/palette?q=x', '/palette'],
} as const

const made: Readonly<Record<keyof typeof EXPECTED, string>> = {
  home: paths.home(),
  setup: authPaths.setup(),
  signIn: paths.signIn(),
  authorize: authPaths.authorize({ client_id: 'a' }),
  signOut: authPaths.signOut(),
  join: authPaths.join('c/d'),
  forgot: paths.forgot(),
  secondStep: authPaths.secondStep('c0de'),
  confirm: authPaths.confirm(),
  providerConfirm: authPaths.providerConfirm('/acme'),
  reset: paths.reset('c/d'),
  overview: paths.overview('acme'),
  projectOverview: overviewPaths.projectOverview('acme', 'web'),
  issues: paths.issues('acme', { query: 'is:unresolved', sort: '', cursor: null }),
  issue: paths.issue('acme', 'SHOP-1'),
  issueEvents: paths.issueEvents('acme', 'SHOP-1'),
  issueEvent: paths.issueEvent('acme', 'SHOP-1', 'abc'),
  issueActivity: paths.issueActivity('acme', 'SHOP-1'),
  share: eventPaths.share('c/d'),
  digest: paths.digest('2674428404'),
  outcomes: paths.outcomes('acme'),
  traces: paths.traces('acme', { query: 'kind:action' }),
  trace: paths.trace('acme', 'c/d', { near: 1 }),
  releases: paths.releases('acme'),
  release: paths.release('acme', 'web@1.0/x'),
  releaseSlower: paths.releaseSlower('acme', 'web@1.0/x'),
  releaseCommits: paths.releaseCommits('acme', 'web@1.0/x'),
  releaseDeploys: releasesPaths.releaseDeploys('acme', 'web@1.0/x'),
  releaseArtifacts: releasesPaths.releaseArtifacts('acme', 'web@1.0/x'),
  performance: paths.performance('acme'),
  vitals: paths.vitals('acme'),
  performanceRoute: paths.performanceRoute('acme', 'shop', { route: '/orders/[id]' }),
  skew: paths.skew('acme'),
  alerts: paths.alerts('acme'),
  newAlertRule: paths.newAlertRule('acme', { kind: 'metric' }),
  alertRule: paths.alertRule('acme', 3),
  alertLog: paths.alertLog('acme', { state: 'failed' }),
  alertChannels: paths.alertChannels('acme'),
  newAlertChannel: paths.newAlertChannel('acme', { kind: 'slack' }),
  alertChannel: paths.alertChannel('acme', 3),
  trackers: paths.trackers('acme'),
  newTracker: paths.newTracker('acme', { kind: 'github' }),
  tracker: orgSettingsPaths.tracker('acme', 3),
  alertMutes: alertsPaths.alertMutes('acme'),
  quietHours: alertsPaths.quietHours('acme'),
  projects: paths.projects('acme'),
  newProject: paths.newProject('acme'),
  firstEvent: paths.firstEvent('acme', 'shop'),
  projectSettings: paths.projectSettings('acme', 'shop'),
  projectKeys: paths.projectKeys('acme', 'shop'),
  projectRelay: paths.projectRelay('acme', 'shop'),
  projectScrubbing: paths.projectScrubbing('acme', 'shop'),
  projectRetention: paths.projectRetention('acme', 'shop'),
  projectFilters: paths.projectFilters('acme', 'shop'),
  projectOwnership: paths.projectOwnership('acme', 'shop'),
  projectEnvironments: paths.projectEnvironments('acme', 'shop'),
  projectSourceMaps: paths.projectSourceMaps('acme', 'shop'),
  projectAlerts: paths.projectAlerts('acme', 'shop'),
  projectDanger: paths.projectDanger('acme', 'shop'),
  orgSettings: paths.orgSettings('acme'),
  members: paths.members('acme'),
  teams: paths.teams('acme'),
  tokens: paths.tokens('acme'),
  agents: orgSettingsPaths.agents('acme'),
  signInSettings: paths.signInSettings('acme'),
  projectGrouping: paths.projectGrouping('acme', 'shop'),
  issueSend: eventPaths.issueSend('acme', 'SHOP-1'),
  issueTimeline: issuesPaths.issueTimeline('acme', { sort: 'freq' }),
  issueChange: eventPaths.issueChange('acme', 'SHOP-1'),
  people: paths.people('acme', { query: 'anna' }),
  peopleFound: paths.peopleFound('acme', { query: 'anna' }),
  person: paths.person('acme', 'id:42'),
  issueMerged: paths.issueMerged('acme', 'SHOP-1'),
  issueSimilar: paths.issueSimilar('acme', 'SHOP-1'),
  audit: paths.audit('acme'),
  auditExport: orgSettingsPaths.auditExport('acme', 'csv', { words: 'a b' }),
  account: paths.account(),
  accountPassword: paths.accountPassword(),
  accountSecurity: paths.accountSecurity(),
  accountSessions: paths.accountSessions(),
  inbox: paths.inbox(),
  inboxUnread: paths.inboxUnread(),
  accountAlerts: paths.accountAlerts(),
  accountApps: paths.accountApps(),
  accountTheme: paths.accountTheme(),
  system: paths.system(),
  systemSettings: systemPaths.systemSettings(),
  quarantined: systemPaths.quarantined(7),
  selfTest: systemPaths.selfTest(),
  selfTestDocument: systemPaths.selfTestDocument(),
  selfTestPageData: systemPaths.selfTestPageData(),
  selfTestHandler: systemPaths.selfTestHandler(),
  palette: paths.palette({ q: 'x' }),
}

test('every address is spelt as it always was, and leads to its route', () => {
  for (const [name, [path, pattern]] of Object.entries(EXPECTED)) {
    const own = made[name as keyof typeof EXPECTED] // a key of the same table
    assert.equal(own, path)
    const { pathname } = new URL(own, 'http://errata.test')
    const found = matchTable(handlers, pathname) ?? matchTable(pages, pathname)
    assert.equal(found?.route.path, pattern, name)
  }
})

test('an address is read part by part: the spelt-out pattern first, whatever its case and last slash', () => {
  const table = [
    { path: '*' },
    { path: '/' },
    { path: '/:org/:place' },
    { path: '/:org/issues' },
    { path: '/system/:what' },
  ]
  const at = (pathname: string) => {
    const found = matchTable(table, pathname)
    return [found?.route.path, found?.params]
  }
  assert.deepEqual(at('/'), ['/', {}])
  assert.deepEqual(at('/acme/issues'), ['/:org/issues', { org: 'acme' }])
  assert.deepEqual(at('/acme/Issues//'), ['/:org/issues', { org: 'acme' }])
  assert.deepEqual(at('/system/issues'), ['/:org/issues', { org: 'system' }])
  assert.deepEqual(at('/system/x'), ['/system/:what', { what: 'x' }])
  assert.deepEqual(at('/a%20b/c%2Fd'), ['/:org/:place', { org: 'a b', place: 'c/d' }])
  assert.deepEqual(at('/a/%252F'), ['/:org/:place', { org: 'a', place: '%2F' }])
  assert.deepEqual(at('/%E0%A4%A/x'), ['/:org/:place', { org: '%E0%A4%A', place: 'x' }])
  for (const nowhere of ['//acme/issues', '/acme//', '/acme//issues', '/a/b/c'])
    assert.deepEqual(at(nowhere), ['*', {}], nowhere)
  assert.equal(matchTable(table.slice(1), '/a/b/c'), null)
})

test('looking up by length finds what looking at every pattern finds', () => {
  const segment = fc.constantFrom(
    'acme',
    'issues',
    'settings',
    'SHOP-1',
    'digest',
    'Issues',
    '',
    '%2F',
    '*',
    'a%20b',
    '..',
  )
  const [handlerAt, pageAt] = [tableMatcher(handlers), tableMatcher(pages)]
  const addresses = fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`)
  fc.assert(
    fc.property(addresses, (pathname) => {
      assert.deepEqual(pageAt(pathname), matchTable(pages, pathname))
      assert.deepEqual(handlerAt(pathname), matchTable(handlers, pathname))
    }),
    { numRuns: 500 },
  )
})

test('every page of the table has an address in paths, or a place', () => {
  const places = Object.values<Feature>(features).flatMap((each) => each.places ?? [])
  const placed = places.map(({ path }) => path(':org'))
  const known = new Set<string>([
    ...Object.values(EXPECTED).map(([, pattern]) => pattern),
    ...placed.map((path) => decodeURIComponent(path)),
  ])
  // Old addresses redirect: nothing links to them.
  const unlinked = [
    ...['*', '/digest', '/account/notices'],
    ...['/:org/projects/:project/settings/notices', '/:org/projects/:project/settings/spans'],
    // Others lead there: an answer of a provider, a message in Slack.
    ...['/join-account', '/connect-slack'],
  ]
  const missing = pages.filter(({ path }) => !known.has(path) && !unlinked.includes(path))
  assert.deepEqual(
    missing.map(({ path }) => path),
    [],
  )
})

test('a query leaves out what is absent and repeats lists', () => {
  assert.equal(withQuery('/x', { a: null, b: '', c: ['1', '2'], d: 3 }), '/x?c=1&c=2&d=3')
})

test('no organisation may take the first segment of an address', () => {
  const reserved = reservedSegments()
  for (const segment of [
    'agents',
    'api',
    'assets',
    'mcp',
    '.well-known',
    'monitoring',
    'digest',
    'setup',
    'sign-in',
    'account',
    'system',
  ]) {
    assert.ok(reserved.includes(segment), segment)
  }
})

test('a key behind g leads to one place, and a place has an order of its own', () => {
  const places = Object.values<Feature>(features).flatMap((each) => each.places ?? [])
  const twice = (said: readonly unknown[]) => said.filter((each, at) => said.indexOf(each) !== at)
  assert.deepEqual(twice(places.flatMap(({ key }) => key ?? [])), [])
  assert.deepEqual(twice(places.map(({ at }) => at)), [])
})
