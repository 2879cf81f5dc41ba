import type { SystemView } from '@errata/server/queries'
import { numberText } from '#ui/number-text.ts'

const WIDTH = 720
const HEIGHT = 64
const BAR = WIDTH / 60

/** Accepted above the axis, refused in red on top of it; the peak is printed. */
export function MinuteBars({ minutes }: { readonly minutes: SystemView['perMinute'] }) {
  const shown = minutes.slice(-60)
  const peak = Math.max(0, ...shown.map(({ accepted, refused }) => accepted + refused))
  const sum = (of: 'accepted' | 'refused') => shown.reduce((total, minute) => total + minute[of], 0)
  const accepted = sum('accepted')
  const refused = sum('refused')
  const text = `${numberText(accepted)} accepted and ${numberText(refused)} refused in 60 minutes`
  const scale = (count: number) => (count / Math.max(1, peak)) * HEIGHT
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="h-16 w-full max-w-180"
        role="img"
        aria-label={text}
        preserveAspectRatio="none"
      >
        {shown.map((minute, index) => (
          <g key={minute.minuteMs}>
            <rect
              x={index * BAR}
              width={BAR - 2}
              y={HEIGHT - scale(minute.accepted)}
              height={scale(minute.accepted)}
              className="fill-bar"
            />
            <rect
              x={index * BAR}
              width={BAR - 2}
              y={HEIGHT - scale(minute.accepted) - scale(minute.refused)}
              height={scale(minute.refused)}
              className="fill-bad-fill"
            />
          </g>
        ))}
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-line" />
      </svg>
      <figcaption className="num mt-1 text-12 text-ink-3">
        {`${text}; ${(accepted / 3_600).toFixed(1)} a second; peak ${numberText(peak)} a minute`}
      </figcaption>
    </figure>
  )
}
