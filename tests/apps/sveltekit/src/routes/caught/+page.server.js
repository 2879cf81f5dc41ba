import * as Sentry from '@sentry/sveltekit'

export async function load() {
  try {
    throw new Error('the offers are missing')
  } catch (cause) {
    Sentry.captureException(cause)
    return { offers: [] }
  }
}
