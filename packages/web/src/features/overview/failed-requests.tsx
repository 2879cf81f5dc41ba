import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { countText, numberText, roundUp, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { TimeAxis } from '#ui/time-axis.tsx'
import { durationText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { OverviewData } from './overview.server.ts'
import type { KindFigures } from './overview-text.ts'

type Requests = NonNullable<OverviewData['requests']>

/** Failures by the hour and by request kind. */
export function FailedRequests({ data }: { readonly data: OverviewData }) {
  const { requests, org, project } = data
  if (requests === null)
    return (
      <Readable part="requests" what="The requests">
        {null}
      </Readable>
    )
  if (requests.count === 0)
    return (
      <Section title="Failed requests">
        <p className="text-13 text-ink-2">
          No requests were traced in the last 24 hours. To trace them, set tracesSampleRate on the server.
        </p>
      </Section>
    )
  const { count, failed, failedBehind200, isEstimated } = requests
  const all = countText(count, isEstimated ? 'approximate' : 'exact')
  return (
    <Section
      title="Failed requests"
      note={`${numberText(failed)} of ${all}, ${shareText(failed, count)}`}
      end={
        <span className="flex items-center gap-4 text-12 text-ink-2">
          <Legend fill="fill-span-server" text={`failed ${numberText(failed - failedBehind200)}`} />
          <Legend fill="fill-bar-2" text={`with status 200 ${numberText(failedBehind200)}`} />
        </span>
      }
    >
      <Chart requests={requests} />
      <KindTable
        kinds={requests.kinds}
        link={(kind) => paths.performance(org, { project: project?.slug ?? null, kind, range: '24h' })}
      />
    </Section>
  )
}

function Legend({ fill, text }: { readonly fill: string; readonly text: string }) {
  return (
    <span className="num inline-flex items-center gap-1.5">
      <svg width="10" height="10" aria-hidden="true">
        <rect width="10" height="10" className={fill} />
      </svg>
      {text}
    </span>
  )
}

const HEIGHT = 96
const HEAD = 14

function Chart({ requests: { hours, startMs, stepMs } }: { readonly requests: Requests }) {
  const top = roundUp(Math.max(1, ...hours.map(({ failed }) => failed)))
  const lines = top % 2 === 0 ? [top, top / 2] : [top]
  const y = (value: number) => HEAD + HEIGHT - (value / top) * HEIGHT
  const width = 100 / Math.max(1, hours.length)
  return (
    <figure className="pe-14" aria-label={`Failed requests by the hour, at most ${numberText(top)}`}>
      <svg
        width="100%"
        height={HEAD + HEIGHT + 1}
        role="presentation"
        className="num block overflow-visible text-11"
      >
        {lines.map((value) => (
          <g key={value}>
            <line x1="0" x2="100%" y1={y(value) + 0.5} y2={y(value) + 0.5} className="stroke-grid" />
            <text x="100%" dx="8" y={y(value) + 4} className="fill-ink-3">
              {numberText(value)} / h
            </text>
          </g>
        ))}
        {hours.map(({ failed, behind200 }, at) => (
          <HourBar
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its hour
            key={at}
            x={at * width}
            width={width}
            {...{ failed, behind200, y, isRunning: at === hours.length - 1 }}
          />
        ))}
        <line x1="0" x2="100%" y1={HEAD + HEIGHT + 0.5} y2={HEAD + HEIGHT + 0.5} className="stroke-line-2" />
      </svg>
      <TimeAxis startMs={startMs} endMs={startMs + hours.length * stepMs} endText="now" />
    </figure>
  )
}

function HourBar(props: {
  readonly x: number
  readonly width: number
  readonly failed: number
  readonly behind200: number
  readonly isRunning: boolean
  readonly y: (value: number) => number
}) {
  const { x, width, failed, behind200, y } = props
  const place = { x: `${x + 0.25}%`, width: `${width - 0.5}%` }
  return (
    <g className={props.isRunning ? 'opacity-60' : undefined}>
      <title>{`${numberText(failed)} failed, ${numberText(behind200)} of them with status 200`}</title>
      <rect {...place} y={HEAD} height={HEIGHT} className="fill-transparent" />
      <rect {...place} y={y(failed)} height={y(behind200) - y(failed)} className="fill-span-server" />
      <rect {...place} y={y(behind200)} height={y(0) - y(behind200)} className="fill-bar-2" />
    </g>
  )
}

function KindTable(props: {
  readonly kinds: readonly KindFigures[]
  readonly link: (kind: KindFigures['kind']) => string
}) {
  return (
    <div className="table-stacks mt-3">
      <table className="w-full border-collapse text-13">
        <thead>
          <tr className="h-8 text-12 text-ink-3 [&>th]:font-normal">
            <th scope="col" className="text-start">
              Request kind
            </th>
            <th scope="col" className="text-end">
              Requests
            </th>
            <th scope="col" className="text-end">
              Failed
            </th>
            <th scope="col" className="text-end max-phone:hidden">
              Day before
            </th>
            <th scope="col" className="text-end">
              Rate
            </th>
            <th scope="col" className="text-end max-phone:hidden">
              Failed, 200
            </th>
            <th scope="col" className="text-end max-phone:hidden">
              p75
            </th>
            <th scope="col" className="text-end max-phone:hidden">
              Day before
            </th>
          </tr>
        </thead>
        <tbody>
          {props.kinds.map((row) => (
            <KindRow key={row.kind} row={row} to={props.link(row.kind)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** As many failures, and this much more than the day before, are red. */
const FEW = 5

function KindRow({ row: { kind, now, before }, to }: { readonly row: KindFigures; readonly to: string }) {
  const share = now.count === 0 ? 0 : now.failed / now.count
  const shareBefore = before.count === 0 ? 0 : before.failed / before.count
  const isBad = now.failed >= FEW && share > 2 * shareBefore
  const cell = 'num text-end'
  return (
    <tr className="relative h-[30px] border-t hover:bg-hover">
      <td>
        <PageLink to={to} className="row-link">
          <KindBadge kind={kind} />
        </PageLink>
      </td>
      <td className={cell}>{countText(now.count, now.isEstimated ? 'approximate' : 'exact')}</td>
      <td className={`${cell} ${isBad ? 'font-strong text-bad' : ''}`}>{numberText(now.failed)}</td>
      <td className={`${cell} text-ink-3 max-phone:hidden`}>{numberText(before.failed)}</td>
      <td className={`${cell} ${isBad ? 'font-strong text-bad' : ''}`}>
        {now.failed === 0 ? '–' : shareText(now.failed, now.count)}
      </td>
      <td className={`${cell} max-phone:hidden ${now.failedBehind200 === 0 ? 'text-ink-3' : 'font-strong'}`}>
        {numberText(now.failedBehind200)}
      </td>
      <td className={`${cell} max-phone:hidden`}>{now.p75Ms === null ? '–' : durationText(now.p75Ms)}</td>
      <td className={`${cell} text-ink-3 max-phone:hidden`}>
        {before.p75Ms === null ? '–' : durationText(before.p75Ms)}
      </td>
    </tr>
  )
}
