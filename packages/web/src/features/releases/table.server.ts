/** Releases: what each brought, and what it is made of. */
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
})
