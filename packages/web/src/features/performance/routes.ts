import { pageRoute } from '#wire/route.ts'

export const performanceRoutes = [
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
]
