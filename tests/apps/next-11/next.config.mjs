import { withSentryConfig } from '@sentry/nextjs/config'

export default withSentryConfig({ outputFileTracingRoot: import.meta.dirname }, { telemetry: false })
