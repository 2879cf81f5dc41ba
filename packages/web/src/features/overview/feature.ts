import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const overviewFeature = feature({
  routes: [
    pageRoute({
      id: 'overview',
      docs: 'everyday#overview',
      path: '/:org',
      access: 'issue.read',
      file: 'features/overview/overview-view.tsx',
      view: async () => (await import('./overview-view.tsx')).OverviewPage,
    }),
    pageRoute({
      id: 'project-overview',
      docs: 'everyday#overview',
      path: '/:org/projects/:project',
      access: 'issue.read',
      file: 'features/overview/overview-view.tsx',
      view: async () => (await import('./overview-view.tsx')).ProjectOverviewPage,
    }),
  ],
  places: [
    {
      name: 'Overview',
      path: paths.overview,
      covers: /^\/[^/]+\/projects\/(?!new$)[^/]+$/,
      at: 1,
      access: 'issue.read',
      key: 'o',
      rail: { group: 'work', icon: 'M1.5 8.5h3l2-5 3 9 2-4h3' },
    },
  ],
})
