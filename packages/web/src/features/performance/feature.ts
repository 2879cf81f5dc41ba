import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const performanceFeature = feature({
  routes: [
    pageRoute({
      id: 'performance',
      docs: 'traces#request-kinds',
      path: '/:org/performance',
      access: 'trace.read',
      file: 'features/performance/performance-view.tsx',
      view: async () => (await import('./performance-view.tsx')).PerformancePage,
    }),
    pageRoute({
      id: 'performance.vitals',
      docs: 'traces#web-vitals',
      path: '/:org/performance/vitals',
      access: 'trace.read',
      file: 'features/performance/vitals-view.tsx',
      view: async () => (await import('./vitals-view.tsx')).VitalsPage,
    }),
    pageRoute({
      id: 'performance.route',
      docs: 'traces#request-kinds',
      path: '/:org/performance/:project/route',
      access: 'trace.read',
      file: 'features/performance/route-view.tsx',
      view: async () => (await import('./route-view.tsx')).RoutePage,
    }),
  ],
  places: [
    {
      name: 'Performance',
      path: paths.performance,
      at: 3,
      access: 'trace.read',
      key: 'p',
      rail: { group: 'work', icon: 'M2.6 11.5a6 6 0 1 1 10.8 0M8 9.5l2.6-3.2' },
    },
  ],
})
