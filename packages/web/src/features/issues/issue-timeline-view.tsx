/** The issue list with a matrix above its rows of its issues over time: what began together stands together. */
import { timeText } from '#parts/chosen-range.ts'
import { titleParts } from '#parts/issue-title.ts'
import { listText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { LiveSparkline } from '#ui/charts/live-sparkline.tsx'
import { readingHead } from '#ui/charts/reading-head.ts'
import { flagsIn, releaseAt } from '#ui/charts/readings.ts'
import { SparkCells } from '#ui/charts/spark-shapes.tsx'
import { TimeAxis } from '#ui/charts/time-axis.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import type { Zone } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadIssueTimeline } from './issue-list.server.ts'
import { IssueListView } from './issue-list-view.tsx'
import { type Begun, begunTogether } from './together.ts'

type TimelineData = Awaited<ReturnType<typeof loadIssueTimeline>>
type Row = TimelineData['list']['rows'][number]
type Drawn = Begun<Row>['rows'][number]

export function IssueTimelineView() {
  const data = usePageData<typeof loadIssueTimeline>()
  return <IssueListView above={<Matrix data={data} />} />
}

const WIDTH = 560
const HEIGHT = 16

function Matrix({ data }: { readonly data: TimelineData }) {
  const zone = useZone()
  const groups = begunTogether(data.list.rows)
  const bars = groups[0]?.rows[0]?.bars
  if (bars === undefined) return null
  const endMs = bars.startMs + bars.counts.length * bars.stepMs
  return (
    <section aria-label="Issues over time" className="border-t px-6 pt-3 pb-4 max-phone:px-4">
      <h2 className="mb-2 text-13 font-strong">
        Issues over time{' '}
        <span className="text-12 font-normal text-ink-3">
          the {quantityText(data.list.rows.length, 'issue')} below in {rangeOf(data.address.range).short}, by
          when they began; each row on its own scale
        </span>
      </h2>
      <table className="w-full border-collapse text-12 max-phone:block">
        <caption className="visually-hidden">Issues by when they began</caption>
        {groups.map(({ slot, rows }) => (
          <tbody key={slot ?? 'before'} className="max-phone:block">
            <tr>
              <th scope="rowgroup" colSpan={3} className="pt-2 pb-1 text-start font-normal text-ink-3">
                <b className={rows.length > 1 && slot !== null ? 'font-strong text-ink' : 'font-normal'}>
                  {headText(slot, rows, zone)}
                </b>
              </th>
            </tr>
            {rows.map((one) => (
              <MatrixRow key={one.row.shortId} drawn={one} data={data} />
            ))}
          </tbody>
        ))}
        <tfoot aria-hidden="true" className="max-phone:hidden">
          <tr>
            <td />
            <td>
              <div className="w-140 max-wide:w-80">
                <TimeAxis startMs={bars.startMs} endMs={endMs} endText="now" />
              </div>
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function headText(slot: number | null, rows: readonly Drawn[], zone: Zone): string {
  const bars = rows[0]?.bars
  if (slot === null || bars === undefined) return 'Began earlier'
  const when = readingHead(bars, slot, zone)
  return rows.length > 1 ? `${rows.length} began together, ${when}` : `Began ${when}`
}

interface RowProps {
  readonly drawn: Drawn
  readonly data: TimelineData
}

function MatrixRow(props: RowProps) {
  const { data } = props
  const { row, bars } = props.drawn
  const zone = useZone()
  const { type, message } = titleParts(row)
  const { startMs, stepMs, counts, peak } = bars
  const sum = counts.reduce((total, count) => total + count, 0)
  const x = { kind: 'time', startMs, stepMs, count: counts.length } as const
  return (
    <tr className="hover:bg-hover max-phone:grid max-phone:grid-cols-[minmax(0,1fr)_auto]">
      <th
        scope="row"
        className="w-full max-w-0 truncate py-0.5 pe-4 text-start font-normal max-phone:col-span-2 max-phone:max-w-none max-phone:pe-0 max-phone:pt-1.5"
      >
        <PageLink
          to={paths.issue(data.org, row.shortId, { list: listText(data.address) })}
          className="foreign hover:underline"
          title={row.title}
        >
          <b className="font-strong">{type}</b> <span className="text-ink-2">{message}</span>
        </PageLink>
      </th>
      <td className="row-cells relative py-0.5">
        <LiveSparkline
          label={`${quantityText(sum, 'event')}, at most ${numberText(peak)} at a time`}
          shape={SparkCells}
          values={counts}
          top={peak}
          width={WIDTH}
          height={HEIGHT}
          startMs={startMs}
          stepMs={stepMs}
          textOf={(slot) => ({
            head: [readingHead(bars, slot, zone), ...flagsIn(data.marks, { x, slot, zone })].join(', '),
            name: row.shortId,
            text: quantityText(counts[slot] ?? 0, 'event'),
          })}
          releaseAt={(slot) => releaseAt(data.marks, startMs + (slot + 1) * stepMs)}
          marksMs={data.marks.map(({ atMs }) => atMs)}
        />
        <CellLinks drawn={props.drawn} data={data} />
      </td>
      <td className="num py-0.5 ps-3 text-end whitespace-nowrap text-ink-2 max-phone:min-w-14">
        {numberText(sum)}
      </td>
    </tr>
  )
}

/** Links over the cells, each to the events that it counts. The title is the row's tab stop: hundreds of cells are none. */
function CellLinks({ drawn: { row, bars }, data }: RowProps) {
  const zone = useZone()
  const share = 100 / bars.counts.length
  return (
    <svg
      width="100%"
      height={HEIGHT}
      role="presentation"
      className="absolute inset-x-0 top-0.5 max-phone:hidden"
    >
      {bars.counts.map((count, slot) => {
        const startMs = bars.startMs + slot * bars.stepMs
        if (count === 0) return null
        return (
          <PageLink
            key={startMs}
            to={paths.issueEvents(data.org, row.shortId, {
              query: `timestamp:>=${timeText(startMs)} timestamp:<${timeText(startMs + bars.stepMs)}`,
            })}
            className="chart-slot"
            tabIndex={-1}
            aria-label={`${row.shortId}, ${readingHead(bars, slot, zone)}: ${quantityText(count, 'event')}`}
          >
            <rect x={`${slot * share}%`} width={`${share}%`} height={HEIGHT} className="fill-transparent" />
          </PageLink>
        )
      })}
    </svg>
  )
}
