'use client'

import * as Sentry from '@sentry/nextjs'
import { useEffect } from 'react'

export interface FailedProps {
  readonly error: Error & { readonly digest?: string }
}

/** What visitors see: the number is all that Errata needs to find the failure. */
export function Failed({ error }: FailedProps) {
  useEffect(() => void Sentry.captureException(error), [error])
  return (
    <section className="failed">
      <h1>Something went wrong</h1>
      {error.digest === undefined ? (
        <p>Please try again.</p>
      ) : (
        <p>
          Tell us this number, and we’ll find out: <code id="digest">{error.digest}</code>
        </p>
      )}
      <a href="/">Back to the shop</a>
    </section>
  )
}
