/** Stands in for the router's instrumentation in the browser's bundle, see `vite.config.ts`. Errata uses none of it. */

export function getRouteInstrumentationUpdates(): object {
  return {}
}

export function instrumentClientSideRouter<R>(router: R): R {
  return router
}

export function instrumentHandler<H>(handler: H): H {
  return handler
}

export function consumeInstrumentationClientResultMetaReceiver(): undefined {
  return undefined
}

export const instrumentationResultMetaContext = undefined
