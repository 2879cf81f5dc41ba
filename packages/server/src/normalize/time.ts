/** Times as SDKs write them, and the correction of clocks that are wrong. docs/wire.md, section "Times". */
import { max } from '#limits/limits.ts'
import type { EventReader } from './reader.ts'

// Year, month, day, then optionally hour, minute, second, fraction and zone. Bounded repetition only.
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s?(Z|UTC|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$/i
/** Matches what `toISOString` writes: most of them, and told without taking them apart. */
const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,12}Z$/
const SECOND_CHARS = 19
const NUMERIC = /^[+-]?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?$/i
const TEXT_CHARS = 64
/** Seconds beyond the year 5138 are milliseconds, those beyond that micro- or nanoseconds. */
const SECONDS_MAX = 1e11
const YEAR_9999 = 253_402_300_799

/** Seconds since 1970 UTC of a number or text; `null` when it is no time. May have a fraction. */
export function parseTime(value: unknown): number | null {
  if (typeof value === 'number') return saneSeconds(value)
  if (typeof value !== 'string' || value.length > TEXT_CHARS) return null
  if (UTC.test(value)) return secondsOfUtc(value)
  const text = value.trim()
  if (NUMERIC.test(text)) return saneSeconds(Number(text))
  const match = ISO.exec(text)
  if (match === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction, zone] = match
  const whole = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return withFraction(whole, fraction ?? '0', zoneSeconds(zone))
}

function secondsOfUtc(text: string): number | null {
  return withFraction(Date.parse(`${text.slice(0, SECOND_CHARS)}Z`), text.slice(SECOND_CHARS + 1, -1), 0)
}

function withFraction(wholeMs: number, fraction: string, zone: number): number | null {
  if (Number.isNaN(wholeMs)) return null
  const seconds = wholeMs / 1000 + Number(`0.${fraction}`) - zone
  return seconds >= 0 && seconds <= YEAR_9999 ? seconds : null
}

function saneSeconds(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null
  let seconds = value
  for (let step = 0; step < 3 && seconds > SECONDS_MAX; step++) seconds /= 1000
  return seconds <= YEAR_9999 ? seconds : null
}

function zoneSeconds(zone: string | undefined): number {
  if (zone === undefined || zone.length < 3 || /^utc$/i.test(zone)) return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.slice(1).replace(':', '')
  return sign * (Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2) || '0') * 60)
}

export interface EventTimes {
  /** Seconds since 1970 UTC. */
  readonly timestamp: number
  readonly received: number
  /** Seconds to add to every time of the event; 0 for a client whose clock is right. */
  readonly drift: number
}

const DRIFT_MIN = max('clockDriftMsMin') / 1000
const AGE_MAX = max('eventAgeDaysMax') * 86_400
const FUTURE_MAX = max('eventFutureMsMax') / 1000

/** Seconds by which the client's clock is behind, as far as it is wrong enough to matter. */
export function clockDrift(clocks: { readonly receivedMs: number; readonly sentAt: unknown }): number {
  const sent = parseTime(clocks.sentAt)
  const difference = sent === null ? 0 : clocks.receivedMs / 1000 - sent
  return Math.abs(difference) > DRIFT_MIN ? difference : 0
}

/** True for a time that something received then may have happened at. */
export function isBelievable(seconds: number, received: number): boolean {
  return seconds >= oldestTime(received) && seconds <= received + FUTURE_MAX
}

/** The earliest time that something received then is believed to have happened at. */
export function oldestTime(received: number): number {
  return received - AGE_MAX
}

/**
 * When the event happened. A client that says when it sent is corrected by the difference to when we received; what
 * is then still too old or in the future happened "now".
 */
export function readTimes(
  reader: EventReader,
  raw: unknown,
  clocks: { readonly receivedMs: number; readonly sentAt: unknown },
): EventTimes {
  const received = clocks.receivedMs / 1000
  const drift = clockDrift(clocks)
  if (drift !== 0) reader.problem('timestamp', 'clock_drift', `${Math.round(-drift)} s`)
  if (raw === null || raw === undefined || raw === '') return { timestamp: received, received, drift }
  const parsed = parseTime(raw)
  if (parsed === null) {
    reader.problem('timestamp', 'invalid_value', raw)
    return { timestamp: received, received, drift }
  }
  const timestamp = roundToMicroseconds(parsed + drift)
  if (timestamp < received - AGE_MAX) {
    reader.problem('timestamp', 'past_timestamp', raw)
    return { timestamp: received, received, drift }
  }
  if (timestamp > received + FUTURE_MAX) {
    reader.problem('timestamp', 'future_timestamp', raw)
    return { timestamp: received, received, drift }
  }
  return { timestamp, received, drift }
}

/** Time of a breadcrumb: as the event's, but one that cannot be is left out (process-relative seconds exist). */
export function readCrumbTime(reader: EventReader, raw: unknown, times: EventTimes): number | undefined {
  if (raw === null || raw === undefined || raw === '') return undefined
  const parsed = parseTime(raw)
  const corrected = parsed === null ? Number.NaN : roundToMicroseconds(parsed + times.drift)
  if (corrected >= times.timestamp - AGE_MAX * 12 && corrected <= times.received + FUTURE_MAX * 60)
    return corrected
  reader.problem('timestamp', 'invalid_value', raw)
  return undefined
}

/** Whole microseconds: what doubles hold of a time of today. */
export function roundToMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6
}
