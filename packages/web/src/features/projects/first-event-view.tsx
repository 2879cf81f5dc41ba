import { type ReactNode, useEffect, useState } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { SnippetBox } from '#parts/snippet-box.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Tabs, tab } from '#ui/tabs.tsx'
import { usePageData, useUnread } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation, useRevalidator } from '#wire/router.ts'
import { FirstEventChecks } from './first-event-checks.tsx'
import type { FirstEventData, loadFirstEvent } from './projects.server.ts'
import { relayFor, SNIPPET_TABS, snippetsFor } from './snippets.ts'

const POLL_MS = 2_000
/** Once the first event is there: the other half of the app and its traces follow. */
const POLL_LATER_MS = 5_000
const POLL_LATER_FOR_MS = 30 * 60_000

export function FirstEventView() {
  const view = usePageData<typeof loadFirstEvent>()
  const asked = new URLSearchParams(useLocation().search).get('sdk')
  const platform = SNIPPET_TABS.find(({ id }) => id === (asked ?? view.project.platform))
  const chosen = platform?.id ?? 'javascript-nextjs'
  const { relayUrl, url, dsn } = view
  const relay = new URL(relayUrl, url)
  const input = { dsn: dsn ?? '', url, tunnel: `${relay.pathname}${relay.search}` }
  const relaySteps = relayFor(chosen, input)
  const startedMs = useWaiting(view)
  const isRead = useUnread('arrived') === null
  const here = paths.firstEvent(view.org, view.project.slug)
  return (
    <div className="min-h-[inherit] wide:grid wide:grid-cols-[minmax(0,1fr)_400px]">
      <Page>
        <PageHead
          title={view.firstIssue === null && isRead ? 'Send the first event' : 'Setup guide'}
          crumbs={[
            { text: view.project.name, path: paths.projectSettings(view.org, view.project.slug) },
            { text: 'Set up' },
          ]}
        >
          Any Sentry SDK works unmodified. Set this DSN and deploy. <DocsLink to="first-event" />
        </PageHead>
        <Step number={1} title="Copy the DSN">
          {dsn === null ? <NoKey org={view.org} project={view.project.slug} /> : <Dsn dsn={dsn} />}
        </Step>
        <Step number={2} title="Add it to your app">
          <div className="overflow-hidden rounded-field border">
            <Tabs label="Platform" className="border-b bg-sunken px-4">
              {SNIPPET_TABS.map(({ id, name }) => (
                <PageLink
                  key={id}
                  to={withQuery(here, { sdk: id })}
                  replace
                  preventScrollReset
                  className={tab}
                  aria-current={id === chosen ? 'page' : undefined}
                >
                  {name}
                </PageLink>
              ))}
            </Tabs>
            {snippetsFor(chosen, input).map((snippet) => (
              <SnippetBox key={`${chosen}:${snippet.file}:${snippet.text.length}`} snippet={snippet} />
            ))}
          </div>
          <SnippetNote chosen={chosen} />
        </Step>
        {relaySteps.length === 0 ? null : (
          <Step
            number={3}
            title={
              <>
                Relay <code>/monitoring</code> to Errata{' '}
                <span className="text-12 font-normal text-ink-3">recommended</span>
              </>
            }
          >
            <p className="mb-3 text-13 text-ink-2">
              Without it, ad blockers stop some browsers from reporting. Set <code>tunnel</code> last: before
              the path answers, the browser’s events are lost.{' '}
              <PageLink className="link underline" to={paths.projectRelay(view.org, view.project.slug)}>
                Other frameworks
              </PageLink>
            </p>
            <div className="overflow-hidden rounded-field border">
              {relaySteps.map((snippet) => (
                <SnippetBox key={snippet.file} snippet={snippet} />
              ))}
            </div>
          </Step>
        )}
      </Page>
      <Readable part="arrived" what="What has arrived">
        <FirstEventChecks view={view} startedMs={startedMs} />
      </Readable>
    </div>
  )
}

/** Adds a note for platforms that need no SDK. */
function SnippetNote({ chosen }: { readonly chosen: string }) {
  if (chosen === 'curl')
    return (
      <p className="mt-2 text-13 text-ink-2">
        The answer has the event’s ID. This page shows the event, and the jump box finds it by that ID.
      </p>
    )
  if (chosen === 'javascript-tanstackstart-react')
    return (
      <p className="mt-2 text-13 text-ink-2">
        Leave <code>tunnelRoute</code> out of Sentry’s Vite plugin: with <code>true</code> its path changes
        with each build, and tabs of the previous build lose their events. The relay below keeps its path.
      </p>
    )
  if (chosen !== 'opentelemetry') return null
  return (
    <p className="mt-2 text-13 text-ink-2">
      OpenTelemetry sends traces only. Exceptions appear on their spans; issues and digests need a Sentry SDK.
    </p>
  )
}

/** Asks again while something may still come and somebody looks; answers since when. */
function useWaiting(view: FirstEventData): number {
  const { revalidate, state } = useRevalidator()
  const [startedMs] = useState(view.nowMs)
  const isDone = view.firstIssue !== null
  const isOver = isDone && view.nowMs - startedMs > POLL_LATER_FOR_MS
  // An effect, because it is a timer.
  useEffect(() => {
    if (isOver) return
    const ask = () => {
      if (document.visibilityState === 'visible' && state === 'idle') void revalidate()
    }
    const timer = setInterval(ask, isDone ? POLL_LATER_MS : POLL_MS)
    return () => clearInterval(timer)
  }, [isDone, isOver, revalidate, state])
  return startedMs
}

function Step(props: { readonly number: number; readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <section className="mb-8 grid grid-cols-[24px_minmax(0,1fr)] gap-x-4 gap-y-3 max-phone:gap-x-3">
      <span className="step-number">{props.number}</span>
      <h2 className="text-14 leading-6 font-strong">{props.title}</h2>
      <div className="col-start-2 min-w-0 max-phone:col-span-2 max-phone:col-start-1">{props.children}</div>
    </section>
  )
}

function Dsn({ dsn }: { readonly dsn: string }) {
  return (
    <>
      <div className="copy-row flex items-center gap-2 rounded-field border border-control bg-raised px-3 py-1.5">
        <code className="foreign min-w-0 flex-1 text-12">{dsn}</code>
        <CopyButton text={dsn} name="Copy the DSN" />
      </div>
      <p className="mt-2 text-13 text-ink-2">It can be public: it only sends events and can’t read any.</p>
    </>
  )
}

function NoKey({ org, project }: { readonly org: string; readonly project: string }) {
  const mayWrite = useCan('project.write')
  return (
    <p className="text-13 text-ink-2">
      This project has no active client key.{' '}
      {mayWrite ? (
        <PageLink className="link" to={paths.projectKeys(org, project)}>
          Create or enable one
        </PageLink>
      ) : (
        'An owner or manager can create one.'
      )}
    </p>
  )
}
