/** How many requests took how long, on a log scale: each bar leads to requests that it counts. */
import { numberText, roundUp } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { examplesPath } from './example-links.ts'
import { shortDuration } from './figure-cells.tsx'
import type { Figures } from './figures.ts'
import { placeOn, ticksBetween } from './log-scale.ts'
import type { RouteData } from './performance.server.ts'

/** A line for the name of each percentile. */
const HEAD = 60
const HEIGHT = 120
const TICKS_MAX = 9

export function DurationSection({ data }: { readonly data: RouteData }) {
  const { durations, figures } = data
  const [first, last] = [durations[0], durations.at(-1)]
  if (first === undefined || last === undefined) return null
  const note = `log scale, all ${numberText(figures.count)}${figures.aborted === 0 ? '' : ' except aborted'}; select a bar for examples`
  return (
    <Section title="Duration" note={note} end={<Legend hasFailed={figures.failed > 0} />}>
      <DurationChart data={data} fromMs={first.fromMs} toMs={last.toMs} />
    </Section>
  )
}

function Legend({ hasFailed }: { readonly hasFailed: boolean }) {
  if (!hasFailed) return null
  return (
    <span className="flex items-center gap-3 text-12 text-ink-3">
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="h-2 w-3 bg-bar" /> succeeded
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="h-2 w-3 bg-bad-fill" />
        failed
      </span>
    </span>
  )
}

interface Bounds {
  readonly fromMs: number
  readonly toMs: number
}

function DurationChart({ data, fromMs, toMs }: Bounds & { readonly data: RouteData }) {
  const { durations, figures } = data
  const top = roundUp(Math.max(...durations.map(({ count }) => count)))
  const percent = (ms: number) => placeOn(ms, fromMs, toMs) * 100
  const width = 100 / durations.length
  return (
    <figure aria-label={summaryOf(figures)}>
      <svg width="100%" height={HEAD + HEIGHT + 1} role="presentation" className="block overflow-visible">
        <line x1="0" x2="100%" y1={HEAD + 0.5} y2={HEAD + 0.5} className="stroke-grid" />
        <line
          x1="0"
          x2="100%"
          y1={HEAD + HEIGHT / 2 + 0.5}
          y2={HEAD + HEIGHT / 2 + 0.5}
          className="stroke-grid"
        />
        {durations.map((bucket, at) =>
          bucket.count === 0 ? null : (
            <DurationBar
              key={bucket.fromMs}
              bucket={bucket}
              data={data}
              place={{ x: at * width, width, top }}
            />
          ),
        )}
        <line x1="0" x2="100%" y1={HEAD + HEIGHT + 0.5} y2={HEAD + HEIGHT + 0.5} className="stroke-control" />
        <text x="0" y={HEAD - 5} className="num fill-ink-3 text-11">
          {numberText(top)}
        </text>
        <PercentileMarks figures={figures} percent={percent} />
      </svg>
      <svg width="100%" height="16" aria-hidden="true" className="block overflow-visible">
        {ticksBetween(fromMs, toMs, TICKS_MAX).map((ms) => (
          <text
            key={ms}
            x={`${percent(ms)}%`}
            y="13"
            textAnchor={percent(ms) < 3 ? 'start' : percent(ms) > 97 ? 'end' : 'middle'}
            className="num fill-ink-3 text-11"
          >
            {tickText(ms)}
          </text>
        ))}
      </svg>
    </figure>
  )
}

function DurationBar(props: {
  readonly bucket: RouteData['durations'][number]
  readonly data: RouteData
  /** `top`: how many the whole height stands for. */
  readonly place: { readonly x: number; readonly width: number; readonly top: number }
}) {
  const { bucket, data, place } = props
  const failedText = bucket.failed === 0 ? '' : `, ${numberText(bucket.failed)} failed`
  const text = `${numberText(bucket.count)} took ${shortDuration(bucket.fromMs)} to ${shortDuration(bucket.toMs)}${failedText}`
  const heightOf = (count: number) => Math.max(1, (count / place.top) * HEIGHT)
  const part = (count: number, className: string) => (
    <rect
      x={`${place.x + place.width * 0.02}%`}
      y={HEAD + HEIGHT - heightOf(count)}
      width={`${place.width * 0.96}%`}
      height={heightOf(count)}
      className={className}
    />
  )
  const bar = (
    <>
      {part(bucket.count, 'fill-bar group-hover:fill-span-server group-focus-visible:fill-accent')}
      {bucket.failed === 0 ? null : part(bucket.failed, 'fill-bad-fill')}
      <rect
        x={`${place.x}%`}
        y={HEAD}
        width={`${place.width}%`}
        height={HEIGHT}
        className="fill-transparent"
      />
      <title>{text}</title>
    </>
  )
  const { fromMs, toMs } = bucket
  const { route, kind, action } = data
  const of = { route, kind, action, project: data.project.slug, fromMs, toMs }
  const to = examplesPath(data.org, data.address, of)
  if (to === null) return <g>{bar}</g>
  return (
    <PageLink to={to} className="group" aria-label={text}>
      {bar}
    </PageLink>
  )
}

const MARKS = [
  { key: 'p50Ms', name: 'p50' },
  { key: 'p75Ms', name: 'p75' },
  { key: 'p95Ms', name: 'p95' },
  { key: 'p99Ms', name: 'p99' },
] as const
const LABEL_PERCENT = 14

/** Each name has a line of its own, so that percentiles close to each other stay readable. */
function PercentileMarks(props: { readonly figures: Figures; readonly percent: (ms: number) => number }) {
  return MARKS.map(({ key, name }, at) => {
    const ms = props.figures[key]
    if (ms === null) return null
    const x = props.percent(ms)
    const isEnd = x > 100 - LABEL_PERCENT
    const line = 10 + at * 13
    return (
      <g key={key} className="pointer-events-none">
        <line x1={`${x}%`} x2={`${x}%`} y1={line - 8} y2={HEAD + HEIGHT} className="stroke-ink-2" />
        <text
          x={`${x}%`}
          y={line}
          dx={isEnd ? -4 : 4}
          textAnchor={isEnd ? 'end' : 'start'}
          className="num fill-ink-2 stroke-canvas text-11 [paint-order:stroke] [stroke-width:3px]"
        >
          {name} {shortDuration(ms)}
        </text>
      </g>
    )
  })
}

function summaryOf({ p50Ms, p75Ms, p95Ms, p99Ms }: Figures): string {
  const text = (ms: number | null) => (ms === null ? 'unknown' : shortDuration(ms))
  return `Durations: p50 ${text(p50Ms)}, p75 ${text(p75Ms)}, p95 ${text(p95Ms)}, p99 ${text(p99Ms)}`
}

function tickText(ms: number): string {
  const text = (value: number) => String(Number(value.toPrecision(4)))
  return ms >= 1_000 ? `${text(ms / 1_000)} s` : `${text(ms)} ms`
}
