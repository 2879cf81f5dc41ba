import * as Sentry from '@sentry/nextjs'

const dsn = process.env.NEXT_PUBLIC_SENTRY_DSN

Sentry.init({
  dsn,
  // The shop's own path: ad blockers let it pass. `app/monitoring/route.ts` passes it on.
  tunnel: `/monitoring?o=shop&p=${dsn?.split('/').at(-1)}`,
  tracesSampleRate: 1,
})
Sentry.setUser({ id: 'rosa' })

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart
