import { pageRoute } from '#wire/route.ts'

export const releasesRoutes = [
  pageRoute({
    id: 'releases',
    path: '/:org/releases',
    access: 'release.read',
    file: 'features/releases/releases-view.tsx',
    view: async () => (await import('./releases-view.tsx')).ReleasesPage,
  }),
  pageRoute({
    id: 'release',
    path: '/:org/releases/:version',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleasePage,
  }),
]
