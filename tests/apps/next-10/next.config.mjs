import { withSentryConfig } from '@sentry/nextjs'

export default withSentryConfig({ outputFileTracingRoot: import.meta.dirname }, { telemetry: false })
