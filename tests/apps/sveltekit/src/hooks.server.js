import * as Sentry from '@sentry/sveltekit'

export const handle = Sentry.sentryHandle()

const plain = Sentry.handleErrorWithSentry()
const own = Sentry.handleErrorWithSentry(() => ({ message: 'Something went wrong' }))

/** SvelteKit's guide: an id that the page shows. */
function withErrorId({ error }) {
  const errorId = crypto.randomUUID()
  Sentry.captureException(error, { extra: { errorId } })
  return { message: 'Something went wrong', errorId }
}

/** As the address says, so that one app has all three. */
export function handleError(input) {
  const how = input.event.url.searchParams.get('how')
  if (how === 'id') return withErrorId(input)
  return how === 'own' ? own(input) : plain(input)
}
