import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Icon } from '#ui/icons.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { durationText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { TraceData } from './trace.server.ts'

/** Head of a trace: what it was, how long it took, and what failed in it. */
export function TraceHead({ data }: { readonly data: TraceData }) {
  const { head, traceId, org } = data
  const title = head.title === '' ? 'Trace' : head.title
  return (
    <header className="px-6 pt-3 pb-3 max-phone:px-4">
      <title>{`${title} · Trace · Errata`}</title>
      <nav aria-label="Breadcrumbs" className="flex items-center gap-1.5 text-13 text-ink-2">
        <PageLink to={paths.traces(org)} className="hover:text-ink max-phone:-my-3 max-phone:py-3">
          Traces
        </PageLink>
        <Icon name="chevron-right" size={12} />
        <code className="text-12 text-ink-3" title={traceId}>
          {traceId.slice(0, 6)}…{traceId.slice(-4)}
        </code>
        <CopyButton text={traceId} name="Copy the trace ID" />
      </nav>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-ink-2">
        <h1 className="foreign min-w-0 text-20 font-strong text-ink">{title}</h1>
        {head.kind === null ? null : <KindBadge kind={head.kind} />}
        <Slash />
        <p>
          <Summary data={data} />
        </p>
        <Failures data={data} />
        <span className="ms-auto text-12 text-ink-3 max-phone:ms-0">
          <Time ms={data.startMs} form="exact" />
        </span>
      </div>
    </header>
  )
}

function Summary({ data }: { readonly data: TraceData }) {
  const { head, columns, totalMs, projects } = data
  const spans = columns.id.length
  if (spans === 0) return 'no spans'
  const where =
    head.hasBrowser && head.hasServer
      ? 'browser and server'
      : head.hasBrowser
        ? 'browser'
        : head.hasServer
          ? 'server'
          : null
  const parts = [
    quantityText(spans, 'span'),
    where,
    head.requests === 0 ? null : quantityText(head.requests, 'request'),
    projects.length > 1 ? quantityText(projects.length, 'project') : null,
  ]
  return (
    <>
      <b className="num font-strong text-ink">{durationText(totalMs)}</b>,{' '}
      {parts.filter((part) => part !== null).join(', ')}
    </>
  )
}

function Failures({ data }: { readonly data: TraceData }) {
  const { failures, mirrors } = data.head
  if (failures === 0 && mirrors === 0) return null
  const mirrored =
    mirrors === 1 ? 'its browser copy' : quantityText(mirrors, 'browser copy', 'browser copies')
  return (
    <>
      <Slash />
      <p>
        {failures === 0 ? null : (
          <b className="num font-strong text-bad">{quantityText(failures, 'error')}</b>
        )}
        {mirrors === 0
          ? null
          : failures === 0
            ? quantityText(mirrors, 'browser copy', 'browser copies')
            : ` and ${mirrored}`}
      </p>
    </>
  )
}

function Slash() {
  return (
    <span aria-hidden="true" className="text-line-2 max-phone:hidden">
      /
    </span>
  )
}
