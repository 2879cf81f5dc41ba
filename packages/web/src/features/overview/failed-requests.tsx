import { chosenQuery } from '#parts/chosen-range.ts'
import { KindBadge } from '#parts/issue-marks.tsx'
import { PageChart } from '#parts/page-chart.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { ChartLegend, flagLegend } from '#ui/charts/legend.tsx'
import { countScale } from '#ui/charts/scales.ts'
import { countText, numberText, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
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
      note={
        <PageLink
          to={paths.performance(org, { project: project?.slug ?? null, range: '24h' })}
          className="hover:underline"
        >{`${numberText(failed)} of ${all}, ${shareText(failed, count)}`}</PageLink>
      }
      end={
        <ChartLegend
          items={[
            { tone: 'server', text: 'failed', value: numberText(failed - failedBehind200) },
            { tone: 'bar-2', text: 'with status 200', value: numberText(failedBehind200) },
            ...flagLegend(data.marks),
          ]}
        />
      }
    >
      <Chart data={data} requests={requests} />
      <KindTable
        kinds={requests.kinds}
        link={(kind) => paths.performance(org, { project: project?.slug ?? null, kind, range: '24h' })}
      />
    </Section>
  )
}

const HEIGHT = 96
/** Finds what the bars count: figures leave out prefetches, and what the browser measures. */
const FAILED_NAVIGATIONS = 'is:failed !kind:prefetch !kind:browser'

function Chart({ data, requests }: { readonly data: OverviewData; readonly requests: Requests }) {
  const { hours, startMs, stepMs, isEstimated } = requests
  const text = (count: number) => countText(count, isEstimated && count > 0 ? 'approximate' : 'exact')
  const { org, project, marks } = data
  const peak = Math.max(0, ...hours.map(({ failed }) => failed))
  const failedIn = (from: number, to: number) =>
    paths.traces(org, {
      ...{ query: FAILED_NAVIGATIONS, project: project?.slug ?? null },
      ...chosenQuery({ startMs: from, endMs: to }),
    })
  return (
    <PageChart
      label={`Failed requests per hour, at most ${numberText(peak)}`}
      x={{ kind: 'time', startMs, stepMs, count: hours.length, endText: 'now', isRunning: true }}
      plots={[
        {
          ...{ height: HEIGHT, y: { ...countScale(peak), text } },
          series: [
            {
              ...{ name: 'failed with status 200', as: 'bar', tone: 'bar-2' },
              values: hours.map(({ behind200 }) => behind200),
            },
            {
              ...{ name: 'failed otherwise', as: 'bar', tone: 'server' },
              values: hours.map(({ failed, behind200 }) => failed - behind200),
            },
          ],
        },
      ]}
      marks={marks}
      rowsOf={(slot) => failedIn(startMs + slot * stepMs, startMs + (slot + 1) * stepMs)}
      rangeTo={({ from, to }) => failedIn(from, to)}
    />
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

/** Least number of additional failures, against the day before, that is red. */
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
