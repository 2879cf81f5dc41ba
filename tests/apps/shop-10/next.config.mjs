import { withSentryConfig } from '@sentry/nextjs'
import { config, sentry } from './shop.config.mjs'

export default withSentryConfig(config, sentry)
