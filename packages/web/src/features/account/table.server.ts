/** The pages of one's own account. */
import { paths } from '#parts/paths.ts'
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
import { accountFeature } from './feature.ts'
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
  routes: accountFeature.routes,
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
  named: [
    {
      kind: 'setting',
      of: 'account',
      names: ['Name'],
      also: 'profile',
      access: 'signed-in',
      path: paths.account,
    },
    {
      kind: 'setting',
      of: 'account',
      names: ['New password'],
      also: 'change',
      access: 'signed-in',
      path: paths.accountPassword,
    },
    {
      kind: 'setting',
      of: 'account',
      names: ['Passkeys', 'Authenticator app', 'Recovery codes', 'Two-factor authentication'],
      also: '2fa mfa otp security sign-in',
      access: 'signed-in',
      path: paths.accountSecurity,
    },
    {
      kind: 'setting',
      of: 'account',
      names: ['Theme'],
      also: 'dark light mode colours colors appearance',
      access: 'signed-in',
      path: paths.accountTheme,
    },
    {
      kind: 'setting',
      of: 'account',
      names: ['First page after signing in'],
      also: 'landing start home',
      access: 'signed-in',
      path: paths.accountTheme,
    },
    {
      kind: 'setting',
      of: 'account',
      names: ['Email me', 'Inbox', 'Quiet hours'],
      also: 'notifications time zone timezone mute',
      access: 'signed-in',
      path: paths.accountAlerts,
    },
  ],
})
