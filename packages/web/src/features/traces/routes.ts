import { pageRoute } from '#wire/route.ts'

export const tracesRoutes = [
  pageRoute({
    id: 'traces',
    docs: 'traces#search',
    path: '/:org/traces',
    access: 'trace.read',
    file: 'features/traces/traces-view.tsx',
    view: async () => (await import('./traces-view.tsx')).TracesPage,
  }),
  pageRoute({
    id: 'trace',
    docs: 'traces',
    path: '/:org/traces/:trace',
    access: 'trace.read',
    file: 'features/traces/trace-view.tsx',
    view: async () => (await import('./trace-view.tsx')).TracePage,
  }),
]
