import * as Sentry from '@sentry/nuxt'

export default defineEventHandler(() => {
  try {
    throw new Error('the offers are missing')
  } catch (cause) {
    Sentry.captureException(cause)
    return []
  }
})
