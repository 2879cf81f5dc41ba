import * as Sentry from '@sentry/react-router'

Sentry.init({
  dsn: process.env.VITE_SENTRY_DSN,
  release: process.env.VITE_RELEASE,
  tracesSampleRate: 1,
})
