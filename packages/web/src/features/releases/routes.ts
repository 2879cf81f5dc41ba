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
  pageRoute({
    id: 'releaseSlower',
    path: '/:org/releases/:version/slower',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseSlowerPage,
  }),
  pageRoute({
    id: 'releaseCommits',
    path: '/:org/releases/:version/commits',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseCommitsPage,
  }),
  pageRoute({
    id: 'releaseDeploys',
    path: '/:org/releases/:version/deploys',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseDeploysPage,
  }),
  pageRoute({
    id: 'releaseArtifacts',
    path: '/:org/releases/:version/artifacts',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseArtifactsPage,
  }),
]
