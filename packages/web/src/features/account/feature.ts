import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const accountFeature = feature({
  routes: [
    pageRoute({
      id: 'account',
      docs: 'account#profile',
      path: '/account',
      access: 'signed-in',
      file: 'features/account/profile-view.tsx',
      view: async () => (await import('./profile-view.tsx')).ProfileView,
    }),
    pageRoute({
      id: 'account.password',
      docs: 'account#password',
      path: '/account/password',
      access: 'signed-in',
      file: 'features/account/password-view.tsx',
      view: async () => (await import('./password-view.tsx')).PasswordView,
    }),
    pageRoute({
      id: 'account.security',
      docs: 'sign-in',
      path: '/account/security',
      access: 'signed-in',
      file: 'features/account/security-view.tsx',
      view: async () => (await import('./security-view.tsx')).SecurityView,
    }),
    pageRoute({
      id: 'account.sessions',
      docs: 'account#sessions',
      path: '/account/sessions',
      access: 'signed-in',
      file: 'features/account/sessions-view.tsx',
      view: async () => (await import('./sessions-view.tsx')).SessionsView,
    }),
    pageRoute({
      id: 'account.apps',
      docs: 'account#connected-apps',
      path: '/account/apps',
      access: 'signed-in',
      file: 'features/account/apps-view.tsx',
      view: async () => (await import('./apps-view.tsx')).AppsView,
    }),
    pageRoute({
      id: 'connect-slack',
      docs: 'chat#slack',
      path: '/connect-slack',
      access: 'signed-in',
      frame: 'plain',
      file: 'features/account/connect-slack-view.tsx',
      view: async () => (await import('./connect-slack-view.tsx')).ConnectSlackView,
    }),
    pageRoute({
      id: 'account.theme',
      docs: 'account#appearance',
      path: '/account/theme',
      access: 'signed-in',
      file: 'features/account/theme-view.tsx',
      view: async () => (await import('./theme-view.tsx')).ThemeView,
    }),
    pageRoute({
      id: 'account.alerts',
      docs: 'account#notifications',
      path: '/account/alerts',
      access: 'signed-in',
      file: 'features/account/notices-view.tsx',
      view: async () => (await import('./notices-view.tsx')).AccountNoticesView,
    }),
    // As emails linked to it once: leads to the one above.
    pageRoute({
      id: 'account.notices',
      docs: 'account#notifications',
      path: '/account/notices',
      access: 'signed-in',
      file: 'features/account/notices-view.tsx',
      view: async () => (await import('./notices-view.tsx')).AccountNoticesView,
    }),
  ],
  places: [
    {
      name: 'Account',
      path: paths.account,
      at: 21,
      access: 'signed-in',
    },
    {
      name: 'Password',
      path: paths.accountPassword,
      at: 22,
      access: 'signed-in',
    },
    {
      name: 'Sessions',
      path: paths.accountSessions,
      at: 23,
      access: 'signed-in',
    },
    {
      name: 'Connected apps',
      path: paths.accountApps,
      at: 24,
      access: 'signed-in',
    },
    {
      name: 'Appearance',
      path: paths.accountTheme,
      at: 25,
      access: 'signed-in',
    },
    {
      name: 'Notifications',
      path: paths.accountAlerts,
      at: 26,
      access: 'signed-in',
    },
  ],
})
