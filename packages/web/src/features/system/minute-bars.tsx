import type { SystemView } from '@errata/server/queries'
import { numberText } from '#ui/number-text.ts'

const WIDTH = 720
const HEIGHT = 64
const BAR = WIDTH / 60

type Minute = SystemView['perMinute'][number]
type Part = Exclude<keyof Minute, 'minuteMs'>

/** From the axis upwards. */
const FILLS = [
  ['accepted', 'fill-bar'],
  ['unsupported', 'fill-bar-2'],
  ['refused', 'fill-bad-fill'],
] as const satisfies readonly (readonly [Part, string])[]

/** Accepted, what this version does not support in light grey on top of it, refused in red; the peak is printed. */
export function MinuteBars({ minutes }: { readonly minutes: SystemView['perMinute'] }) {
  const shown = minutes.slice(-60)
  const peak = Math.max(0, ...shown.map((minute) => heightsOf(minute).all))
  const sum = (of: Part) => shown.reduce((total, minute) => total + minute[of], 0)
  const accepted = sum('accepted')
  const text = `${numberText(accepted)} accepted and ${numberText(sum('refused'))} refused${besideText(sum('unsupported'))} in 60 minutes`
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
            {FILLS.map(([part, fill]) => (
              <rect
                key={part}
                x={index * BAR}
                width={BAR - 2}
                y={HEIGHT - scale(heightsOf(minute)[part])}
                height={scale(minute[part])}
                className={fill}
              />
            ))}
          </g>
        ))}
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-line" />
      </svg>
      <figcaption className="num mt-1 text-12 text-ink-3">
        {`${text}; ${perSecond(accepted / 3_600)} a second; peak ${numberText(peak)} a minute`}
      </figcaption>
    </figure>
  )
}

function perSecond(rate: number): string {
  return rate > 0 && rate < 0.1 ? 'less than 0.1' : rate.toFixed(1)
}

/** Where each part of a bar ends above the axis. */
function heightsOf({ accepted, unsupported, refused }: Minute): Readonly<Record<Part | 'all', number>> {
  const all = accepted + unsupported + refused
  return { accepted, unsupported: accepted + unsupported, refused: all, all }
}

function besideText(unsupported: number): string {
  return unsupported === 0 ? '' : `, ${numberText(unsupported)} not supported by this version,`
}
