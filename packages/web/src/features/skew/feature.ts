import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const skewFeature = feature({
  routes: [
    pageRoute({
      id: 'skew',
      docs: 'skew',
      path: '/:org/skew',
      access: 'trace.read',
      file: 'features/skew/skew-view.tsx',
      view: async () => (await import('./skew-view.tsx')).SkewPage,
    }),
  ],
  places: [
    {
      name: 'Skew',
      path: paths.skew,
      at: 6,
      access: 'trace.read',
      key: 'k',
      rail: { group: 'deploys', icon: 'M2.5 10.5v-8h8v2.5M5.5 5.5h8v8h-8Z' },
    },
  ],
})
