/** Sessions of a person: items without a break of half an hour. Pure. */
import type { PersonItem } from '@errata/server/queries'

export const BREAK_MS = 30 * 60_000

export interface PersonSession {
  readonly startMs: number
  readonly endMs: number
  /** Newest first. */
  readonly items: readonly PersonItem[]
  readonly releases: readonly string[]
  readonly devices: readonly string[]
}

/** Splits what a person did into sessions. `items`: newest first. */
export function splitIntoSessions(items: readonly PersonItem[]): readonly PersonSession[] {
  const sessions: PersonItem[][] = []
  let startMs = Number.NEGATIVE_INFINITY
  for (const item of items) {
    const last = sessions.at(-1)
    // What lasts reaches into what comes after it.
    if (last === undefined || startMs - endOf(item) > BREAK_MS) sessions.push([item])
    else last.push(item)
    startMs = item.atMs
  }
  const nameOf = deviceNames(items)
  return sessions.map((own) => ({
    startMs: Math.min(...own.map(({ atMs }) => atMs)),
    endMs: Math.max(...own.map(endOf)),
    items: own,
    releases: distinctTexts(own.map(({ release }) => release)),
    devices: distinctTexts(own.map(({ device }) => (device === null ? null : nameOf(device)))),
  }))
}

/** An item and the id of its row. */
export interface Placed {
  readonly item: PersonItem
  readonly id: string
}

/** Splits items that follow each other into runs of the same: same words, project and end. At least one each. */
export function runsOf(items: readonly Placed[]): readonly (readonly [Placed, ...Placed[]])[] {
  const runs: [Placed, ...Placed[]][] = []
  for (const one of items) {
    const last = runs.at(-1)
    if (last !== undefined && isSameItem(last[0].item, one.item)) last.push(one)
    else runs.push([one])
  }
  return runs
}

function isSameItem(one: PersonItem, other: PersonItem): boolean {
  return (
    one.kind === other.kind &&
    one.text === other.text &&
    one.projectId === other.projectId &&
    one.end === other.end &&
    one.level === other.level &&
    one.requestKind === other.requestKind
  )
}

function endOf({ atMs, durationMs }: PersonItem): number {
  return atMs + (durationMs ?? 0)
}

function distinctTexts(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))]
}

/**
 * Names devices alike, however much each item says of them: `Edge 142.0` and `Edge 142` are `Edge 142, Windows 10`, where
 * the person has that browser on one system alone.
 */
function deviceNames(items: readonly PersonItem[]): (device: string) => string {
  const short = (device: string) => device.replace(/^([^,]*?)\.0(?=,|$)/, '$1')
  const all = distinctTexts(items.map(({ device }) => (device === null ? null : short(device))))
  return (device) => {
    const name = short(device)
    const [fuller, another] = all.filter((other) => other.startsWith(`${name}, `))
    return fuller === undefined || another !== undefined ? name : fuller
  }
}

/** Returns values with how often the items say them, most frequent first. */
export function countedOf(
  items: readonly PersonItem[],
  what: 'release' | 'device',
): readonly { readonly value: string; readonly count: number; readonly lastMs: number }[] {
  const counts = new Map<string, { count: number; lastMs: number }>()
  const nameOf = what === 'device' ? deviceNames(items) : (name: string) => name
  for (const item of items) {
    const said = item[what]
    if (said === null) continue
    const value = nameOf(said)
    const before = counts.get(value) ?? { count: 0, lastMs: 0 }
    counts.set(value, { count: before.count + 1, lastMs: Math.max(before.lastMs, item.atMs) })
  }
  return [...counts]
    .map(([value, sum]) => ({ value, ...sum }))
    .sort((one, other) => other.count - one.count || other.lastMs - one.lastMs)
}
