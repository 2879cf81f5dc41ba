/** Quiet hours as forms show and send them. */
import type { QuietHours } from '@errata/server/queries'
import { textField, tickField } from './fields.server.ts'
import type { ShownQuietHours } from './quiet-fields.tsx'

export const QUIET_FIELDS = {
  ...{ isOn: tickField, from: textField, until: textField, timeZone: textField, weekends: tickField },
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Returns what was typed; a time that is none is no number, which the rule of quiet hours refuses. */
export function hoursTyped({ from, until, ...typed }: ShownQuietHours): QuietHours {
  return { ...typed, fromMinute: minuteOf(from), untilMinute: minuteOf(until) }
}

function minuteOf(text: string): number {
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
