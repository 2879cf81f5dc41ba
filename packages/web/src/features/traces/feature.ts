import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const tracesFeature = feature({
  routes: [
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
  ],
  places: [
    {
      name: 'Traces',
      path: paths.traces,
      at: 4,
      access: 'trace.read',
      key: 't',
      rail: { group: 'data', icon: 'M2 4h6M5 8h7M9 12h5' },
    },
  ],
})
