/** The error page, letter for letter, where React is there to show it. */
import { useEffect, useState } from 'react'
import { DIGEST_LABEL, errorSentence, LINKS } from './error-text.ts'
import { PageRefusal, ServerFailure } from './failures.ts'
import { useLocation, useRouteError } from './router.ts'
import { useWire } from './wire-context.ts'

/** `recordedPath`: where an event of the browser can be read, by its id; `null` for those who may not. */
export function FailureView(props: { readonly recordedPath: ((eventId: string) => string) | null }) {
  const error = useRouteError()
  const { reporter } = useWire()
  const location = useLocation()
  const answer = error instanceof ServerFailure || error instanceof PageRefusal ? error.answer : null
  const digest = answer?.digest ?? null
  const [eventId, setEventId] = useState<string | null>(null)
  // An effect, because recording is something that happens outside of React.
  useEffect(() => {
    if (reporter === null || answer !== null) return
    reporter.capture(error)
    let isShown = true
    void reporter.eventIdOf(error).then((id) => {
      if (isShown) setEventId(id)
    })
    return () => {
      isShown = false
    }
  }, [reporter, error, answer])
  const own = eventId === null || props.recordedPath === null ? undefined : props.recordedPath(eventId)
  const recorded = answer?.recorded ?? own
  return (
    <main className="failure" tabIndex={-1}>
      <title>Application error</title>
      <h1>{errorSentence(digest)}</h1>
      {digest === null ? null : (
        <p>
          {DIGEST_LABEL} <b className="failure-digest">{digest}</b>
        </p>
      )}
      <nav aria-label="What to do">
        <a href={`${location.pathname}${location.search}`}>{LINKS.reload}</a>
        <a
          href="/"
          onClick={(event) => {
            if (window.history.length <= 1) return
            event.preventDefault()
            window.history.back()
          }}
        >
          {LINKS.back}
        </a>
        {recorded === undefined ? null : <a href={recorded}>{LINKS.recorded}</a>}
      </nav>
    </main>
  )
}
