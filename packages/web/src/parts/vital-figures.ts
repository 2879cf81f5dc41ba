/** Web vitals as the queries answer them, and how their values are rated. Pure. */
import type { Queries } from '@errata/server/queries'

type PerformanceView = Awaited<ReturnType<Queries['performance']>>
export type VitalFigures = PerformanceView['vitals'][number]
export type VitalName = VitalFigures['vital']
export type VitalBounds = PerformanceView['vitalBounds']
export type Rating = 'good' | 'needs improvement' | 'poor'

/** By the public thresholds: good up to the first, poor beyond the second. */
export function ratingOf(value: number, [good, poor]: readonly [good: number, poor: number]): Rating {
  return value <= good ? 'good' : value > poor ? 'poor' : 'needs improvement'
}
