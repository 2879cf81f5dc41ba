/** The chosen span beside the waterfall: its errors, times, request and attributes. */
import { Fragment } from 'react'
import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { versionOf } from '#parts/release-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { DigestChip } from '#ui/digest-chip.tsx'
import { quantityText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { durationText } from '#ui/time-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { Chosen } from './chosen.ts'
import { RequestEndText } from './request-end.tsx'
import type { SpanDetails } from './span-details.ts'
import type { TraceData } from './trace.server.ts'
import type { SpanAnswer } from './use-span.ts'

export function SpanPanel(props: {
  readonly data: TraceData
  readonly chosen: Chosen
  readonly answer: SpanAnswer
}) {
  const { data, chosen, answer } = props
  const errors = data.errors.filter(({ spanId }, at) =>
    chosen.error === null ? spanId !== null && spanId === chosen.spanId : at === chosen.error,
  )
  return (
    <>
      {errors.map((error) => (
        <ErrorFacts key={error.eventId} org={data.org} error={error} />
      ))}
      {answer.state === 'there' ? <Details data={data} details={answer.details} /> : null}
      {answer.state === 'loading' ? (
        <p role="status" className="py-4 text-13 text-ink-3">
          Loading…
        </p>
      ) : null}
      {answer.state === 'failed' ? (
        <p role="alert" className="py-4 text-13 text-bad">
          The span could not be loaded. Reload the page to try again.
        </p>
      ) : null}
      {answer.state === 'none' && errors.length === 0 ? (
        <p className="py-4 text-13 text-ink-3">Select a span to see its details.</p>
      ) : null}
    </>
  )
}

function ErrorFacts({ org, error }: { readonly org: string; readonly error: TraceData['errors'][number] }) {
  const { isMirror, shortId, eventId, digest } = error
  return (
    <section aria-label={isMirror ? 'Browser copy' : 'Error'} className="border-b py-4">
      <h2 className="flex items-center gap-2 text-12 font-strong">
        <svg width="10" height="10" aria-hidden="true" className="shrink-0">
          {isMirror ? (
            <circle cx="5" cy="5" r="3.5" fill="none" strokeWidth="1.5" className="stroke-bad-fill" />
          ) : (
            <circle cx="5" cy="5" r="4" className="fill-bad-fill" />
          )}
        </svg>
        {isMirror ? 'Browser copy of a server error' : 'Error'}
      </h2>
      <p className="foreign mt-1.5 line-clamp-4 text-13">{visibleText(error.title)}</p>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-2 text-13">
        <PageLink className="link max-phone:leading-11" to={paths.issueEvent(org, shortId, eventId)}>
          {shortId}
        </PageLink>
        {digest === null ? null : (
          <DigestChip digest={digest}>
            <PageLink className="hover:underline" to={paths.digest(digest)}>
              {digest}
            </PageLink>
          </DigestChip>
        )}
      </p>
    </section>
  )
}

function Details({ data, details }: { readonly data: TraceData; readonly details: SpanDetails }) {
  const { columns } = data
  const startMs = columns.startMs[columns.id.indexOf(details.id)] ?? 0
  return (
    <>
      <section aria-label="Span" className="border-b py-4">
        <h2 className="foreign text-13 font-strong">{details.op}</h2>
        <p className="foreign mt-0.5 mb-3 line-clamp-6 text-13 text-ink-2">{visibleText(details.name)}</p>
        <Facts>
          <Fact term="Started">
            <span className="num">{startMs === 0 ? 'first' : durationText(startMs)}</span>
            {startMs === 0 ? '' : <span className="text-ink-3"> into the trace</span>}
          </Fact>
          <Fact term="Duration">
            <span className="num">{durationText(details.tookMs)}</span>
            {details.isCritical ? <span className="text-ink-3">, on the critical path</span> : null}
          </Fact>
          {details.hasChildren ? (
            <Fact term="Own time">
              <span className="num">{durationText(details.ownMs)}</span>
              <span className="text-ink-3"> without child spans</span>
            </Fact>
          ) : null}
          {details.status === 'ok' || details.status === '' ? null : (
            <Fact term="Span status">
              <span className="foreign">{details.status}</span>
            </Fact>
          )}
          {data.projects.length > 1 ? <Fact term="Project">{details.project}</Fact> : null}
          <RequestFacts data={data} details={details} />
        </Facts>
        {details.isSampledOut ? (
          <p className="mt-3 text-12 text-ink-3">
            The project’s sample rate dropped the spans of this request. The request is still counted.
          </p>
        ) : null}
      </section>
      <Inside details={details} />
      <Vitals vitals={details.vitals} />
      <Attributes details={details} />
      <Links org={data.org} links={details.links} />
    </>
  )
}

function RequestFacts({ data, details }: { readonly data: TraceData; readonly details: SpanDetails }) {
  const { org } = data
  const { request } = details
  if (request === null) return null
  return (
    <>
      {request.requestKind === 'other' ? null : (
        <Fact term="Request">
          <KindBadge kind={request.requestKind} />
          {request.method === null ? null : <span className="ms-2 text-ink-2">{request.method}</span>}
        </Fact>
      )}
      {request.end === null && request.httpStatus === null ? null : (
        <Fact term="Status">
          <RequestEndText end={request.end} httpStatus={request.httpStatus} />
          {request.end === 'failed-behind-200' ? (
            <span className="text-ink-3">, failed with status 200</span>
          ) : null}
        </Fact>
      )}
      {request.action === null ? null : (
        <Fact term="Action">
          <code className="foreign text-12" title={request.actionId ?? undefined}>
            {request.action}
          </code>
        </Fact>
      )}
      {request.route === null ? null : (
        <Fact term="Route">
          <RouteOf data={data} project={details.project} route={request.route} kind={request.requestKind} />
        </Fact>
      )}
      {request.release === null ? null : (
        <Fact term="Release">
          <PageLink className="link foreign" to={paths.release(org, request.release)} title={request.release}>
            {versionOf(request.release)}
          </PageLink>
        </Fact>
      )}
      {request.environment === null ? null : (
        <Fact term="Environment">
          <span className="foreign">{request.environment}</span>
        </Fact>
      )}
      {request.user === null ? null : (
        <Fact term="User">
          <PageLink className="link foreign" to={paths.person(org, request.user)} title="Open this person">
            {nameParts(request.user).name}
          </PageLink>
        </Fact>
      )}
    </>
  )
}

/** Shows a route, linked to its figures if it has any. */
function RouteOf(props: {
  readonly data: TraceData
  readonly project: string
  readonly route: string
  readonly kind: string
}) {
  const { data, project, route, kind } = props
  const code = <code className="foreign text-12">{route}</code>
  if (kind === 'other' || project === '') return code
  return (
    <PageLink
      className="link"
      to={paths.performanceRoute(data.org, project, { route, kind, range: data.range })}
      title="Performance of the route"
    >
      {code}
    </PageLink>
  )
}

function Inside({ details: { inside, repeated } }: { readonly details: SpanDetails }) {
  if (inside === null && repeated.length === 0) return null
  const { queries, calls } = inside ?? { queries: { count: 0, ms: 0 }, calls: { count: 0, ms: 0 } }
  if (queries.count === 0 && calls.count === 0 && repeated.length === 0) return null
  return (
    <SideSection title="Child spans">
      <Facts>
        {queries.count === 0 ? null : (
          <Fact term="Database">
            <span className="num">
              {quantityText(queries.count, 'query', 'queries')}, {durationText(queries.ms)}
            </span>
          </Fact>
        )}
        {calls.count === 0 ? null : (
          <Fact term="Outgoing">
            <span className="num">
              {quantityText(calls.count, 'call')}, {durationText(calls.ms)}
            </span>
          </Fact>
        )}
        {repeated.map((statement) => (
          <Fact key={statement} term={<span className="font-strong text-warn">N+1</span>}>
            <code className="foreign text-12">{visibleText(statement)}</code>
          </Fact>
        ))}
      </Facts>
    </SideSection>
  )
}

function Vitals({ vitals }: { readonly vitals: SpanDetails['vitals'] }) {
  const known = Object.entries(vitals)
  if (known.length === 0) return null
  return (
    <SideSection title="Web vitals">
      <Facts>
        {known.map(([name, value]) => (
          <Fact key={name} term={name.toUpperCase()}>
            <span className="num">{name === 'cls' ? value.toFixed(3) : durationText(value)}</span>
          </Fact>
        ))}
      </Facts>
    </SideSection>
  )
}

function Attributes({ details }: { readonly details: SpanDetails }) {
  const { attributes, origin } = details
  const all = origin === null ? attributes : [...attributes, ['origin', origin] as const]
  if (all.length === 0) return null
  return (
    <SideSection
      title="Attributes"
      note={
        <CopyButton
          text={JSON.stringify(Object.fromEntries(all), null, 2)}
          name="Copy all attributes as JSON"
        />
      }
    >
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-1.5 font-mono text-12">
        {all.map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="foreign text-ink-3">
              <DottedName name={name} />
            </dt>
            <dd className="group/copy flex min-w-0 items-start gap-1">
              <span className="foreign line-clamp-6 min-w-0 flex-1">{visibleText(text)}</span>
              <span className="-my-1 shrink-0 opacity-0 group-focus-within/copy:opacity-100 group-hover/copy:opacity-100 max-wide:opacity-100">
                <CopyButton text={text} name={`Copy ${name}`} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </SideSection>
  )
}

/** Breaks behind a dot before it breaks within a word. */
function DottedName({ name }: { readonly name: string }) {
  return name.split(/(?<=\.)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name stand in their order
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
}

function Links({ org, links }: { readonly org: string; readonly links: SpanDetails['links'] }) {
  if (links.length === 0) return null
  return (
    <SideSection title="Links">
      <ul className="grid gap-1.5 font-mono text-12">
        {links.map(({ traceId, spanId }) => (
          <li key={`${traceId} ${spanId}`} className="truncate">
            <PageLink
              className="link max-phone:leading-11"
              to={paths.trace(org, traceId, { span: spanId })}
              title={`Span ${spanId} of trace ${traceId}`}
            >
              {traceId}
            </PageLink>
          </li>
        ))}
      </ul>
    </SideSection>
  )
}
