/** Outcomes as they are shown: grouped and in buckets, and per hour for accept. */
import { HOUR_MS } from '#base/durations.ts'
import { ErrataError } from '#base/errors.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { OutcomeGroup, OutcomeQuery } from '#ports/ingest.ts'
import type { HourVolume } from '#ports/projects.ts'
import { BUCKET_MS } from './batch-outcomes.ts'
import { hourSinceEpoch } from './payload-sampling.ts'

export type OutcomeDimension = OutcomeQuery['groupBy'][number]

const DIMENSIONS: readonly OutcomeDimension[] = ['outcome', 'category', 'reason', 'project', 'key']

/** Each once, in the order in which they are shown. */
export function dimensionsOf({ groupBy }: Pick<OutcomeQuery, 'groupBy'>): readonly OutcomeDimension[] {
  return DIMENSIONS.filter((dimension) => groupBy.includes(dimension))
}

/** Starts of the series' buckets; throws for an interval or a range that cannot be answered. */
export function bucketStarts({ startMs, endMs, intervalMs }: OutcomeQuery): readonly number[] {
  if (intervalMs === null) return []
  if (intervalMs < BUCKET_MS || intervalMs % BUCKET_MS !== 0) {
    throw new ErrataError('bad_request', 'the interval must be a multiple of 15 minutes')
  }
  const first = Math.floor(startMs / intervalMs) * intervalMs
  const count = Math.max(0, Math.ceil((endMs - first) / intervalMs))
  if (count > max('trendBucketsMax')) {
    throw new ErrataError(
      'bad_request',
      `the range has ${count} intervals, more than ${max('trendBucketsMax')}`,
    )
  }
  return Array.from({ length: count }, (_, index) => first + index * intervalMs)
}

/** Buckets of outcomes in a range count from the one that holds its start. */
export function bucketOf(ms: number): number {
  return Math.floor(ms / BUCKET_MS) * BUCKET_MS
}

/** Some outcomes of a bucket of the series; of its dimensions those that are grouped by. */
export interface OutcomePart {
  readonly outcome?: OutcomeName
  readonly category?: string
  /** '' for none. */
  readonly reason?: string
  readonly project?: ProjectId
  /** 0 for none. */
  readonly key?: KeyId
  readonly bucket: number
  readonly quantity: number
}

/** Largest first. */
export function outcomeGroups(
  parts: readonly OutcomePart[],
  by: readonly OutcomeDimension[],
  buckets: number,
): readonly OutcomeGroup[] {
  const groups = new Map<string, OutcomeGroup & { total: number; readonly series: number[] }>()
  for (const part of parts) {
    const name = JSON.stringify(by.map((dimension) => part[dimension]))
    let group = groups.get(name)
    if (group === undefined) {
      group = { ...outcomeNames(part, by), total: 0, series: new Array<number>(buckets).fill(0) }
      groups.set(name, group)
    }
    group.total += part.quantity
    if (part.bucket < buckets) group.series[part.bucket] = (group.series[part.bucket] ?? 0) + part.quantity
  }
  return [...groups.values()].sort((a, b) => b.total - a.total)
}

function outcomeNames(
  { outcome, category, reason, project, key }: OutcomePart,
  by: readonly OutcomeDimension[],
): Omit<OutcomeGroup, 'total' | 'series'> {
  const isAsked = (dimension: OutcomeDimension) => by.includes(dimension)
  return {
    ...(isAsked('outcome') && outcome !== undefined ? { outcome } : {}),
    ...(isAsked('category') && category !== undefined ? { category } : {}),
    ...(isAsked('reason') && reason !== undefined ? { reason: reason === '' ? null : reason } : {}),
    ...(isAsked('project') && project !== undefined ? { projectId: project } : {}),
    ...(isAsked('key') && key !== undefined ? { keyId: key === 0 ? null : key } : {}),
  }
}

/** Volume of one project and category. */
export interface VolumePart {
  readonly bucketMs: number
  readonly outcome: OutcomeName
  readonly reason: string
  readonly quantity: number
  readonly firstMs: number
}

/** Returns hours in order; an hour with other items only is there with zeros. */
export function hourVolumes(parts: readonly VolumePart[]): readonly HourVolume[] {
  const hours = new Map<number, HourVolume>()
  for (const part of parts) {
    const hourMs = hourSinceEpoch(part.bucketMs) * HOUR_MS
    const before = hours.get(hourMs) ?? { hourMs, admitted: 0, capped: 0, firstCappedMs: null }
    hours.set(hourMs, volumeAfter(before, part))
  }
  return [...hours.values()].sort((a, b) => a.hourMs - b.hourMs)
}

/** A reason counts only with the outcome Errata gives it: clients choose those of what they discard themselves. */
function volumeAfter(before: HourVolume, { outcome, reason, quantity, firstMs }: VolumePart): HourVolume {
  const isAdmitted =
    outcome === 'accepted' ||
    (outcome === 'filtered' && reason !== 'cors') ||
    (outcome === 'invalid' && reason === 'duplicate')
  if (isAdmitted) return { ...before, admitted: before.admitted + quantity }
  if (outcome !== 'rate_limited' || reason !== 'spike_protection') return before
  const firstCappedMs = Math.min(before.firstCappedMs ?? firstMs, firstMs)
  return { ...before, capped: before.capped + quantity, firstCappedMs }
}
