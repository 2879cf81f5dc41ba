/** Times as people read them: how long ago, and exactly when. All take milliseconds since 1970 UTC. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `now`, `40 s`, `4 min`, `6 h`, `3 d`, `2 mo`, `1 y`. A time in the future reads `now`. */
export function ageText(atMs: number, nowMs: number): string {
  return spanText(Math.max(0, nowMs - atMs))
}

/** Says how long ago a time was. `now` or `4 min ago`. */
export function agoText(atMs: number, nowMs: number): string {
  const text = ageText(atMs, nowMs)
  return text === 'now' ? text : `${text} ago`
}

/** `in 7 d`, days rounded and never summed up; `now` for what is due or past. */
export function untilText(atMs: number, nowMs: number): string {
  const ms = Math.max(0, atMs - nowMs)
  if (ms >= DAY) return `in ${Math.round(ms / DAY)} d`
  const text = spanText(ms)
  return text === 'now' ? text : `in ${text}`
}

/** `2 d before`; below ten seconds `just before`. */
export function beforeText(ms: number): string {
  const text = spanText(ms)
  return text === 'now' ? 'just before' : `${text} before`
}

/** The largest unit alone. Below ten seconds: `now`. */
export function spanText(ms: number): string {
  if (ms < 10 * SECOND) return 'now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  if (ms < 31 * DAY) return `${Math.floor(ms / DAY)} d`
  if (ms < 365 * DAY) return `${Math.floor(ms / (30.44 * DAY))} mo`
  return `${Math.floor(ms / (365.25 * DAY))} y`
}

/** `15 min`, `3 h`, `1 d`: width of a chart's bar, written beside its axis. */
export function stepText(ms: number): string {
  if (ms % DAY === 0) return ms === DAY ? 'd' : `${ms / DAY} d`
  if (ms % HOUR === 0) return ms === HOUR ? 'h' : `${ms / HOUR} h`
  return `${ms / MINUTE} min`
}

/** Zone of the reader: `utc` on the server and until hydration, then their own. */
export type Zone = 'utc' | 'local'

interface Parts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** `20 Nov 2026, 12:04:31 UTC`, or without zone in the reader's own. */
export function exactText(atMs: number, zone: Zone): string {
  if (!Number.isFinite(atMs)) return 'unknown time'
  const { year } = dateParts(atMs, zone)
  return `${dateText(atMs, zone)} ${year}, ${clockText(atMs, zone)}${zone === 'utc' ? ' UTC' : ''}`
}

/** `12:04:31`. */
export function clockText(atMs: number, zone: Zone): string {
  if (!Number.isFinite(atMs)) return ''
  const at = dateParts(atMs, zone)
  return `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`
}

/** `12:04`. */
export function hourText(atMs: number, zone: Zone): string {
  const at = dateParts(atMs, zone)
  return `${two(at.hour)}:${two(at.minute)}`
}

/** `7 Nov`. */
export function dateText(atMs: number, zone: Zone): string {
  const at = dateParts(atMs, zone)
  return `${at.day} ${MONTHS[at.month] ?? ''}`
}

/** `12:04` of today, otherwise `7 Nov`. */
export function momentText(atMs: number, nowMs: number, zone: Zone): string {
  const isToday =
    dateParts(atMs, zone).year === dateParts(nowMs, zone).year &&
    dateText(atMs, zone) === dateText(nowMs, zone)
  if (!isToday) return dateText(atMs, zone)
  return `${hourText(atMs, zone)}${zone === 'utc' ? ' UTC' : ''}`
}

/** Formats a time for the `datetime` attribute; `undefined` for a time no calendar holds. */
export function isoText(atMs: number): string | undefined {
  return Math.abs(atMs) <= 8.64e15 ? new Date(atMs).toISOString() : undefined
}

/** Seconds with a sign and two decimals: `−0.41 s`. Beyond a minute: `−3 min`. */
export function offsetText(ms: number): string {
  const size = Math.abs(ms)
  const sign = ms < 0 && size >= 5 ? '−' : ''
  return size < 100 * SECOND ? `${sign}${(size / SECOND).toFixed(2)} s` : `${sign}${spanText(size)}`
}

/** `404 ms`, `1.42 s`, `12 min 30 s`, `2 h 5 min`, `1 d 3 h`. */
export function durationText(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (Math.round(ms) < SECOND) return `${Math.round(ms)} ms`
  if (ms < 100 * SECOND) return `${(ms / SECOND).toFixed(2)} s`
  if (Math.round(ms / SECOND) < HOUR / SECOND) return twoUnits(ms, [MINUTE, 'min'], [SECOND, 's'])
  if (Math.round(ms / MINUTE) < DAY / MINUTE) return twoUnits(ms, [HOUR, 'h'], [MINUTE, 'min'])
  return twoUnits(ms, [DAY, 'd'], [HOUR, 'h'])
}

type Unit = readonly [ms: number, name: string]

/** Rounded to the smaller unit, which is left out where there is none of it. */
function twoUnits(ms: number, [large, name]: Unit, [small, smallName]: Unit): string {
  const rounded = Math.round(ms / small) * small
  const rest = (rounded % large) / small
  const whole = `${Math.floor(rounded / large)} ${name}`
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`
}

function dateParts(atMs: number, zone: Zone): Parts {
  const at = new Date(atMs)
  return zone === 'utc'
    ? {
        year: at.getUTCFullYear(),
        month: at.getUTCMonth(),
        day: at.getUTCDate(),
        hour: at.getUTCHours(),
        minute: at.getUTCMinutes(),
        second: at.getUTCSeconds(),
      }
    : {
        year: at.getFullYear(),
        month: at.getMonth(),
        day: at.getDate(),
        hour: at.getHours(),
        minute: at.getMinutes(),
        second: at.getSeconds(),
      }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
