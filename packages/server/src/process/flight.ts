/** A range on its way from the journal to the stores, with its failures. */
import { seq as asSeq, type Seq } from '#base/ids.ts'
import { splitRange } from '#journal/read.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange } from '#model/record.ts'

export interface Flight<Packed> {
  range: JournalRange
  readonly quarantine: Set<Seq>
  /** Failures of a process thread, by the envelope it named; by the first one where it named none. */
  readonly tries: Map<Seq, number>
  /** Failures of the commit that the disk does not explain. */
  commitTries: number
  /** `paused`: its journal file cannot be read at the moment. */
  state: 'waiting' | 'working' | 'ready' | 'paused'
  /** Since when that is so, on the clock that never goes back; `null` while it can be read. */
  unreadableSinceMs: number | null
  packed: Packed | null
  /** Counts up when the flight is given out anew, so that a late answer of an old round is ignored. */
  round: number
}

/** Parts that a range with an unknown culprit is cut into: three rounds find one envelope of a thousand. */
const SPLIT_PARTS = 32

/**
 * Makes the state of a range that waits for a process thread. `triesBefore`: how often the whole that this is a part
 * of has failed already.
 */
export function newFlight<Packed>(range: JournalRange, triesBefore = 0): Flight<Packed> {
  return {
    range,
    quarantine: new Set(),
    tries: new Map([[range.firstSeq, triesBefore]]),
    commitTries: triesBefore,
    state: 'waiting',
    unreadableSinceMs: null,
    packed: null,
    round: 0,
  }
}

/**
 * The flight in parts, each of which may fail once more; the flight itself where it cannot be cut: one envelope, or
 * nothing that can be read. `null` while its file cannot be read, which may pass.
 */
export function splitFlight<Packed>(flight: Flight<Packed>): readonly Flight<Packed>[] | null {
  const { range } = flight
  if (range.firstSeq === range.lastSeq) return [flight]
  const parts = tryToSplit(range)
  if (parts === null) return null
  if (parts.length <= 1) return [flight]
  return parts.map((part) => {
    const half = newFlight<Packed>(part, max('processTriesMax') - 1)
    for (const seq of flight.quarantine) {
      if (seq >= part.firstSeq && seq <= part.lastSeq) half.quarantine.add(seq)
    }
    return half
  })
}

function tryToSplit(range: JournalRange): readonly JournalRange[] | null {
  try {
    return splitRange(range, SPLIT_PARTS)
  } catch {
    return range.isGivenUp === true ? [range] : null // who reads it next says why
  }
}

export function quarantineAll({ range, quarantine }: Flight<unknown>): void {
  for (let seq: number = range.firstSeq; seq <= range.lastSeq; seq++) quarantine.add(asSeq(seq))
}

/** A full or failing disk says so, and so does a store that it damaged: no envelope is to blame, however often it comes. */
export function isDiskFailure(reason: string): boolean {
  return DISK_FAILURE.test(reason)
}

const DISK_FAILURE =
  /\b(?:E(?:NOSPC|DQUOT|IO|ROFS|MFILE|NFILE|ACCES|PERM|FBIG))\b|no space left|disk is full|disk I\/O error|IO Error|Could not write|read-?only (?:database|file)|database is locked|control store is damaged|out of memory/i
