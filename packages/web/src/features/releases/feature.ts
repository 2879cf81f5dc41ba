import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const releasesFeature = feature({
  routes: [
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
  ],
  places: [
    {
      name: 'Releases',
      path: paths.releases,
      at: 5,
      access: 'release.read',
      key: 'v',
      rail: {
        group: 'deploys',
        icon: 'm8 1.8 5.4 3v6.4l-5.4 3-5.4-3V4.8Zm0 6.2 5.4-3.2M8 8 2.6 4.8M8 8v6.2',
      },
    },
  ],
})
