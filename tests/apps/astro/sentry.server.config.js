import * as Sentry from '@sentry/astro'

Sentry.init({ dsn: __DSN__, release: __RELEASE__, tracesSampleRate: 1 })
