// Loaded before the app, as the SDK asks for.
import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env.SENTRY_DSN, release: process.env.SENTRY_RELEASE })
