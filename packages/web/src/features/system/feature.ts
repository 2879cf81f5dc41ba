import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'
import { systemPaths } from './paths.ts'

export const systemFeature = feature({
  routes: [
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
  ],
  places: [
    {
      name: 'System',
      path: paths.system,
      at: 18,
      access: 'operator',
      key: 'y',
      rail: { group: 'house', icon: 'M2.5 2.5h11v4.6h-11Zm0 6.4h11v4.6h-11ZM5 4.8h.01M5 11.2h.01' },
    },
    {
      name: 'Self-test',
      path: systemPaths.selfTest,
      at: 19,
      access: 'operator',
      key: 'x',
    },
  ],
})
