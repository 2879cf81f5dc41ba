import { relayAction } from '@errata/relay/react-router'

export const action = relayAction({ dsn: process.env.VITE_SENTRY_DSN })
