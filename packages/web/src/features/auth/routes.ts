import { pageRoute } from '#wire/route.ts'

export const authRoutes = [
  pageRoute({
    id: 'home',
    path: '/',
    access: 'anyone',
    frame: 'plain',
    file: 'features/auth/home-view.tsx',
    view: async () => (await import('./home-view.tsx')).HomeView,
  }),
  pageRoute({
    id: 'setup',
    path: '/setup',
    access: 'anyone',
    frame: 'plain',
    file: 'features/auth/setup-view.tsx',
    view: async () => (await import('./setup-view.tsx')).SetupView,
  }),
  pageRoute({
    id: 'sign-in',
    path: '/sign-in',
    access: 'anyone',
    frame: 'plain',
    file: 'features/auth/sign-in-view.tsx',
    view: async () => (await import('./sign-in-view.tsx')).SignInView,
  }),
  pageRoute({
    id: 'sign-out',
    path: '/sign-out',
    access: 'anyone',
    frame: 'plain',
    file: 'features/auth/sign-out-view.tsx',
    view: async () => (await import('./sign-out-view.tsx')).SignOutView,
  }),
  pageRoute({
    id: 'join',
    path: '/join/:code',
    access: 'anyone',
    frame: 'plain',
    file: 'features/auth/join-view.tsx',
    view: async () => (await import('./join-view.tsx')).JoinView,
  }),
  pageRoute({
    id: 'reset',
    path: '/reset/:code',
    access: 'anyone',
    frame: 'plain',
    file: 'features/auth/reset-view.tsx',
    view: async () => (await import('./reset-view.tsx')).ResetView,
  }),
]
