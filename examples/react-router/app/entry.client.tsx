import { hydrationIntegration } from '@errata/relay/hydration'
import * as Sentry from '@sentry/react-router'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

const dsn: string | undefined = import.meta.env.VITE_SENTRY_DSN

Sentry.init({
  dsn,
  release: import.meta.env.VITE_RELEASE,
  // The app's own path: ad blockers let it pass. `routes/monitoring.ts` passes it on.
  tunnel: `/monitoring?o=shop&p=${dsn?.split('/').at(-1)}`,
  // The second adds what the server sent and what the browser rendered to a hydration error.
  integrations: [Sentry.reactRouterTracingIntegration(), hydrationIntegration()],
  tracesSampleRate: 1,
})
Sentry.setUser({ id: 'rosa' })

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={Sentry.sentryOnError} />
    </StrictMode>,
  )
})
