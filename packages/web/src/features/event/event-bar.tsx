/** Which event is shown, and the way to its neighbours: `[` and `]`. A phone goes to the first and last by the tab of all. */
import type { EventView } from '@errata/server/queries'
import { paths, withQuery } from '#parts/paths.ts'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { buttonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { numberText } from '#ui/number-text.ts'
import { Time, useZone } from '#ui/time.tsx'
import { clockText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation, useNavigate } from '#wire/router.ts'
import { EventIcon, type EventIconName } from './event-icon.tsx'
import { eventPaths } from './paths.ts'

export function EventBar(props: {
  readonly org: string
  readonly issue: string
  readonly project: string
  readonly event: EventView
}) {
  const { org, event } = props
  const { neighbours, row } = event
  const { search } = useLocation()
  const navigate = useNavigate()
  const zone = useZone()
  const kept = Object.fromEntries(new URLSearchParams(search))
  const to = (id: string | null) =>
    id === null || id === row.eventId ? null : withQuery(paths.issueEvent(org, props.issue, id), kept)
  const [first, previous, next, latest] = [
    neighbours.first,
    neighbours.previous,
    neighbours.next,
    neighbours.latest,
  ].map(to)
  const go = (path: string | null | undefined) => {
    if (path) void navigate(path, { preventScrollReset: true })
  }
  useShortcuts([
    { keys: '[', label: 'Previous event', run: () => go(previous) },
    { keys: ']', label: 'Next event', run: () => go(next) },
  ])
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 py-2 text-13">
      <nav
        aria-label="Events"
        className="segmented touch bg-raised max-phone:[&>*]:min-w-11 max-phone:[&>*]:justify-center max-phone:[&>:first-child]:hidden max-phone:[&>:last-child]:hidden max-phone:[&>:nth-child(2)]:border-s-0"
      >
        <Step to={first} icon="first" label="First event" />
        <Step to={previous} icon="chevron-left" label="Previous event" />
        <Step to={next} icon="chevron-right" label="Next event" />
        <Step to={latest} icon="last" label="Latest event" />
      </nav>
      <span className="num">
        <b className="font-strong">{numberText(neighbours.position)}</b>
        <span className="text-ink-3"> of {numberText(neighbours.total)}</span>
      </span>
      <span>
        <Time ms={row.timestampMs} />{' '}
        <span className="num text-ink-3 max-phone:hidden">{clockText(row.timestampMs, zone)}</span>
      </span>
      <span className="flex items-center text-12 text-ink-3 max-phone:hidden">
        <code title={row.eventId}>
          {row.eventId.slice(0, 8)}…{row.eventId.slice(-4)}
        </code>
        <CopyButton text={row.eventId} name="Copy the event ID" />
      </span>
      <a
        href={eventPaths.eventJson(org, props.project, row.eventId)}
        className={buttonClass('quiet', 'small', 'touch ms-auto')}
      >
        JSON
      </a>
    </div>
  )
}

function Step(props: {
  readonly to: string | null | undefined
  readonly icon: EventIconName
  readonly label: string
}) {
  const { to, icon, label } = props
  if (to === null || to === undefined) {
    const why = /First|Previous/.test(label) ? 'This is the first event' : 'This is the latest event'
    return (
      <span aria-disabled="true" title={why} className="cursor-not-allowed text-line-2">
        <EventIcon name={icon} size={14} label={`${label}: ${why}`} />
      </span>
    )
  }
  return (
    <PageLink to={to} prefetch preventScrollReset title={label}>
      <EventIcon name={icon} size={14} label={label} />
    </PageLink>
  )
}
