/** Table of the digest pages. */
import { featureTable } from '#wire/app-tables.ts'
import { loadDigest } from './digest.server.ts'
import { digestRoutes } from './routes.ts'

export const digestTable = featureTable({
  routes: digestRoutes,
  loaders: {
    digest: loadDigest,
    'digest-number': loadDigest,
  },
  actions: [],
  handlers: [],
})
