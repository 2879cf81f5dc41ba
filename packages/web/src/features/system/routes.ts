import { pageRoute } from '#wire/route.ts'

export const systemRoutes = [
  pageRoute({
    id: 'system',
    docs: 'operating#the-system-page',
    path: '/system',
    access: 'operator',
    file: 'features/system/system-view.tsx',
    view: async () => (await import('./system-view.tsx')).SystemPage,
  }),
  pageRoute({
    id: 'system.settings',
    docs: 'operating#the-system-page',
    path: '/system/server',
    access: 'operator',
    file: 'features/system/system-settings-view.tsx',
    view: async () => (await import('./system-settings-view.tsx')).SystemSettingsView,
  }),
  pageRoute({
    id: 'self-test',
    docs: 'operating#self-test',
    path: '/system/self-test',
    access: 'operator',
    file: 'features/system/self-test-view.tsx',
    view: async () => (await import('./self-test-view.tsx')).SelfTestView,
  }),
  pageRoute({
    id: 'self-test.document',
    docs: 'operating#self-test',
    path: '/system/self-test/document',
    access: 'operator',
    file: 'features/system/self-test-view.tsx',
    view: async () => (await import('./self-test-view.tsx')).SelfTestView,
  }),
  pageRoute({
    id: 'self-test.page-data',
    docs: 'operating#self-test',
    path: '/system/self-test/page-data',
    access: 'operator',
    file: 'features/system/self-test-view.tsx',
    view: async () => (await import('./self-test-view.tsx')).SelfTestView,
  }),
]
