import type { SystemView } from '@errata/server/queries'
import { PageChart } from '#parts/page-chart.tsx'
import { countScale } from '#ui/charts/scales.ts'
import { numberText } from '#ui/number-text.ts'

const HEIGHT = 64
const MINUTES = 60
const MINUTE_MS = 60_000

type Minute = SystemView['perMinute'][number]
type Part = Exclude<keyof Minute, 'minuteMs'>

/** From the axis upwards. */
const PARTS = [
  { part: 'accepted', name: 'accepted', tone: 'bar' },
  { part: 'unsupported', name: 'not supported', tone: 'bar-2' },
  { part: 'refused', name: 'refused', tone: 'bad' },
] as const satisfies readonly { readonly part: Part; readonly name: string; readonly tone: string }[]

/** Accepted, what this version does not support in light grey on top of it, refused in red; the peak is printed. */
export function MinuteBars({ minutes }: { readonly minutes: SystemView['perMinute'] }) {
  const shown = minutes.slice(-MINUTES)
  const peak = Math.max(
    0,
    ...shown.map(({ accepted, unsupported, refused }) => accepted + unsupported + refused),
  )
  const sum = (of: Part) => shown.reduce((total, minute) => total + minute[of], 0)
  const accepted = sum('accepted')
  const text = `${numberText(accepted)} accepted and ${numberText(sum('refused'))} refused${besideText(sum('unsupported'))} in 60 minutes`
  return (
    <div className="max-w-180">
      <PageChart
        label={text}
        x={{
          kind: 'time',
          ...{ startMs: shown[0]?.minuteMs ?? 0, stepMs: MINUTE_MS, count: Math.max(1, shown.length) },
          ...{ endText: 'now', isRunning: true, parts: [0, 0.5] },
        }}
        plots={[
          {
            ...{ height: HEIGHT, y: countScale(peak) },
            series: PARTS.map(({ part, name, tone }) => ({
              ...{ name, tone, as: 'bar', values: shown.map((minute) => minute[part]) },
            })),
          },
        ]}
      />
      <p className="num mt-1 text-12 text-ink-3">
        {`${text}; ${perSecond(accepted / 3_600)} a second; peak ${numberText(peak)} a minute`}
      </p>
    </div>
  )
}

function perSecond(rate: number): string {
  return rate > 0 && rate < 0.1 ? 'less than 0.1' : rate.toFixed(1)
}

function besideText(unsupported: number): string {
  return unsupported === 0 ? '' : `, ${numberText(unsupported)} not supported by this version,`
}
