/** When an organisation is not to be disturbed, in its own time zone. */
import { MINUTE_MS } from '#base/durations.ts'
import type { QuietHours } from '#model/alert-rule.ts'

const DAY_MINUTES = 1_440

/** When the quiet that lasts at `nowMs` ends; `null` where it is not quiet. */
export function quietUntil(hours: QuietHours, nowMs: number): number | null {
  if (!isQuietTime(hours, nowMs)) return null
  // Quiet begins and ends with a minute, and a week has at most one stretch of three days.
  let untilMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const coarse = Math.min(15, loudMinutes(hours)) * MINUTE_MS
  for (let steps = 0; steps < 4 * 96 && isQuietTime(hours, untilMs + coarse); steps++) untilMs += coarse
  while (isQuietTime(hours, untilMs)) untilMs += MINUTE_MS
  return untilMs
}

/** Minutes of a day between the quiet hours: a step must not pass over them. */
function loudMinutes({ fromMinute, untilMinute }: QuietHours): number {
  return (fromMinute - untilMinute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
}

function isQuietTime(
  { isOn, fromMinute, untilMinute, timeZone, weekends }: QuietHours,
  atMs: number,
): boolean {
  if (!isOn) return false
  const { weekday, minute } = localTime(timeZone, atMs)
  if (weekends && (weekday === 'Sat' || weekday === 'Sun')) return true
  if (fromMinute === untilMinute) return false
  return fromMinute < untilMinute
    ? minute >= fromMinute && minute < untilMinute
    : minute >= fromMinute || minute < untilMinute
}

const FORMATS = new Map<string, Intl.DateTimeFormat>()

function localTime(timeZone: string, atMs: number): { readonly weekday: string; readonly minute: number } {
  const format = FORMATS.get(timeZone) ?? formatOf(timeZone)
  if (FORMATS.size > 100) FORMATS.clear()
  FORMATS.set(timeZone, format)
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const minute = (Number(parts.get('hour')) % 24) * 60 + Number(parts.get('minute'))
  return { weekday: parts.get('weekday') ?? '', minute: minute % DAY_MINUTES }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false // Intl throws for names it does not know
  }
}

/** The next Monday's first minute, or the end of the quiet hours that it begins with. */
export function nextMonday(hours: QuietHours, nowMs: number): number {
  const { timeZone } = hours
  let atMs = Math.ceil(nowMs / (15 * MINUTE_MS)) * 15 * MINUTE_MS
  for (let steps = 0; steps < 8 * 96; steps++, atMs += 15 * MINUTE_MS) {
    const { weekday, minute } = localTime(timeZone, atMs)
    if (weekday === 'Mon' && minute < 15) break
  }
  return quietUntil(hours, atMs) ?? atMs
}
