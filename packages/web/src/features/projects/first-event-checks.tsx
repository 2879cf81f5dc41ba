import type { ReactNode } from 'react'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { spanText } from '#ui/time-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { FirstEventData } from './projects.server.ts'

/** The right column: what was checked, and what has not happened yet. */
export function FirstEventChecks({
  view,
  startedMs,
}: {
  readonly view: FirstEventData
  readonly startedMs: number
}) {
  const { org, key, accepted, refused, leftOut, unsupported, spans } = view
  const refusedCount = refused.reduce((sum, one) => sum + one.quantity, 0)
  return (
    <aside
      className="border-l p-6 max-wide:border-t max-wide:border-l-0 max-phone:p-4"
      aria-label="What has arrived"
    >
      <Arrived view={view} startedMs={startedMs} />
      <ul className="mt-6 border-t">
        <Check state="done" title="Errata’s public address" note={view.url} />
        {key === null ? (
          <Check state="failed" title="Client key is active" note="No active key: nothing can be sent" />
        ) : (
          <Check state="done" title="Client key is active" note={limitText(key.rateLimit)} />
        )}
        <Check
          state={
            accepted + spans > 0 || unsupported.length > 0 ? 'done' : refusedCount > 0 ? 'failed' : 'waiting'
          }
          title="Events reached the key"
          note={`${quantityText(accepted, 'item')} accepted, ${numberText(refusedCount)} refused`}
        >
          {[...refused, ...leftOut].map((one) => (
            <p
              key={one.reason}
              className={`foreign mt-1 text-12 first-letter:uppercase ${refused.includes(one) ? 'text-bad' : 'text-ink-3'}`}
            >
              {`${one.reason}: ${numberText(one.quantity)}`}
              {one.example === null ? '' : ` (${one.example})`}
            </p>
          ))}
          {unsupported.length === 0 ? null : (
            <p className="foreign mt-1 text-12 text-ink-3">{unsupportedText(unsupported)}</p>
          )}
        </Check>
        <Seen
          title="The server reports"
          ms={view.serverSeenMs}
          missing="Not yet. Needed to look up digests"
        />
        <Seen
          title="The browser reports"
          ms={view.browserSeenMs}
          missing="Not yet. Through the relay or directly"
        />
        {spans > 0 ? (
          <Check state="done" title="Traces arrive" note={`${quantityText(spans, 'span')} accepted`} />
        ) : (
          <Check state="waiting" title="Traces arrive" note="Not yet. Set a sample rate to send them" />
        )}
      </ul>
      <Hurry />
      <section className="mt-6 text-13">
        <h3 className="font-strong">No events?</h3>
        <p className="mt-1 text-ink-2">
          Add <code className="text-12">debug: true</code> to <code className="text-12">init</code> and check
          the app’s log. Refused requests are listed above with the reason.
        </p>
        <p className="mt-1">
          <PageLink className="link link-alone" to={paths.outcomes(org, { project: view.project.slug })}>
            See what arrived on Outcomes
          </PageLink>
        </p>
      </section>
    </aside>
  )
}

/** Lists what has arrived, with links; it changes by itself. */
function Arrived({ view, startedMs }: { readonly view: FirstEventData; readonly startedMs: number }) {
  const { firstIssue, org, spans, project } = view
  if (firstIssue !== null)
    return (
      <div role="status">
        <h2 className="flex items-center gap-2 text-15 font-strong">
          <Icon name="check" className="text-good" />
          First event received
        </h2>
        <p className="mt-1 ms-6 text-13 text-ink-2">It was stored and grouped into an issue.</p>
        <PageLink
          to={paths.issueEvent(org, firstIssue.shortId, firstIssue.eventId)}
          className={`${buttonClass('primary')} foreign ms-6 mt-3 h-auto max-w-[calc(100%-1.5rem)] py-1.5 whitespace-normal`}
        >
          {`Open ${firstIssue.shortId}`}
        </PageLink>
        <Latest view={view} />
        <TestEvent view={view} />
      </div>
    )
  const waiting = `Listening for ${waitText(view.nowMs - startedMs)}. It appears here when it arrives.`
  return (
    <div role="status">
      <h2 className="flex items-center gap-2 text-15 font-strong">
        {spans > 0 ? <Icon name="check" className="text-good" /> : <span className="waiting-mark" />}
        {spans > 0 ? 'First trace received' : 'Waiting for the first event'}
      </h2>
      <p className="mt-1 ms-6 text-13 text-ink-2">
        {spans > 0 ? 'No error so far. The first one appears here when it arrives.' : waiting}
      </p>
      {spans > 0 ? (
        <PageLink
          to={paths.traces(org, { project: project.slug })}
          className={`${buttonClass('primary')} ms-6 mt-3`}
        >
          Open traces
        </PageLink>
      ) : null}
      <TestEvent view={view} />
    </div>
  )
}

/** So that a second try is seen to arrive, too. */
function Latest({ view: { org, firstIssue, latestEvent } }: { readonly view: FirstEventData }) {
  if (latestEvent === null || latestEvent.eventId === firstIssue?.eventId) return null
  const { shortId, eventId, title, seenMs } = latestEvent
  return (
    <p className="foreign mt-3 ms-6 text-13 text-ink-2">
      Latest, <Time ms={seenMs} />:{' '}
      <PageLink to={paths.issueEvent(org, shortId, eventId)} className="link">
        {title}
      </PageLink>
    </p>
  )
}

/** It shows that Errata stores and groups; of the app it shows nothing. */
function TestEvent({ view: { org, testEvent, firstIssue } }: { readonly view: FirstEventData }) {
  if (testEvent === null) return null
  return (
    <p className="mt-3 ms-6 text-13 text-ink-2">
      The test event arrived:{' '}
      <PageLink to={paths.issueEvent(org, testEvent.shortId, testEvent.eventId)} className="link">
        {`open ${testEvent.shortId}`}
      </PageLink>
      {firstIssue === null ? '. Your app hasn’t sent anything yet.' : null}
    </p>
  )
}

function Hurry() {
  const mayWrite = useCan('project.write')
  if (!mayWrite) return null
  return (
    <section className="mt-6 text-13">
      <h3 className="font-strong">Send a test event</h3>
      <p className="mt-1 mb-3 text-ink-2">
        Errata can send a failure to itself, marked as a test. It shows what an issue looks like.
      </p>
      <ActionForm action="project.test-event">
        <Submit variant="plain">Send a test event</Submit>
        <FormRefusal />
      </ActionForm>
    </section>
  )
}

type CheckState = 'done' | 'waiting' | 'failed'

function Check(props: {
  readonly state: CheckState
  readonly title: string
  readonly note: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <li className="flex gap-2.5 border-b py-2.5">
      <CheckMark state={props.state} />
      <div className="min-w-0 flex-1 text-13">
        <p>{props.title}</p>
        <p className="foreign text-12 text-ink-2">{props.note}</p>
        {props.children}
      </div>
    </li>
  )
}

function CheckMark({ state }: { readonly state: CheckState }) {
  if (state === 'done') return <Icon name="check" className="mt-0.5 text-good" label="Done" />
  if (state === 'failed') return <Icon name="exclamation" className="mt-0.5 text-bad" label="Failed" />
  return (
    <span
      role="img"
      aria-label="Not yet"
      className="mx-px mt-1 size-3.5 shrink-0 rounded-full border border-dashed border-control"
    />
  )
}

function Seen(props: { readonly title: string; readonly ms: number | null; readonly missing: string }) {
  if (props.ms === null) return <Check state="waiting" title={props.title} note={props.missing} />
  return (
    <Check
      state="done"
      title={props.title}
      note={
        <>
          Last event <Time ms={props.ms} />
        </>
      }
    />
  )
}

/** `1 min 12 s`, as somebody who waits counts. */
function waitText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** `Not supported by this version: 2 log_item, 1 profile`. */
function unsupportedText(unsupported: FirstEventData['unsupported']): string {
  const parts = unsupported.map(({ category, quantity }) => `${numberText(quantity)} ${category}`)
  return `Not supported by this version: ${parts.join(', ')}`
}

function limitText(limit: { readonly window: number; readonly count: number } | null): string {
  return limit === null ? 'No rate limit' : `${numberText(limit.count)} in ${spanText(limit.window * 1_000)}`
}
