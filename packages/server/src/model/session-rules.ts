/** Rules of sessions and known devices that hold whatever store keeps them. */
import { max } from '#limits/limits.ts'

interface SeenRow {
  readonly seenMs: number
}

/** Returns the sessions that end with a new one: beyond the limit, those that were used longest ago. */
export function sessionsBeyond<S extends SeenRow & { readonly id: number }>(
  sessions: readonly S[],
): readonly S[] {
  return sessions.toSorted((a, b) => b.seenMs - a.seenMs || b.id - a.id).slice(max('sessionsPerUserMax'))
}

/** Returns the devices that are forgotten, beyond the limit. */
export function devicesBeyond<D extends SeenRow & { readonly name: string }>(
  devices: readonly D[],
): readonly D[] {
  return devices
    .toSorted((a, b) => b.seenMs - a.seenMs || (a.name < b.name ? -1 : 1))
    .slice(max('devicesPerPersonMax'))
}

/** True of a device that was never seen of somebody who was seen on others. */
export function isNewDevice(known: readonly { readonly name: string }[], name: string): boolean {
  return known.length > 0 && known.every((one) => one.name !== name)
}
