/** Releases: what each brought, and what it is made of. */
import { featureTable } from '#wire/app-tables.ts'
import { deleteRelease, setReleaseStatus } from './release-actions.server.ts'
import { loadRelease, loadReleases } from './releases.server.ts'
import { releasesRoutes } from './routes.ts'

export const releasesTable = featureTable({
  routes: releasesRoutes,
  loaders: { releases: loadReleases, release: loadRelease },
  actions: [setReleaseStatus, deleteRelease],
  handlers: [],
})
