/** The 75th percentile of a row over time, with marks of releases. */

import { LiveSparkline } from '#ui/charts/live-sparkline.tsx'
import { readingHead } from '#ui/charts/reading-head.ts'
import { flagsIn, releaseAt } from '#ui/charts/readings.ts'
import { SparkLine } from '#ui/charts/spark-shapes.tsx'
import { useZone } from '#ui/time.tsx'
import { shortDuration } from './figure-cells.tsx'
import type { PerformanceData } from './performance.server.ts'

const WIDTH = 112
const HEIGHT = 20

type Trend = PerformanceData['groups'][number]['rows'][number]['trend']

export function LatencyTrend(props: { readonly trend: NonNullable<Trend>; readonly data: PerformanceData }) {
  const { data } = props
  const zone = useZone()
  const { p75Ms, counts } = props.trend
  const stepMs = data.bucketMs
  const startMs = Math.floor(data.range.startMs / stepMs) * stepMs
  const x = { kind: 'time', startMs, stepMs, count: p75Ms.length } as const
  const peak = p75Ms.reduce<number>((most, ms) => Math.max(most, ms ?? 0), 0)
  return (
    <LiveSparkline
      label={`p75 over time, at most ${shortDuration(peak)}`}
      shape={SparkLine}
      values={p75Ms}
      top={peak}
      width={WIDTH}
      height={HEIGHT}
      startMs={startMs}
      stepMs={stepMs}
      textOf={(slot) => {
        const ms = p75Ms[slot] ?? null
        return {
          head: [
            readingHead({ startMs, stepMs }, slot, zone),
            ...flagsIn(data.marks, { x, slot, zone }),
          ].join(', '),
          name: `p75 of ${counts[slot] ?? 0}`,
          text: ms === null ? 'none' : shortDuration(ms),
        }
      }}
      releaseAt={(slot) => releaseAt(data.marks, startMs + (slot + 1) * stepMs)}
      marksMs={data.marks.map(({ atMs }) => atMs)}
    />
  )
}
