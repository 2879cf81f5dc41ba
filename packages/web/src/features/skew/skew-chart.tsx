/** Failed clicks hour by hour since the deploy, by what failed, and when half of them were over. */
import { axisLine, CHART_HEAD, CHART_HEIGHT } from '#ui/axis-line.ts'
import { numberText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { TimeAxis } from '#ui/time-axis.tsx'
import { exactText, stepText } from '#ui/time-text.ts'
import { type DeployDetail, longText } from './skew-text.ts'

const PARTS = [
  { key: 'action', label: 'unknown action', fill: 'fill-span-server', dot: 'bg-span-server' },
  { key: 'files', label: 'missing file', fill: 'fill-bar-2', dot: 'bg-bar-2' },
  { key: 'pageData', label: 'page data', fill: 'fill-bar', dot: 'bg-bar' },
] as const

type Hour = DeployDetail['hours'][number]
const sumOf = ({ action, files, pageData }: Hour) => action + files + pageData

export function SkewChart({ deploy }: { readonly deploy: DeployDetail }) {
  const { hours, widthMs, halfLifeMs, atMs } = deploy
  const peak = Math.max(1, ...hours.map(sumOf))
  const line = axisLine(peak)
  const startMs = hours[0]?.startMs ?? atMs
  const halfPercent =
    halfLifeMs === null ? null : ((atMs + halfLifeMs - startMs) / (hours.length * widthMs)) * 100
  const shown = PARTS.filter(({ key }) => hours.some((hour) => hour[key] > 0))
  return (
    <section aria-label="Failed clicks in stale tabs" className="py-5">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-13 font-strong">Failed clicks in stale tabs</h2>
        <span className="text-12 text-ink-3">per {stepText(widthMs)} since the deploy</span>
        <ul className="ms-auto flex flex-wrap gap-x-4 text-12 text-ink-2 max-phone:ms-0">
          {shown.map(({ key, label, dot }) => (
            <li key={key} className="inline-flex items-center gap-1.5">
              <span aria-hidden="true" className={`h-2 w-3 ${dot}`} />
              {label}{' '}
              <span className="num font-strong">
                {numberText(hours.reduce((sum, hour) => sum + hour[key], 0))}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <figure aria-label={`Failed clicks per ${stepText(widthMs)}, peak ${numberText(peak)}`}>
        <svg
          width="100%"
          height={CHART_HEAD + CHART_HEIGHT + 1}
          role="presentation"
          className="block overflow-visible"
        >
          <line x1="0" x2="100%" y1={line.y} y2={line.y} className="stroke-grid" />
          {hours.map((hour, index) => (
            <Bar key={hour.startMs} hour={hour} share={100 / hours.length} index={index} top={line.top} />
          ))}
          <line
            x1="0"
            x2="100%"
            y1={CHART_HEAD + CHART_HEIGHT + 0.5}
            y2={CHART_HEAD + CHART_HEIGHT + 0.5}
            className="stroke-control"
          />
          {halfPercent === null || halfPercent > 100 ? null : (
            <HalfLife deploy={deploy} percent={halfPercent} />
          )}
          <text
            x="100%"
            y={line.textY}
            textAnchor="end"
            className="num stroke-canvas fill-ink-3 text-11 [paint-order:stroke] [stroke-width:3px]"
          >
            {numberText(line.value)} per {stepText(widthMs)}
          </text>
        </svg>
        <Axis hours={hours} widthMs={widthMs} />
      </figure>
    </section>
  )
}

function Bar(props: {
  readonly hour: Hour
  readonly index: number
  readonly share: number
  readonly top: number
}) {
  const { hour, index, share, top } = props
  const zone = useZone()
  let y = CHART_HEAD + CHART_HEIGHT
  return PARTS.map(({ key, label, fill }) => {
    if (hour[key] === 0) return null
    const height = Math.max(1, (hour[key] / top) * CHART_HEIGHT)
    y -= height
    return (
      <rect
        key={key}
        x={`${index * share + share * 0.03}%`}
        width={`${share * 0.94}%`}
        {...{ y, height }}
        className={fill}
      >
        <title>{`${exactText(hour.startMs, zone)}: ${numberText(hour[key])} ${label}`}</title>
      </rect>
    )
  })
}

function HalfLife({ deploy, percent }: { readonly deploy: DeployDetail; readonly percent: number }) {
  const isLate = percent > 60
  return (
    <>
      <line
        {...{ x1: `${percent}%`, x2: `${percent}%`, y1: 0, y2: CHART_HEAD + CHART_HEIGHT }}
        strokeDasharray="3 3"
        className="stroke-ink-2"
      />
      <text
        x={`${percent}%`}
        dx={isLate ? -5 : 5}
        y="10"
        textAnchor={isLate ? 'end' : 'start'}
        className="num stroke-canvas fill-ink-2 text-11 [paint-order:stroke] [stroke-width:3px]"
      >
        half-life {longText(deploy.halfLifeMs ?? 0)}
      </text>
    </>
  )
}

function Axis({ hours, widthMs }: { readonly hours: DeployDetail['hours']; readonly widthMs: number }) {
  const startMs = hours[0]?.startMs ?? 0
  const parts = hours.length < 4 ? [0] : undefined
  return <TimeAxis startMs={startMs} endMs={startMs + hours.length * widthMs} {...(parts && { parts })} />
}
