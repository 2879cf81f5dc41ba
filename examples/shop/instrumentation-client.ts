import { hydrationIntegration } from '@errata/relay/hydration'
import * as Sentry from '@sentry/nextjs'

const dsn = process.env.NEXT_PUBLIC_SENTRY_DSN

Sentry.init({
  dsn,
  // The shop's own path: ad blockers let it pass. `app/monitoring/route.ts` passes it on.
  tunnel: `/monitoring?o=shop&p=${dsn?.split('/').at(-1)}`,
  tracesSampleRate: 1,
  // Adds what the server sent and what the browser rendered to a hydration error.
  integrations: [hydrationIntegration()],
})
Sentry.setUser({ id: 'rosa' })

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart
