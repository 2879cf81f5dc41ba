import * as Sentry from '@sentry/sveltekit'

Sentry.init({ dsn: __DSN__, release: __RELEASE__, tracesSampleRate: 1 })
export const handleError = Sentry.handleErrorWithSentry()
