/** Rows of a person's entries: what was done in words, and the same again folded below it. */
import type { PersonItem } from '@errata/server/queries'
import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { numberText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { clockText, durationText, exactText, isoText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { PersonData } from './people.server.ts'
import { ItemMark, isBadItem, itemText, laneOf } from './person-marks.tsx'
import type { Placed } from './sessions.ts'

interface RowProps {
  readonly one: Placed
  readonly data: PersonData
  /** Says how often, and shows the others. */
  readonly repeats?: number
}

export function PersonRun(props: {
  readonly run: readonly [Placed, ...Placed[]]
  readonly data: PersonData
}) {
  const { run, data } = props
  const [first, ...others] = run
  return (
    <li className="border-b last:border-b-0">
      <Row one={first} data={data} repeats={run.length} />
      {others.length === 0 ? null : (
        <details className="ps-19 max-phone:ps-6">
          <summary className="link flex min-h-8 items-center text-12 max-phone:min-h-11">
            {numberText(others.length)} more before it
          </summary>
          <ol>
            {others.map((one) => (
              <li key={one.id} className="border-t">
                <Row {...{ one, data }} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}

function Row({ one: { item, id }, data, repeats = 1 }: RowProps) {
  const zone = useZone()
  const to = itemPath(item, data.org)
  const text = itemText(item)
  const project = data.projects[String(item.projectId)]
  return (
    <div
      id={id}
      className="relative grid min-h-8 scroll-mt-20 grid-cols-[4.5rem_1rem_minmax(0,1fr)_auto] items-center gap-x-3 px-1 text-13 hover:bg-hover target:bg-select has-focus-visible:bg-select max-phone:min-h-11 max-phone:grid-cols-[1rem_minmax(0,1fr)_auto] max-phone:gap-x-2 max-phone:py-1"
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
        {item.kind === 'error' ? null : (
          <span className="w-17 shrink-0 text-12 text-ink-3 max-phone:w-auto">{laneOf(item.kind)?.verb}</span>
        )}
        {to === null ? (
          <span className="foreign min-w-0 truncate" title={item.text}>
            {text}
          </span>
        ) : (
          <PageLink
            to={to}
            title={item.text}
            className={`foreign row-link min-w-0 truncate hover:underline max-phone:whitespace-normal ${item.kind === 'error' ? 'font-strong text-bad' : ''}`}
          >
            {text}
          </PageLink>
        )}
        {repeats > 1 ? <span className="chip num shrink-0">×{numberText(repeats)}</span> : null}
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
    </div>
  )
}

/** Returns the page of an error, of the error whose breadcrumbs tell of it, or of a request's trace. */
function itemPath({ issue, trace, atMs }: PersonItem, org: string): string | null {
  if (issue !== null) return paths.issueEvent(org, issue.shortId, issue.eventId)
  if (trace === null) return null
  return paths.trace(org, trace.traceId, { near: Math.round(atMs), span: trace.spanId })
}
