import { type ReactNode, useEffect, useState } from 'react'
import { Submit } from '#parts/form-parts.tsx'
import { useFrame } from '#parts/frame-data.ts'
import { paths, withQuery } from '#parts/paths.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useWire } from '#wire/wire-context.ts'
import { systemPaths } from './paths.ts'
import type { loadSelfTest } from './self-test.server.ts'
import { SystemFrame } from './system-page.tsx'

export function SelfTestView() {
  const { after, digest } = usePageData<typeof loadSelfTest>()
  return (
    <SystemFrame title="Self-test">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Each button makes Errata fail in a different way. You see the user’s error page and a link to the
        recorded event. Digests are found within seconds; the same failure is recorded once a minute.
      </p>
      <ul className="border-t">
        <Test what="A page’s loader fails while the document is rendered. The response is a 500 with the digest, even without JavaScript.">
          <a href={systemPaths.selfTestDocument()} className={buttonClass()}>
            Document
          </a>
        </Test>
        <Test what="The same when the page is opened from a link: the request for its data fails.">
          <PageLink to={systemPaths.selfTestPageData()} className={buttonClass()}>
            Page data
          </PageLink>
        </Test>
        <Test what="A form’s action throws on the server.">
          <ActionForm action="self-test.fail">
            <Submit variant="plain">Action</Submit>
          </ActionForm>
        </Test>
        <Test what="An address that isn’t a page throws on the server.">
          <a href={systemPaths.selfTestHandler()} className={buttonClass()}>
            Route handler
          </a>
        </Test>
        <Test what="A component throws while the browser renders it.">
          <BrokenRender />
        </Test>
        <Test what="A promise rejection isn’t handled. Users see nothing, but it is recorded.">
          <Rejection />
        </Test>
        <Test what="The page claims to be from an older build: the server refuses with 409, and the page reloads itself once.">
          <StaleBuild />
          {after === 'stale-build' ? <Reloaded digest={digest} /> : null}
        </Test>
      </ul>
    </SystemFrame>
  )
}

function Test({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <li className="grid grid-cols-[220px_minmax(0,1fr)] items-center gap-4 border-b py-3 max-phone:grid-cols-1 max-phone:gap-2">
      <div className="grid justify-items-start gap-1">{children}</div>
      <p className="text-13 text-ink-2">{what}</p>
    </li>
  )
}

function BrokenRender() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('Self-test: a component fails on purpose while rendering')
  return <Button onClick={() => setBroken(true)}>Rendering in the browser</Button>
}

function Rejection() {
  const { reporter } = useWire()
  const { selfOrg } = useFrame()
  const [eventId, setEventId] = useState<string | null>(null)
  // An effect, because the reporter works outside of React.
  useEffect(() => reporter?.onRecorded((id) => setEventId(id)), [reporter])
  return (
    <>
      <Button
        onClick={() => {
          setEventId(null)
          void Promise.reject(new Error('Self-test: a promise is rejected on purpose'))
        }}
      >
        Unhandled rejection
      </Button>
      {eventId === null ? null : (
        <span role="status" className="text-12 text-ink-2">
          {selfOrg === null ? (
            `Recorded as event ${eventId}`
          ) : (
            <PageLink className="link" to={paths.issues(selfOrg, { query: eventId })}>
              What was recorded
            </PageLink>
          )}
        </span>
      )}
    </>
  )
}

function StaleBuild() {
  const { client } = useWire()
  const run = async () => {
    const stale = client?.asBuild('self-test', (path, error) => {
      window.location.assign(withQuery(path, { after: 'stale-build', digest: error?.digest }))
    })
    await stale?.page(systemPaths.selfTest(), new AbortController().signal)
  }
  return <Button onClick={() => void run()}>Stale build</Button>
}

function Reloaded({ digest }: { readonly digest: string | null }) {
  return (
    <span role="status" className="text-12 text-ink-2">
      The page reloaded itself.{' '}
      {digest === null ? null : (
        <PageLink className="link" to={paths.digest(digest)}>
          What was recorded
        </PageLink>
      )}
    </span>
  )
}
