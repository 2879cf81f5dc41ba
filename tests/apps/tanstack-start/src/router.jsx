import * as Sentry from '@sentry/tanstackstart-react'
import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'

export function getRouter() {
  const router = createRouter({ routeTree, defaultErrorComponent: Failed })
  if (!router.isServer) {
    Sentry.init({
      dsn: __DSN__,
      release: __RELEASE__,
      integrations: [Sentry.tanstackRouterBrowserTracingIntegration(router)],
      tracesSampleRate: 1,
    })
  }
  return router
}

function Failed({ error }) {
  return (
    <>
      <h1>Something went wrong</h1>
      <p id="message">{error.message}</p>
    </>
  )
}
