/**
 * Counters of what rules look at, in slots of time of receipt. A key says what is counted:
 *
 *     i12      events and users of issue 12, for rules without conditions on events
 *     r3i12    of those, the ones that match the conditions of rule 3
 *     d12      people who looked a digest of issue 12 up
 *     m3       what metric rule 3 measures
 *
 * A slot is a minute for windows up to an hour, 15 minutes up to a day, an hour beyond: no window has more than 168.
 */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { type Alias, type GroupUsers, NOBODY, usersOf, withSeen } from '#issues/group-users.ts'
import { countUsers } from '#issues/user-set.ts'
import { DurationSketch } from '#requests/sketch.ts'

export const WIDTHS = [1, 15, 60] as const
export type Width = (typeof WIDTHS)[number]

export interface SlotPlace {
  readonly key: string
  readonly width: Width
  /** Slots of the width since 1970. */
  readonly slot: number
}

/** Slot as stored. */
export interface SlotRow {
  readonly slot: number
  readonly count: number
  readonly failed: number
  readonly people: GroupUsers
  readonly sketch: Uint8Array | null
}

/** Addition of a batch to one slot. */
export interface SlotAddition extends SlotPlace {
  count: number
  failed: number
  readonly users: Set<bigint>
  /** Hash pairs of mirrors' people whose address is known too. */
  readonly aliases: Alias[]
  /** Durations as a sketch. */
  sketch: DurationSketch | null
}

export const issueKey = (issue: IssueId): string => `i${issue}`
export const ruleIssueKey = (rule: number, issue: IssueId): string => `r${rule}i${issue}`
export const lookUpKey = (issue: IssueId): string => `d${issue}`
export const metricKey = (rule: number): string => `m${rule}`

export function widthOf(windowMinutes: number): Width {
  if (windowMinutes <= 60) return 1
  return windowMinutes <= 1_440 ? 15 : 60
}

export function slotAt(atMs: number, width: Width): number {
  return Math.floor(atMs / (width * MINUTE_MS))
}

/** The window that ends with `atMs`, in slots; what has begun counts, so that it is at most a slot short. */
export function slotsOf(atMs: number, windowMinutes: number): { width: Width; first: number; last: number } {
  const width = widthOf(windowMinutes)
  const last = slotAt(atMs, width)
  return { width, last, first: last - Math.ceil(windowMinutes / width) + 1 }
}

/** Slots of one counter. */
export interface SlotRange {
  readonly key: string
  readonly width: Width
  readonly first: number
  readonly last: number
}

export function rangeName({ key, width, first, last }: SlotRange): string {
  return `${key} ${width} ${first} ${last}`
}

/** Each once. */
export function rangesOnce(ranges: readonly SlotRange[]): readonly SlotRange[] {
  return [...new Map(ranges.map((range) => [rangeName(range), range])).values()]
}

/** Sums of slots that were read, each added up when it is asked for first. */
export class SlotSums {
  readonly #rows: ReadonlyMap<string, readonly SlotRow[]>
  readonly #sums = new Map<string, SlotSum>()

  constructor(ranges: readonly SlotRange[], rows: readonly (readonly SlotRow[])[]) {
    this.#rows = new Map(ranges.map((range, at) => [rangeName(range), rows[at] ?? []]))
  }

  of(range: SlotRange): SlotSum {
    const name = rangeName(range)
    const sum = this.#sums.get(name) ?? sumOfSlots(this.#rows.get(name) ?? [])
    this.#sums.set(name, sum)
    return sum
  }
}

/** Additions of a batch, each slot once. */
export class SlotAdditions {
  readonly #slots = new Map<string, SlotAddition>()

  at(place: SlotPlace): SlotAddition {
    const name = `${place.key} ${place.width} ${place.slot}`
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    const made: SlotAddition = { ...place, count: 0, failed: 0, users: new Set(), aliases: [], sketch: null }
    this.#slots.set(name, made)
    return made
  }

  all(): readonly SlotAddition[] {
    return [...this.#slots.values()]
  }
}

export function slotAfter(before: SlotRow | null, added: SlotAddition): SlotRow {
  const { slot, count, failed, sketch } = added
  if (before !== null && before.sketch !== null) sketch?.merge(before.sketch)
  return {
    slot,
    count: (before?.count ?? 0) + count,
    // A failure that is told of later moves between segments.
    failed: Math.max(0, (before?.failed ?? 0) + failed),
    people: withSeen(before?.people ?? NOBODY, added),
    sketch: sketch === null ? (before?.sketch ?? null) : sketch.toBytes(),
  }
}

export interface SlotSum {
  readonly count: number
  readonly failed: number
  readonly users: number
  readonly sketch: DurationSketch
}

export function sumOfSlots(rows: readonly SlotRow[]): SlotSum {
  const sketch = new DurationSketch()
  for (const row of rows) if (row.sketch !== null) sketch.merge(row.sketch)
  const of = (value: (row: SlotRow) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  const people = rows
    .map((row) => row.people)
    .filter(({ users }) => !users.isExact || users.hashes.length > 0)
  return {
    count: of(({ count }) => count),
    failed: of(({ failed }) => failed),
    users: countUsers(usersOf(people)),
    sketch,
  }
}

/** Slots before these are of no window any more: two of the longest, for what compares with the one before. */
export function oldestSlots(nowMs: number): readonly { readonly width: Width; readonly slot: number }[] {
  const windows: Readonly<Record<Width, number>> = { 1: 60, 15: 1_440, 60: 10_080 }
  return WIDTHS.map((width) => ({
    width,
    slot: slotAt(nowMs - 2 * windows[width] * MINUTE_MS - HOUR_MS, width),
  }))
}
