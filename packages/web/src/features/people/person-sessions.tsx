/** Activity of a person, session by session, newest first. */
import type { PersonItem } from '@errata/server/queries'
import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { clockText, dateText, durationText, exactText, isoText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { PersonData } from './people.server.ts'
import type { Placed } from './person-axis.tsx'
import { ItemMark, isBadItem, LANES } from './person-marks.tsx'
import type { PersonSession } from './sessions.ts'

export function PersonSessions(props: {
  readonly data: PersonData
  readonly sessions: readonly PersonSession[]
  readonly placed: ReadonlyMap<PersonItem, Placed>
}) {
  const { data, sessions, placed } = props
  return sessions.map((session) => (
    <section key={session.startMs} className="py-3">
      <SessionHead session={session} />
      <ol>
        {session.items.map((item) => (
          <Row key={placed.get(item)?.id} {...{ item, data }} id={placed.get(item)?.id ?? ''} />
        ))}
      </ol>
    </section>
  ))
}

function SessionHead({ session }: { readonly session: PersonSession }) {
  const zone = useZone()
  const { startMs, endMs, items, releases, devices } = session
  const counts = LANES.flatMap(({ kind, name }) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : [`${numberText(count)} ${countName(name, count)}`]
  })
  return (
    <div className="mb-1 flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
      <h3 className="num text-13 font-strong">
        <time dateTime={isoText(startMs)} title={exactText(startMs, zone)}>
          {dateText(startMs, zone)}, {clockText(startMs, zone)}
        </time>
        {endMs - startMs < 1_000 ? '' : `, ${durationText(endMs - startMs)}`}
      </h3>
      <span className="text-12 text-ink-2">{counts.join(', ')}</span>
      <span className="foreign text-12 text-ink-3">
        {[...devices.slice(0, 2), ...releases.slice(0, 2).map(versionOf)].join(' · ')}
        {releases.length > 2 ? `, ${quantityText(releases.length - 2, 'other release')}` : ''}
      </span>
    </div>
  )
}

function countName(name: string, count: number): string {
  const lower = name.toLowerCase()
  return count === 1 && lower.endsWith('s') ? lower.slice(0, -1) : lower
}

function Row(props: { readonly item: PersonItem; readonly id: string; readonly data: PersonData }) {
  const { item, id, data } = props
  const zone = useZone()
  const to = itemPath(item, data.org)
  const project = data.projects[String(item.projectId)]
  return (
    <li
      id={id}
      className="person-row grid min-h-8 scroll-mt-20 grid-cols-[4.5rem_1rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b px-1 text-13 last:border-b-0 target:bg-select max-phone:grid-cols-[1rem_minmax(0,1fr)_auto] max-phone:gap-x-2 max-phone:py-2"
    >
      <time
        dateTime={isoText(item.atMs)}
        title={exactText(item.atMs, zone)}
        className="num text-12 text-ink-3 max-phone:order-3"
      >
        {clockText(item.atMs, zone)}
      </time>
      <span className="flex text-ink-2">
        <ItemMark item={item} />
      </span>
      <span className="flex min-w-0 items-center gap-2 max-phone:flex-wrap max-phone:gap-y-0.5">
        {to === null ? (
          <span className="foreign min-w-0 truncate text-ink-2" title={item.text}>
            {item.text}
          </span>
        ) : (
          <PageLink
            to={to}
            title={item.text}
            className={`foreign min-w-0 truncate hover:underline max-phone:-my-2 max-phone:py-2 ${item.kind === 'error' ? 'font-strong' : ''}`}
          >
            {item.text}
          </PageLink>
        )}
        {item.requestKind === null || item.kind === 'page' ? null : (
          <span className="max-phone:hidden">
            <KindBadge kind={item.requestKind} iconOnly={item.kind === 'error'} />
          </span>
        )}
        {isBadItem(item) && item.kind !== 'error' ? (
          <span className="shrink-0 text-12 text-bad">
            {item.end === 'failed-behind-200' ? 'failed with status 200' : 'failed'}
          </span>
        ) : null}
      </span>
      <span className="flex items-center gap-3 text-12 text-ink-3 max-phone:hidden">
        <span className="num">{item.durationMs === null ? '' : durationText(item.durationMs)}</span>
        <span className="foreign max-w-40 truncate">{project}</span>
      </span>
    </li>
  )
}

function itemPath({ issue, trace, atMs }: PersonItem, org: string): string | null {
  if (issue !== null) return paths.issueEvent(org, issue.shortId, issue.eventId)
  if (trace === null) return null
  return paths.trace(org, trace.traceId, { near: Math.round(atMs), span: trace.spanId })
}
