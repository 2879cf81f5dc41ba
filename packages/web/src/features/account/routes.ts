import { pageRoute } from '#wire/route.ts'

export const accountRoutes = [
  pageRoute({
    id: 'account',
    path: '/account',
    access: 'signed-in',
    file: 'features/account/profile-view.tsx',
    view: async () => (await import('./profile-view.tsx')).ProfileView,
  }),
  pageRoute({
    id: 'account.password',
    path: '/account/password',
    access: 'signed-in',
    file: 'features/account/password-view.tsx',
    view: async () => (await import('./password-view.tsx')).PasswordView,
  }),
  pageRoute({
    id: 'account.security',
    path: '/account/security',
    access: 'signed-in',
    file: 'features/account/security-view.tsx',
    view: async () => (await import('./security-view.tsx')).SecurityView,
  }),
  pageRoute({
    id: 'account.sessions',
    path: '/account/sessions',
    access: 'signed-in',
    file: 'features/account/sessions-view.tsx',
    view: async () => (await import('./sessions-view.tsx')).SessionsView,
  }),
  pageRoute({
    id: 'account.apps',
    path: '/account/apps',
    access: 'signed-in',
    file: 'features/account/apps-view.tsx',
    view: async () => (await import('./apps-view.tsx')).AppsView,
  }),
  pageRoute({
    id: 'connect-slack',
    path: '/connect-slack',
    access: 'signed-in',
    frame: 'plain',
    file: 'features/account/connect-slack-view.tsx',
    view: async () => (await import('./connect-slack-view.tsx')).ConnectSlackView,
  }),
  pageRoute({
    id: 'account.theme',
    path: '/account/theme',
    access: 'signed-in',
    file: 'features/account/theme-view.tsx',
    view: async () => (await import('./theme-view.tsx')).ThemeView,
  }),
  pageRoute({
    id: 'account.alerts',
    path: '/account/alerts',
    access: 'signed-in',
    file: 'features/account/notices-view.tsx',
    view: async () => (await import('./notices-view.tsx')).AccountNoticesView,
  }),
  // As emails linked to it once: leads to the one above.
  pageRoute({
    id: 'account.notices',
    path: '/account/notices',
    access: 'signed-in',
    file: 'features/account/notices-view.tsx',
    view: async () => (await import('./notices-view.tsx')).AccountNoticesView,
  }),
]
