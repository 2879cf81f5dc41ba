/** Look-ups of digests, counted by who looked. */
import type { DigestLookedUp } from '#ports/alerts.ts'
import { lookUpKey, type SlotAddition, SlotAdditions, slotAt, WIDTHS } from './slots.ts'

export function lookUpAdditions(lookUps: readonly DigestLookedUp[], nowMs: number): readonly SlotAddition[] {
  const additions = new SlotAdditions()
  // Rules look through windows of any length.
  for (const { issueId, person } of lookUps)
    for (const width of WIDTHS) {
      const slot = additions.at({ key: lookUpKey(issueId), width, slot: slotAt(nowMs, width) })
      slot.count++
      slot.users.add(person)
    }
  return additions.all()
}
