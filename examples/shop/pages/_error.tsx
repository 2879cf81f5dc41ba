import * as Sentry from '@sentry/nextjs'
import type { NextPageContext } from 'next'

export default function ErrorPage() {
  return (
    <section className="failed">
      <h1>Something went wrong</h1>
      <p>Please try again.</p>
      <a href="/">Back to the shop</a>
    </section>
  )
}

ErrorPage.getInitialProps = async (context: NextPageContext) => {
  await Sentry.captureUnderscoreErrorException(context)
  return {}
}
