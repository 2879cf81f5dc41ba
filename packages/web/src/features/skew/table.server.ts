/** Table of the skew pages. */
import { featureTable } from '#wire/app-tables.ts'
import { skewRoutes } from './routes.ts'
import { loadSkew } from './skew.server.ts'

export const skewTable = featureTable({
  routes: skewRoutes,
  loaders: { skew: loadSkew },
  actions: [],
  handlers: [],
})
