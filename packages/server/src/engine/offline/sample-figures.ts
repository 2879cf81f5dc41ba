/**
 * Figures of a sample organisation, written as the commit writes those of what is sent: sums per series and hour, or day
 * where hours are joined by then. A demo's shop has hundreds of thousands of requests, which nobody waits for.
 */

import { metricKey, type SlotAddition, slotAt } from '#alerts/rules/slots.ts'
import { hourOf } from '#base/durations.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import type { Vital } from '#model/span.ts'
import type { RequestSeries } from '#ports/requests.ts'
import { firstHourKept } from '#requests/kept-hours.ts'
import { addRequestSums, addVital, emptyRequestSum, emptyVitalSum } from '#requests/sums.ts'
import { keepSessions, writeSampleSums } from '#store/sqlite/sample-sums.ts'
import { controlPath } from '../directory/paths.ts'

export { firstHourKept }

/** Figures of one hour and series, as counted for an app that sends one of `sampling`. */
export interface SampleRequests extends RequestSeries {
  readonly atMs: number
  readonly count: number
  readonly sampling: number
  readonly failed: number
  readonly failedBehind200: number
  /** Each stands for an equal part of the requests. */
  readonly durationsMs: readonly number[]
  readonly vitals: readonly { readonly vital: Vital; readonly values: readonly number[] }[]
  /** Name of the action that was called. */
  readonly action?: string
}

/** Figures that a minute adds to a metric rule's measure, whose window is an hour at most. */
export interface SampleMinute {
  readonly rule: number
  readonly atMs: number
  readonly count: number
  readonly failed: number
}

/** Outcomes of one hour, as accept counts them. */
export interface SampleOutcome {
  readonly projectId: ProjectId
  readonly keyId: KeyId
  readonly atMs: number
  readonly outcome: 'accepted' | 'client_discard'
  readonly category: 'span' | 'transaction'
  readonly reason: string | null
  readonly quantity: number
}

interface SampleFigures {
  readonly rows: readonly SampleRequests[]
  readonly minutes: readonly SampleMinute[]
  readonly outcomes: readonly SampleOutcome[]
}

/** Before anything is sent: what comes later is added. */
export function addSampleFigures(
  data: string,
  { rows, minutes, outcomes }: SampleFigures,
  nowMs: number,
): void {
  const firstHour = firstHourKept(nowMs)
  const sums = {
    requests: rows.map((row) => sampleRequestHours(row, firstHour)),
    vitals: rows.flatMap((row) => sampleVitals(row, firstHour)),
    actions: rows.flatMap((row) =>
      row.action === undefined ? [] : [{ ...sampleRequestHours(row, firstHour), action: row.action }],
    ),
  }
  writeSampleSums(controlPath(data), { ...sums, slots: minutes.map(sampleSlot), outcomes })
}

const MINUTE_WIDTH = 1

function sampleSlot({ rule, atMs, count, failed }: SampleMinute): SlotAddition {
  const place = { key: metricKey(rule), width: MINUTE_WIDTH, slot: slotAt(atMs, MINUTE_WIDTH) } as const
  return { ...place, count, failed, users: new Set(), aliases: [], sketch: null }
}

/** Keeps people signed in while the sample's clock runs through two weeks in seconds. */
export function keepSampleSessions(data: string, nowMs: number): void {
  keepSessions(controlPath(data), nowMs)
}

const DAY_HOURS = 24

function sampleHour(atMs: number, firstHour: number) {
  const hour = hourOf(atMs)
  return hour >= firstHour ? { hour } : { hour: Math.floor(hour / DAY_HOURS) * DAY_HOURS, hours: DAY_HOURS }
}

function sampleSeries({ projectId, environment, release, route, kind }: SampleRequests): RequestSeries {
  return { projectId, environment, release, route, kind }
}

function sampleRequestHours(row: SampleRequests, firstHour: number) {
  const { count, sampling, failed, failedBehind200, durationsMs } = row
  const sum = emptyRequestSum()
  const parts = [
    { end: 'failed-behind-200', all: failedBehind200 },
    { end: 'failed', all: failed - failedBehind200 },
    { end: 'answered', all: count - failed },
  ] as const
  for (const { end, all } of parts)
    for (const durationMs of durationsMs) {
      if (all > 0) addRequestSums(sum, { end, durationMs, weight: all / durationsMs.length })
    }
  sum.seen = Math.max(1, Math.round(count * sampling))
  return { series: sampleSeries(row), ...sampleHour(row.atMs, firstHour), sum }
}

function sampleVitals(row: SampleRequests, firstHour: number) {
  return row.vitals.map(({ vital, values }) => {
    const sum = emptyVitalSum()
    for (const value of values) addVital(sum, { vital, value, weight: row.count / values.length })
    return { series: sampleSeries(row), ...sampleHour(row.atMs, firstHour), vital, sum }
  })
}
