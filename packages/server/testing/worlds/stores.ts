/** All real stores of a data directory with a commit over them, and batches made of plain lists: for tests. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, manualClock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { type KeyId, type ProjectId, type Seq, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { type CommitOptions, createCommit } from '#commit/commit.ts'
import { type CappedGroup, PayloadSampler } from '#kinds/error/capped-groups.ts'
import type { ColumnBatch } from '#kinds/error/event-columns.ts'
import type { EventRow, ProcessedEvent, QuarantinedEnvelope } from '#model/batch.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { packEvents } from '#process/blocks.ts'
import { packBatch, unpackBatch } from '#process/transfer.ts'
import { openBlobDirectory } from '#store/blobs/blob-directory.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { openEventIds } from '#store/event-ids/event-ids.ts'
import { openSegments } from '#store/segments/segments.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { openControlWriter } from '#store/sqlite/control-writer.ts'
import { rowOfEvent } from '#upkeep/row-of-event.ts'
import { anEvent, NOW } from '../contract/control/builders.ts'

export type House = Awaited<ReturnType<typeof openHouse>>

/** Opens every store of `directory`; `change` puts something else in place of a part. */
export async function openHouse(
  directory: string,
  change: (parts: CommitOptions) => Partial<CommitOptions> = () => ({}),
  { clock = manualClock(NOW), disk = nodeDisk }: { readonly clock?: Clock; readonly disk?: Disk } = {},
) {
  mkdirSync(directory, { recursive: true })
  const log = silentLog
  const path = join(directory, 'control.sqlite')
  const control = openControlWriter({ path, clock, log })
  const reader = openControlReader({ path, clock, log })
  const segments = openSegments({ directory: join(directory, 'payloads'), log, disk })
  const columns = join(directory, 'columns')
  const telemetry = await openTelemetry({ directory: columns, log, clock, rowOf: rowOfEvent(segments) })
  const blobs = await openBlobDirectory({ directory: join(directory, 'blobs'), disk })
  const eventIds = await openEventIds({
    directory: join(directory, 'event-ids'),
    segments,
    columns: telemetry,
    appliedSeq: await control.appliedSeq(),
    clock,
    log,
  })
  const parts: CommitOptions = { control, telemetry, segments, eventIds, blobs, clock, log }
  return {
    ...{ control, reader, segments, telemetry, blobs, eventIds, clock },
    commit: createCommit({ ...parts, ...change(parts) }),
    async close() {
      await eventIds.close()
      await telemetry.close()
      await segments.close()
      await reader.close()
      await control.close()
    },
  }
}

/** One envelope as the process beat leaves it. */
export interface Sent {
  readonly seq: Seq
  readonly keyId: KeyId
  readonly projectId: ProjectId
  readonly row: EventRow
  readonly facts: ProcessedEvent['facts']
  readonly digests: ProcessedEvent['digests']
  readonly payload: string
  readonly outcomes: readonly CountedOutcome[]
  readonly quarantined: readonly QuarantinedEnvelope[]
}

export function sent(
  number: number,
  from: { readonly projectId: ProjectId; readonly keyId: KeyId },
  shape: Partial<Parameters<typeof anEvent>[0]> = {},
): Sent {
  const { row, facts, digests } = anEvent({ ...shape, projectId: from.projectId, seq: seq(number) })
  return {
    seq: seq(number),
    ...from,
    ...{ row, facts, digests },
    payload: JSON.stringify({ event_id: row.eventId, message: `sent as number ${number}` }),
    outcomes: [],
    quarantined: [],
  }
}

/** One batch of envelopes as it comes from the process thread of `sampler`, which was told of the `capped` groups. */
export function batchOf(
  envelopes: readonly Sent[],
  capped: readonly CappedGroup[] = [],
  sampler: PayloadSampler = new PayloadSampler(),
): ColumnBatch {
  const [first, last] = [envelopes[0], envelopes.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a batch holds something')
  const pending = withEvents(envelopes).map(({ row, facts, digests, keyId, payload }) => ({
    ...{ row, facts, digests, keyId },
    payload: Buffer.from(payload),
  }))
  const { message } = packBatch({
    range: { file: '/nowhere', start: 0, end: 0, firstSeq: first.seq, lastSeq: last.seq },
    ...packEvents(sampler.sample(pending, capped)),
    outcomes: envelopes.flatMap(({ outcomes }) => outcomes),
    quarantined: envelopes.flatMap(({ quarantined }) => quarantined),
  })
  return unpackBatch(message)
}

/** A quarantined envelope has no event. */
function withEvents(envelopes: readonly Sent[]): Sent[] {
  return envelopes.filter(({ quarantined }) => quarantined.length === 0)
}
