import { pageRoute } from '#wire/route.ts'

export const releasesRoutes = [
  pageRoute({
    id: 'releases',
    docs: 'everyday#releases-and-health',
    path: '/:org/releases',
    access: 'release.read',
    file: 'features/releases/releases-view.tsx',
    view: async () => (await import('./releases-view.tsx')).ReleasesPage,
  }),
  pageRoute({
    id: 'release',
    docs: 'everyday#releases-and-health',
    path: '/:org/releases/:version',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleasePage,
  }),
  pageRoute({
    id: 'releaseSlower',
    docs: 'everyday#releases-and-health',
    path: '/:org/releases/:version/slower',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseSlowerPage,
  }),
  pageRoute({
    id: 'releaseCommits',
    docs: 'everyday#releases-and-health',
    path: '/:org/releases/:version/commits',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseCommitsPage,
  }),
  pageRoute({
    id: 'releaseDeploys',
    docs: 'skew#what-to-set',
    path: '/:org/releases/:version/deploys',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseDeploysPage,
  }),
  pageRoute({
    id: 'releaseArtifacts',
    docs: 'readable-stacks',
    path: '/:org/releases/:version/artifacts',
    access: 'release.read',
    file: 'features/releases/release-view.tsx',
    view: async () => (await import('./release-view.tsx')).ReleaseArtifactsPage,
  }),
]
