/**
 * Looks at the control store before any other follows it. What it says is applied decides: beside an empty one, or one
 * that is older than they are, payloads and columns would be taken for what a crash left, and removed.
 */

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#base/clock.ts'
import { dayOf } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { overflowPath } from '#journal/fair-journal.ts'
import { decodeFileHeader, JOURNAL_HEADER_BYTES, readFileName } from '#journal/format.ts'
import { max } from '#limits/limits.ts'
import { filesWithEnding, ofNewestDays } from '#model/file-name.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { PayloadCare, StoredBatch } from '#store/embedded/care/stores/payloads.ts'
import { columnsPath, controlPath, journalPath, payloadsPath } from './paths.ts'

/**
 * Checks that the control store is there if events are.
 * @throws a sentence if it is not
 */
export function refuseLostControl(data: string): void {
  const hasEvents =
    filesWithEnding(names(payloadsPath(data)), '.seg').length > 0 ||
    filesWithEnding(names(columnsPath(data)), '.duckdb').length > 0 ||
    journalsOf(data).some((path) => journalReachesBackTo(path) !== null)
  if (!hasEvents || hasTables(controlPath(data))) return
  throw new Error(
    `${controlPath(data)} is missing or empty, but ${data} holds events, which a start would remove: put it back ` +
      'together with its -wal, run "errata restore" into a new directory, or start over in an empty one',
  )
}

export interface OlderControlParts {
  readonly control: Pick<ControlCommit, 'appliedSeq' | 'appliedOverflow'>
  readonly segments: Pick<PayloadCare, 'files' | 'newestBatches'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Before the first recovery. A crash leaves blocks of one batch at most that the control store does not know, and the
 * journal still has that one. Anything else shows that it was put back to an earlier state, as by deleting its log:
 * said aloud where the journal brings the events again, refused where it does not.
 * @throws a sentence when events were stored that neither it nor the journal knows
 */
export async function refuseOlderControl(
  data: string,
  { control, segments, clock, log }: OlderControlParts,
): Promise<void> {
  const appliedSeq = await control.appliedSeq()
  const unknown = new Map<number, StoredBatch>()
  for (const file of ofNewestDays(await segments.files(), dayOf(clock.now()))) {
    for (const batch of await segments.newestBatches(file, 2)) {
      if (batch.lastSeq > appliedSeq) unknown.set(batch.lastSeq, batch)
    }
  }
  if (unknown.size === 0) return
  const appliedOverflow = await control.appliedOverflow()
  const [shared, overflow] = journalsOf(data).map(journalReachesBackTo)
  const reaches = (first: number | null | undefined, applied: number) => (first ?? 0) <= applied + 1
  const isEmpty = (shared ?? overflow ?? null) === null
  const isInJournal =
    !isEmpty && reaches(shared, appliedSeq - appliedOverflow) && reaches(overflow, appliedOverflow)
  // Compaction joins batches that are applied: what lies on both sides was, and cannot be cut.
  const isJoined = [...unknown.values()].some(({ firstSeq }) => firstSeq <= appliedSeq)
  const upTo = Math.max(...unknown.keys())
  if (isInJournal && !isJoined) {
    if (unknown.size === 1) return
    log.error(
      'the control store is older than the events beside it: they are stored again from the journal, changes that people made since then are lost',
      {
        knownUpTo: appliedSeq,
        storedUpTo: upTo,
      },
    )
    return
  }
  throw new Error(
    `${controlPath(data)} is older than the events beside it: it knows those up to number ${appliedSeq} of ${upTo}, ` +
      `and a start would remove the later ones. Put back the one that belongs to them together with its -wal, ${
        isEmpty ? 'or the journal, which has nothing of them, ' : ''
      }or run ` +
      `"errata restore" into a new directory${isJoined ? '' : ', or give them up with "errata rebuild --discard-later"'}`,
  )
}

/** The log of all, and what projects sent beyond their share. */
function journalsOf(data: string): readonly string[] {
  const journal = journalPath(data)
  return [journal, overflowPath(journal)]
}

function names(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : []
}

/**
 * The number from which on the journal holds every record that was kept, `null` where it holds none. Acknowledged events
 * may be nowhere but there; whose they are, the control store alone knows.
 */
function journalReachesBackTo(journal: string): number | null {
  const [oldest] = names(journal)
    .filter(
      (name) => readFileName(name) !== null && statSync(join(journal, name)).size > JOURNAL_HEADER_BYTES,
    )
    .sort()
  return oldest === undefined ? null : readFirstSeq(join(journal, oldest))
}

/** Numbers right before the file's first that its header calls skipped were refused: nobody waits for them. */
function readFirstSeq(path: string): number {
  const header = Buffer.alloc(JOURNAL_HEADER_BYTES)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, JOURNAL_HEADER_BYTES, 0)
  } finally {
    closeSync(file)
  }
  const seal = decodeFileHeader(header)
  // Without a header nobody can tell: recovery counts what it held as damaged.
  return seal === null ? 0 : seal.firstSeq - seal.skipped
}

/** True also where it cannot be read: whoever opens it says why. */
function hasTables(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: max('sqliteBusyTimeoutMs') })
    try {
      return database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined
    } finally {
      database.close()
    }
  } catch {
    return true
  }
}
