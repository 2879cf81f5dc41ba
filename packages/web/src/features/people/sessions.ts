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
  return sessions.map((own) => ({
    startMs: Math.min(...own.map(({ atMs }) => atMs)),
    endMs: Math.max(...own.map(endOf)),
    items: own,
    releases: distinctTexts(own.map(({ release }) => release)),
    devices: distinctTexts(own.map(({ device }) => device)),
  }))
}

function endOf({ atMs, durationMs }: PersonItem): number {
  return atMs + (durationMs ?? 0)
}

function distinctTexts(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))]
}

/** Returns values with how often the items say them, most frequent first. */
export function countedOf(
  items: readonly PersonItem[],
  what: 'release' | 'device',
): readonly { readonly value: string; readonly count: number; readonly lastMs: number }[] {
  const counts = new Map<string, { count: number; lastMs: number }>()
  for (const item of items) {
    const value = item[what]
    if (value === null) continue
    const before = counts.get(value) ?? { count: 0, lastMs: 0 }
    counts.set(value, { count: before.count + 1, lastMs: Math.max(before.lastMs, item.atMs) })
  }
  return [...counts]
    .map(([value, sum]) => ({ value, ...sum }))
    .sort((one, other) => other.count - one.count || other.lastMs - one.lastMs)
}
