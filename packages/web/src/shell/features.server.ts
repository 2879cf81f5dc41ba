/** Loaders, actions and handlers of the app, by the ids of `routes.ts`. Never part of the browser's bundle. */
import * as account from '#features/account/account.server.ts'
import * as auth from '#features/auth/auth.server.ts'
import * as authActions from '#features/auth/auth-actions.server.ts'
import { loadDigest } from '#features/digest/digest.server.ts'
import * as event from '#features/event/issue.server.ts'
import { issueHandlers } from '#features/issues/handlers.server.ts'
import * as issueActions from '#features/issues/issue-actions.server.ts'
import { loadIssueList } from '#features/issues/issue-list.server.ts'
import * as orgActions from '#features/org-settings/org-actions.server.ts'
import * as orgSettings from '#features/org-settings/org-settings.server.ts'
import { loadOutcomes, outcomesHandlers } from '#features/outcomes/outcomes.server.ts'
import * as filters from '#features/project-settings/filters.server.ts'
import * as notices from '#features/project-settings/notices.server.ts'
import * as projectActions from '#features/project-settings/project-actions.server.ts'
import * as projectSettings from '#features/project-settings/project-settings.server.ts'
import * as projects from '#features/projects/projects.server.ts'
import * as selfTest from '#features/system/self-test.server.ts'
import * as system from '#features/system/system.server.ts'
import type { HandlerRoute } from '#wire/app-tables.ts'
import type { Action } from '#wire/define-action.ts'
import { type LoaderTable, notFound } from '#wire/loader.ts'
import { loadFrame } from './frame.server.ts'
import { pages } from './pages.ts'
import { answerPalette } from './palette.server.ts'

export const loaders: LoaderTable = {
  frame: loadFrame,
  home: auth.loadHome,
  setup: auth.loadSetup,
  'sign-in': auth.loadSignIn,
  'sign-out': auth.loadSignOut,
  join: auth.loadJoin,
  reset: auth.loadReset,
  issues: loadIssueList,
  digest: loadDigest,
  'digest-number': loadDigest,
  outcomes: loadOutcomes,
  issue: event.loadIssue,
  'issue-event': event.loadIssue,
  'issue-events': event.loadIssueEvents,
  'issue-activity': event.loadIssueActivity,
  projects: projects.loadProjects,
  'projects.new': projects.loadNewProject,
  'projects.first-event': projects.loadFirstEvent,
  'project-settings': projectSettings.loadGeneral,
  'project-settings.keys': projectSettings.loadKeys,
  'project-settings.scrubbing': projectSettings.loadScrubbing,
  'project-settings.filters': filters.loadFilters,
  'project-settings.notices': notices.loadNotices,
  'project-settings.danger': projectSettings.loadDanger,
  'org-settings': orgSettings.loadOrganisation,
  'org-settings.members': orgSettings.loadMembers,
  'org-settings.teams': orgSettings.loadTeams,
  'org-settings.tokens': orgSettings.loadTokens,
  'org-settings.audit': orgSettings.loadAudit,
  system: system.loadSystem,
  'self-test': selfTest.loadSelfTest,
  'self-test.document': selfTest.failDocument,
  'self-test.page-data': selfTest.failPageData,
  account: account.loadProfile,
  'account.password': account.loadPassword,
  'account.sessions': account.loadSessions,
  'account.theme': account.loadTheme,
  'account.notices': account.loadAccountNotices,
  'not-found': async () => notFound(),
}

export const actions: readonly Action[] = [
  authActions.setUp,
  authActions.signIn,
  authActions.signOut,
  authActions.join,
  authActions.joinSignedIn,
  authActions.resetPassword,
  issueActions.changeIssues,
  issueActions.deleteIssues,
  issueActions.commentIssue,
  projects.createProject,
  projects.sendTestEvent,
  account.setProfile,
  account.changePassword,
  account.endSession,
  account.setTheme,
  account.setNoticeMail,
  projectActions.saveProject,
  projectActions.saveScrubbing,
  filters.saveFilters,
  projectActions.deleteProject,
  projectActions.deletePerson,
  projectActions.createKey,
  projectActions.saveKey,
  projectActions.switchKey,
  projectActions.rotateKey,
  projectActions.deleteKey,
  notices.saveNotices,
  notices.saveWebhook,
  notices.renewWebhookSecret,
  notices.removeWebhook,
  notices.testNotice,
  orgActions.renameOrganisation,
  orgActions.createOrganisation,
  orgActions.invite,
  orgActions.revokeInvitation,
  orgActions.setRole,
  orgActions.removeMember,
  orgActions.createTeam,
  orgActions.saveTeam,
  orgActions.deleteTeam,
  orgActions.createToken,
  orgActions.revokeToken,
  system.createResetLink,
  selfTest.failAction,
]

export const handlers: readonly HandlerRoute[] = [
  { path: '/palette', access: 'signed-in', handle: answerPalette },
  ...issueHandlers,
  ...outcomesHandlers,
  { path: '/system/quarantine/:seq', access: 'operator', handle: system.downloadQuarantined },
  { path: '/system/self-test/handler', access: 'operator', handle: selfTest.failHandler },
]

/** First segments of addresses: no organisation's slug may be one of them. */
export function reservedSegments(): readonly string[] {
  const paths = [...pages, ...handlers].map(({ path }) => path.split('/')[1] ?? '')
  const own = paths.filter((segment) => segment !== '' && !segment.startsWith(':') && segment !== '*')
  return [...new Set([...own, ...OTHERS])].sort()
}

/** Answered beside the web app, or kept for what is likely to be. */
const OTHERS = [
  'api',
  'assets',
  'docs',
  'favicon.ico',
  'forgot',
  'health',
  'metrics',
  'monitoring',
  'robots.txt',
] as const
