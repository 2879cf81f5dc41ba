/** Table of the skew pages. */
import { featureTable } from '#wire/app-tables.ts'
import { skewFeature } from './feature.ts'
import { loadSkew } from './skew.server.ts'

export const skewTable = featureTable({
  routes: skewFeature.routes,
  loaders: { skew: loadSkew },
  actions: [],
  handlers: [],
})
