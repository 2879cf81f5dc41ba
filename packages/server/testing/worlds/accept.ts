/** A real journal in a directory of its own with an accept step before it, for tests of ingest. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccept } from '#accept/accept.ts'
import { Overload } from '#accept/overload.ts'
import { type SampleChange, sampleDirectory } from '#accept/sample-directory.ts'
import type { SpikeProtection } from '#accept/spike-protection.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import { readJournalRange } from '#journal/read.ts'
import { type JournalOptions, openJournal } from '#journal/writer.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { EnvelopeRecord, SequencedRecord } from '#model/record.ts'
import { openLargeBlobs } from '#store/blobs/large-blobs.ts'

export type TestIngest = Awaited<ReturnType<typeof openTestIngest>>

export async function openTestIngest(given: Partial<Pick<JournalOptions, 'clock' | 'disk' | 'log'>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-ingest-'))
  const log = given.log ?? silentLog
  const journal = await openJournal({ directory, clock: systemClock, appliedSeq: seq(0), ...given, log })
  const blobs = await openLargeBlobs({
    directory: join(directory, 'blobs'),
    ...(given.disk !== undefined && { disk: given.disk }),
  })
  const opened: ReturnType<typeof createAccept>[] = []
  /** Everything journaled since the last call. */
  const records = (): SequencedRecord[] => {
    const found: SequencedRecord[] = []
    for (let range = journal.takeRange(100, 1e9); range !== null; range = journal.takeRange(100, 1e9)) {
      found.push(...readJournalRange(range))
    }
    return found
  }
  /** `guard`: what else may refuse. */
  const openAccept = (
    change: SampleChange = {},
    clock: Clock = systemClock,
    guard?: SpikeProtection | Overload,
  ) => {
    const accept = createAccept({
      ...{ journal, blobs },
      directory: sampleDirectory(change),
      clock,
      random: systemRandom,
      log,
      ...(guard instanceof Overload ? { overload: guard } : guard === undefined ? {} : { spikes: guard }),
    })
    opened.push(accept)
    return accept
  }
  return {
    journal,
    blobs,
    openAccept,
    records,
    envelopes: (): EnvelopeRecord[] => records().filter((record) => record.type === 'envelope'),
    /** Refusals counted since the last call. */
    async outcomes(): Promise<CountedOutcome[]> {
      for (const accept of opened) await accept.flush()
      return summedOutcomes(
        records().flatMap((record) => (record.type === 'outcomes' ? record.outcomes : [])),
      )
    },
    async close(): Promise<void> {
      for (const accept of opened) await accept.close()
      await journal.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Returns one of each: what is counted over a while enters the journal in parts. */
export function summedOutcomes(parts: readonly CountedOutcome[]): CountedOutcome[] {
  const sums = new Map<string, CountedOutcome>()
  for (const part of parts) {
    const key = JSON.stringify([part.outcome, part.reason, part.category, part.projectId, part.keyId])
    const sum = sums.get(key)
    sums.set(key, { ...(sum ?? part), quantity: (sum?.quantity ?? 0) + part.quantity })
  }
  return [...sums.values()]
}

export const shortOutcome = ({ outcome, reason, category, quantity, projectId }: CountedOutcome) =>
  `${projectId} ${outcome} ${reason} ${category} ${quantity}`
