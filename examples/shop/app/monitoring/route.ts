import { relayRoute } from '@errata/relay/next'

export const { POST, OPTIONS } = relayRoute({ dsn: process.env.NEXT_PUBLIC_SENTRY_DSN })
