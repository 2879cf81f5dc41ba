/** How long the tabs of older builds stay in use after a deploy, below the clicks that failed in them. */
import { numberText } from '#ui/number-text.ts'
import { stepText } from '#ui/time-text.ts'
import type { DeployDetail } from './skew-text.ts'

const HOUR_MS = 3_600_000
const HEIGHT = 40
const HEAD = 4

export function OlderTabs({
  tabs,
  widthMs,
}: {
  readonly tabs: NonNullable<DeployDetail['olderTabs']>
  readonly widthMs: number
}) {
  const { views, isEstimated } = tabs
  const step = widthMs === HOUR_MS ? 'hour' : stepText(widthMs)
  const text = (count: number) => `${isEstimated ? '≈ ' : ''}${numberText(Math.round(count))}`
  const [first, last] = [views[0] ?? 0, views.at(-1) ?? 0]
  const line = linePoints(views)
  return (
    <section aria-label="Tabs on older builds" className="pb-5">
      <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-13 font-strong">Tabs on older builds</h2>
        <span className="text-12 text-ink-3">page loads and navigations per {step}</span>
      </div>
      <figure
        aria-label={`Page views in tabs of older builds: ${text(first)} in the first ${step}, ${text(last)} in the last`}
      >
        <svg
          width="100%"
          height={HEIGHT}
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          role="presentation"
          className="block"
        >
          <polygon points={`0,${HEIGHT} ${line} 100,${HEIGHT}`} className="fill-sunken" />
          <polyline
            points={line}
            fill="none"
            vectorEffect="non-scaling-stroke"
            className="stroke-span-server"
            strokeWidth="1.5"
          />
        </svg>
        <div aria-hidden="true" className="num flex justify-between border-t pt-1 text-11 text-ink-3">
          <span>
            {text(first)} in the first {step}
          </span>
          <span>
            {text(last)} in the last {step}
          </span>
        </div>
      </figure>
    </section>
  )
}

/** From edge to edge; one value alone is level. */
function linePoints(views: readonly number[]): string {
  const most = Math.max(1, ...views)
  const y = (count: number) => (HEIGHT - (count / most) * (HEIGHT - HEAD)).toFixed(1)
  if (views.length < 2) return `0,${y(views[0] ?? 0)} 100,${y(views[0] ?? 0)}`
  return views.map((count, at) => `${((at / (views.length - 1)) * 100).toFixed(2)},${y(count)}`).join(' ')
}
