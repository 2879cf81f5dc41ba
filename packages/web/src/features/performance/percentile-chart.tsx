/** p50, p75 and p95 over time, and the 75th percentile of the period before as a line across. */
import { roundUp } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { TimeAxis } from '#ui/time-axis.tsx'
import { alonePath, linePath } from './chart-line.ts'
import { shortDuration } from './figure-cells.tsx'
import type { RouteData } from './performance.server.ts'

const WIDTH = 1_000
const HEIGHT = 110
const LINES = [
  { key: 'p95Ms', name: 'p95', stroke: 'stroke-ink-2', width: 1.5 },
  { key: 'p75Ms', name: 'p75', stroke: 'stroke-ink', width: 2.5 },
  { key: 'p50Ms', name: 'p50', stroke: 'stroke-bar', width: 1.5 },
] as const
/** An hour that stands alone is a dot. */
const ALONE_WIDER = 3
const DAY_MS = 86_400_000

export function PercentileSection({ data }: { readonly data: RouteData }) {
  const { buckets, before } = data
  const [first, second] = buckets
  if (first === undefined || second === undefined) return null
  const stepMs = second.startMs - first.startMs
  const peak = Math.max(...buckets.map(({ p95Ms }) => p95Ms ?? 0), before?.p75Ms ?? 0)
  const top = roundUp(peak)
  const hasBefore = typeof before?.p75Ms === 'number'
  return (
    <Section
      title="Over time"
      note={`per ${stepMs < DAY_MS ? 'hour' : 'day'}${hasBefore ? '; dashed: p75 of the previous period' : ''}`}
      end={<LineKey data={data} />}
    >
      <figure aria-label={`p50, p75 and p95 over time, peak ${shortDuration(peak)}`}>
        <p className="num text-11 text-ink-3" aria-hidden="true">
          {shortDuration(top)}
        </p>
        <Lines data={data} top={top} />
        {/* A point stands at the start of its hour or day, the last one at the end. */}
        <TimeAxis
          startMs={first.startMs}
          endMs={first.startMs + stepMs * (buckets.length - 1)}
          endText="now"
        />
      </figure>
    </Section>
  )
}

function Lines({ data, top }: { readonly data: RouteData; readonly top: number }) {
  const { buckets, before } = data
  const beforeMs = before?.p75Ms ?? null
  const y = beforeMs === null ? null : HEIGHT - (beforeMs / top) * HEIGHT
  return (
    <svg
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block overflow-visible"
    >
      {[0, HEIGHT / 2].map((at) => (
        <line key={at} x1="0" x2={WIDTH} y1={at} y2={at} className="stroke-grid" />
      ))}
      <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-control" />
      {y === null ? null : (
        <line
          x1="0"
          x2={WIDTH}
          y1={y}
          y2={y}
          strokeDasharray="4 4"
          vectorEffect="non-scaling-stroke"
          className="stroke-bar"
        />
      )}
      {LINES.map(({ key, stroke, width }) => {
        const values = buckets.map((bucket) => bucket[key])
        const box = { width: WIDTH, height: HEIGHT, top }
        return (
          <g key={key} fill="none" strokeLinecap="round" strokeLinejoin="round" className={stroke}>
            <path d={linePath(values, box)} strokeWidth={width} vectorEffect="non-scaling-stroke" />
            <path
              d={alonePath(values, box)}
              strokeWidth={width + ALONE_WIDER}
              vectorEffect="non-scaling-stroke"
            />
          </g>
        )
      })}
    </svg>
  )
}

/** Names of the lines with what they are over the whole range. */
function LineKey({ data }: { readonly data: RouteData }) {
  return (
    <span className="num flex flex-wrap gap-x-4 text-12 text-ink-2">
      {LINES.map(({ key, name, stroke, width }) => {
        const ms = data.figures[key]
        return (
          <span key={key} className="inline-flex items-center gap-1.5">
            <svg width="14" height="6" aria-hidden="true">
              <line x1="0" x2="14" y1="3" y2="3" strokeWidth={width} className={stroke} />
            </svg>
            {name} {ms === null ? '–' : shortDuration(ms)}
          </span>
        )
      })}
    </span>
  )
}
