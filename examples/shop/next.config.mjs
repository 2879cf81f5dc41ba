import { withSentryConfig } from '@sentry/nextjs/config'
import { config, sentry } from './shop.config.mjs'

export default withSentryConfig(config, sentry)
