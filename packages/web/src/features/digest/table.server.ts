/** Table of the digest pages. */
import { featureTable } from '#wire/app-tables.ts'
import { loadDigest } from './digest.server.ts'
import { digestFeature } from './feature.ts'

export const digestTable = featureTable({
  routes: digestFeature.routes,
  loaders: {
    digest: loadDigest,
    'digest-number': loadDigest,
  },
  actions: [],
  handlers: [],
})
