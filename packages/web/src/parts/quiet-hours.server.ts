/** Quiet hours as forms show and send them. */
import type { QuietHours } from '@errata/server/queries'
import { pipe, regex, trim } from 'valibot'
import { textField, tickField } from './fields.server.ts'
import type { ShownQuietHours } from './quiet-fields.tsx'

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/
/** Refused here, at its field: the command knows minutes, which nobody typed. */
const timeField = pipe(textField, trim(), regex(TIME, 'Enter a time from 00:00 to 23:59, such as 22:00.'))

export const QUIET_FIELDS = {
  ...{ isOn: tickField, from: timeField, until: timeField, timeZone: textField, weekends: tickField },
}

/** Returns the hours as the command takes them. */
export function hoursTyped({ from, until, ...typed }: ShownQuietHours): QuietHours {
  return { ...typed, fromMinute: minuteOfDay(from), untilMinute: minuteOfDay(until) }
}

function minuteOfDay(text: string): number {
  const [, hour, minute] = TIME.exec(text) ?? []
  return hour === undefined ? Number.NaN : Number(hour) * 60 + Number(minute)
}

export function hoursShown({ isOn, fromMinute, untilMinute, timeZone, weekends }: QuietHours) {
  return { isOn, from: clock(fromMinute), until: clock(untilMinute), timeZone, weekends }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** Names of time zones that the server takes: what a browser calls them differs. */
export function timeZones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone')
}
