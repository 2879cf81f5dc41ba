/** A route before and after a release: two distributions, percentiles, and what its spans add, with the commit that touched them. */
import { PageChart } from '#parts/page-chart.tsx'
import { paths } from '#parts/paths.ts'
import { commitText, versionOf } from '#parts/release-text.ts'
import type { ChartMark } from '#ui/charts/chart-types.ts'
import { ChartLegend } from '#ui/charts/legend.tsx'
import { slotBounds } from '#ui/charts/readings.ts'
import { valueScale } from '#ui/charts/scales.ts'
import { numberText, quantityText, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { examplesPath } from './example-links.ts'
import { shortDuration } from './figure-cells.tsx'
import { isFew, ratioText } from './figures.ts'
import type { RouteData } from './performance.server.ts'
import { spreadsOf } from './spreads.ts'

type Change = NonNullable<RouteData['releaseChange']>

const HEIGHT = 110
const DAY_MS = 86_400_000
/** An address chooses no longer a time. */
const DAYS_MAX = 91

export function ReleaseChangeSection({ data }: { readonly data: RouteData }) {
  const { releaseChange: change } = data
  if (change === null) return null
  const [now, before] = [versionOf(change.release), versionOf(change.before)]
  return (
    <Section
      title={`Before and after ${now}`}
      note={`compared with ${before}; share of requests by duration, log scale; select a part for its requests`}
      end={
        <ChartLegend
          items={[
            { text: before, tone: 'bar-2', value: numberText(change.was.figures.count) },
            { text: now, tone: 'ink', as: 'line', value: numberText(change.now.figures.count) },
          ]}
        />
      }
    >
      <Distributions data={data} change={change} />
      <Percentiles change={change} org={data.org} />
      <AddedSpans change={change} org={data.org} />
    </Section>
  )
}

function Distributions({ data, change }: { readonly data: RouteData; readonly change: Change }) {
  const spread = spreadsOf(change.was.durations, change.now.durations)
  if (spread === null) return null
  const { fromMs, toMs, was, now } = spread
  const peak = Math.max(...was, ...now)
  const text = (share: number) => shareText(share, 1)
  const x = { kind: 'log', fromMs, toMs, count: was.length } as const
  const { org, address, route, kind, action, project, range } = data
  // What was before is looked for as long before the range as that is.
  const chosen = {
    startMs: Math.max(2 * range.startMs - range.endMs, range.endMs - DAYS_MAX * DAY_MS),
    endMs: range.endMs,
  }
  const requestsIn = (leastMs: number, mostMs: number) =>
    examplesPath(
      org,
      { ...address, release: null, chosen },
      {
        ...{ route, kind, action, project: project.slug, fromMs: leastMs, toMs: mostMs },
        releases: [change.before, change.release],
      },
    )
  const mark = (name: string, ms: number | null): ChartMark[] =>
    ms === null
      ? []
      : [
          {
            atMs: ms,
            kind: 'percentile',
            name: `${name} ${shortDuration(ms)}`,
            label: `${name} ${shortDuration(ms)}`,
          },
        ]
  return (
    <PageChart
      label={`Durations before and after ${change.release}`}
      x={x}
      plots={[
        {
          height: HEIGHT,
          y: valueScale({ base: 0, top: Math.ceil(peak * 20) / 20, text }),
          series: [
            { name: versionOf(change.before), as: 'area', tone: 'bar-2', values: was },
            { name: versionOf(change.release), as: 'line', tone: 'ink', width: 2, values: now },
          ],
        },
      ]}
      marks={[
        ...mark('p75 before', change.was.figures.p75Ms),
        ...mark('p75 after', change.now.figures.p75Ms),
      ]}
      rowsOf={(slot) => requestsIn(...slotBounds(x, slot))}
      rangeTo={({ from, to }) => requestsIn(from, to)}
    />
  )
}

const PERCENTILES = ['p50Ms', 'p75Ms', 'p95Ms', 'p99Ms'] as const

function Percentiles({ change, org }: { readonly change: Change; readonly org: string }) {
  const rows = [
    { side: change.was, version: change.before },
    { side: change.now, version: change.release },
  ]
  return (
    <div className="mt-4">
      <Table caption="Percentiles before and after" stacks="columns" className="[--stack-columns:6]">
        <thead>
          <tr>
            <th scope="col">Release</th>
            <th scope="col" className={tableNum}>
              Requests
            </th>
            {PERCENTILES.map((key) => (
              <th key={key} scope="col" className={tableNum}>
                {key.slice(0, 3)}
              </th>
            ))}
            <th scope="col" className={tableNum}>
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ side: { figures }, version }) => (
            <tr key={version}>
              <th scope="row" className="text-start font-normal">
                <PageLink to={paths.release(org, version)} className="foreign link" title={version}>
                  {versionOf(version)}
                </PageLink>
              </th>
              <td className={tableNum} data-label="Requests">
                {numberText(figures.count)}
              </td>
              {PERCENTILES.map((key) => (
                <td
                  key={key}
                  data-label={key.slice(0, 3)}
                  className={`${tableNum} ${isFew(figures.count) ? 'text-ink-3' : ''}`}
                >
                  {figures[key] === null ? '–' : shortDuration(figures[key])}
                </td>
              ))}
              <td className={tableNum} data-label="Failed">
                {figures.failed === 0 ? '0' : shareText(figures.failed, figures.count)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-2 text-12 text-ink-3">{changeSentence(change)}</p>
    </div>
  )
}

function changeSentence({ change, now, was }: Change): string {
  if (change !== null) return `p75 changed by ${ratioText(change)}, a significant difference.`
  if (isFew(now.figures.count) || isFew(was.figures.count))
    return 'One release has fewer than 30 requests: too few to compare.'
  return 'The difference in p75 is not significant.'
}

function AddedSpans({ change, org }: { readonly change: Change; readonly org: string }) {
  const { spans, now, was } = change
  if (now.sampled === 0 || was.sampled === 0)
    return (
      <p className="mt-4 text-13 text-ink-2">
        Their spans can’t be compared: no trace of{' '}
        {versionOf(now.sampled === 0 ? change.release : change.before)} is kept for this route.
      </p>
    )
  const note = `own time per request, of the newest ${quantityText(now.sampled, 'request')} and ${numberText(was.sampled)} before`
  if (spans.length === 0)
    return <p className="mt-4 text-13 text-ink-2">No span changed by a millisecond or more: {note}.</p>
  return (
    <div className="mt-4">
      <h3 className="mb-2 text-13 font-strong">
        Spans by added time <span className="text-12 font-normal text-ink-3">{note}</span>
      </h3>
      <Table caption="Spans by added time" stacks="columns" className="[--stack-columns:3]">
        <thead>
          <tr>
            <th scope="col">Span</th>
            <th scope="col" className={tableNum}>
              Before
            </th>
            <th scope="col" className={tableNum}>
              After
            </th>
            <th scope="col" className={tableNum}>
              Added
            </th>
            <th scope="col" className="stack-line">
              Most likely
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <SpanRow key={`${span.op} ${span.description}`} span={span} release={change.release} org={org} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

/** From where on added milliseconds are worth a colour. */
const ADDED_MS = 20

function SpanRow(props: {
  readonly span: Change['spans'][number]
  readonly release: string
  readonly org: string
}) {
  const { op, description, nowMs, wasMs, likely } = props.span
  const added = nowMs - wasMs
  return (
    <tr>
      <th scope="row" className="py-1.5 text-start font-normal">
        <b className="font-strong">{op}</b> <code className="foreign text-12 text-ink-2">{description}</code>
      </th>
      <td className={tableNum} data-label="Before">
        {wasMs === 0 ? <span className="text-ink-3">none</span> : shortDuration(wasMs)}
      </td>
      <td className={tableNum} data-label="After">
        {nowMs === 0 ? <span className="text-ink-3">none</span> : shortDuration(nowMs)}
      </td>
      <td className={`${tableNum} font-strong ${added >= ADDED_MS ? 'text-warn' : ''}`} data-label="Added">
        {added > 0 ? '+' : '−'}
        {shortDuration(Math.abs(added))}
      </td>
      <td className={likely === null ? 'stack-none' : 'stack-line'}>
        {likely === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <span title={`touched ${likely.path}`}>
            <PageLink to={paths.releaseCommits(props.org, props.release)} className="link">
              <code className="text-12">{commitText(likely.commit.id)}</code>
            </PageLink>{' '}
            <span className="foreign text-ink-2">{firstLine(likely.commit.message)}</span>
          </span>
        )}
      </td>
    </tr>
  )
}

function firstLine(message: string | null): string {
  return (message ?? '').split('\n')[0]?.slice(0, 80) ?? ''
}
