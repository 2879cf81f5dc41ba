/** Names of times below the cursor. Pure. */
import { dateText, hourText, type Zone } from '../time-text.ts'

const DAY_MS = 86_400_000

/** Time of a slot of what has no axis of its own: `20 Nov, 08:00 to 09:00`, `20 Nov (UTC)`. */
export function readingHead(
  { startMs, stepMs }: { readonly startMs: number; readonly stepMs: number },
  slot: number,
  zone: Zone,
): string {
  return spanOf(startMs + slot * stepMs, startMs + (slot + 1) * stepMs, zone)
}

/** A span in hours, or in whole days where both ends are midnight of UTC. */
export function spanOf(from: number, to: number, zone: Zone): string {
  if (from % DAY_MS === 0 && to % DAY_MS === 0) {
    const first = dateText(from, 'utc')
    const last = dateText(to - 1, 'utc')
    return first === last ? `${first} (UTC)` : `${first} to ${last} (UTC)`
  }
  const [first, last] = [dateText(from, zone), dateText(to, zone)]
  const end = first === last ? hourText(to, zone) : `${last}, ${hourText(to, zone)}`
  return `${first}, ${hourText(from, zone)} to ${end}`
}
