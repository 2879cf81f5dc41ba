/** The pages of one's own account. */
import { featureTable } from '#wire/app-tables.ts'
import {
  changePassword,
  endSession,
  leadToAlerts,
  loadAccountNotices,
  loadPassword,
  loadProfile,
  loadSessions,
  loadTheme,
  setLanding,
  setNoticeMail,
  setOwnQuietHours,
  setProfile,
  setTheme,
  unmuteIssue,
} from './account.server.ts'
import { connectSlack, disconnectApp, disconnectSlack, loadApps, loadConnectSlack } from './apps.server.ts'
import { accountRoutes } from './routes.ts'
import {
  addPasskey,
  beginApp,
  confirmApp,
  createRecoveryCodes,
  loadSecurity,
  offerPasskey,
  removeApp,
  removePasskey,
  renamePasskey,
} from './security.server.ts'

export const accountTable = featureTable({
  routes: accountRoutes,
  loaders: {
    account: loadProfile,
    'account.password': loadPassword,
    'account.security': loadSecurity,
    'account.sessions': loadSessions,
    'account.apps': loadApps,
    'connect-slack': loadConnectSlack,
    'account.theme': loadTheme,
    'account.alerts': loadAccountNotices,
    'account.notices': leadToAlerts,
  },
  actions: [
    ...[setProfile, changePassword, endSession, setTheme, setLanding, setNoticeMail, disconnectApp],
    ...[connectSlack, disconnectSlack, setOwnQuietHours, unmuteIssue],
    ...[
      offerPasskey,
      addPasskey,
      renamePasskey,
      removePasskey,
      beginApp,
      confirmApp,
      removeApp,
      createRecoveryCodes,
    ],
  ],
  handlers: [],
})
