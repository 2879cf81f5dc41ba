import { withSentryConfig } from '@sentry/nextjs/config'

export default withSentryConfig(
  { outputFileTracingRoot: import.meta.dirname },
  // As the SDK's own setup writes it: the frames of React are read, too.
  { telemetry: false, widenClientFileUpload: true },
)
