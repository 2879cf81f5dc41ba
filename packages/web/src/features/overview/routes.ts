import { pageRoute } from '#wire/route.ts'

export const overviewRoutes = [
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
]
