/** Releases: what each brought, and what it is made of. */
import { featureTable } from '#wire/app-tables.ts'
import {
  loadRelease,
  loadReleaseArtifacts,
  loadReleaseCommits,
  loadReleaseDeploys,
  loadReleaseSlower,
} from './release.server.ts'
import { deleteRelease, setReleaseStatus } from './release-actions.server.ts'
import { loadReleases } from './releases.server.ts'
import { releasesRoutes } from './routes.ts'

export const releasesTable = featureTable({
  routes: releasesRoutes,
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
