import * as Sentry from '@sentry/nuxt'
import { useRuntimeConfig } from '#imports'

const { dsn, release } = useRuntimeConfig().public

Sentry.init({ dsn, release, tracesSampleRate: 1 })
