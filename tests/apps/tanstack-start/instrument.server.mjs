import * as Sentry from '@sentry/tanstackstart-react'

Sentry.init({ dsn: process.env.SENTRY_DSN, release: process.env.SENTRY_RELEASE, tracesSampleRate: 1 })
