/** Releases: what each brought, and what it is made of. */
import { paths } from '#parts/paths.ts'
import { featureTable } from '#wire/app-tables.ts'
import { releasesFeature } from './feature.ts'
import {
  loadRelease,
  loadReleaseArtifacts,
  loadReleaseCommits,
  loadReleaseDeploys,
  loadReleaseSlower,
} from './release.server.ts'
import { deleteRelease, setReleaseStatus } from './release-actions.server.ts'
import { loadReleases } from './releases.server.ts'

export const releasesTable = featureTable({
  routes: releasesFeature.routes,
  loaders: {
    releases: loadReleases,
    release: loadRelease,
    releaseSlower: loadReleaseSlower,
    releaseCommits: loadReleaseCommits,
    releaseDeploys: loadReleaseDeploys,
    releaseArtifacts: loadReleaseArtifacts,
  },
  actions: [setReleaseStatus, deleteRelease],
  handlers: [],
  named: [
    {
      kind: 'page',
      of: 'organisation',
      names: ['Regressions by release'],
      also: 'what got slower since yesterday’s yesterday release deploy new compare with before',
      access: 'release.read',
      path: (org) => paths.releases(org),
    },
  ],
})
