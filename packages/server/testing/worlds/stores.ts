/** All real stores of a data directory with a commit over them, and batches made of plain lists: for tests. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, manualClock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { type KeyId, type ProjectId, type Seq, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { type CommitOptions, createCommit } from '#commit/commit.ts'
import { type CappedGroup, PayloadSampler } from '#kinds/error/capped-groups.ts'
import { ERROR, ERRORS, type EventRow } from '#kinds/error/fields.ts'
import type { EventOwn } from '#kinds/error/sum.ts'
import type { Kinds } from '#kinds/kind.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import type { QuarantinedEnvelope } from '#model/batch.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { packPart } from '#process/blocks.ts'
import { type ArrivedBatch, packBatch, unpackBatch } from '#process/transfer.ts'
import { openBlobDirectory } from '#store/blobs/blob-directory.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { openEventIds } from '#store/event-ids/event-ids.ts'
import { rowsOfEvents } from '#store/segments/rows-of-events.ts'
import { openSegments } from '#store/segments/segments.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { anEvent } from '../builders/stored-event.ts'
import { NOW } from '../builders/times.ts'
import { openNewControl } from '../new-control.ts'
import { PATIENCE } from '../patience.ts'

export type House = Awaited<ReturnType<typeof openHouse>>

/** Opens every store of `directory`; `change` puts something else in place of a part. */
export async function openHouse(
  directory: string,
  change: (parts: CommitOptions) => Partial<CommitOptions> = () => ({}),
  {
    clock = manualClock(NOW),
    disk = nodeDisk,
    kinds = KINDS,
  }: { readonly clock?: Clock; readonly disk?: Disk; readonly kinds?: Kinds } = {},
) {
  mkdirSync(directory, { recursive: true })
  const log = silentLog
  const path = join(directory, 'control.sqlite')
  const control = openNewControl({ path, clock, log })
  const reader = openControlReader({ path, clock, log })
  const segments = openSegments({ directory: join(directory, 'payloads'), log, disk })
  const columns = join(directory, 'columns')
  const telemetry = await openTelemetry({
    ...PATIENCE,
    ...{
      tables: kinds.tables,
      datasets: kinds.datasets,
      events: ERRORS,
      fragments: SPANS,
      directory: columns,
      log,
      clock,
    },
    rowsOf: rowsOfEvents(ERRORS, segments),
  })
  const blobs = await openBlobDirectory({ directory: join(directory, 'blobs'), disk })
  const eventIds = await openEventIds({
    directory: join(directory, 'event-ids'),
    segments,
    columns: telemetry,
    hasIds: ({ kind }) => kinds.stored(kind).table.hasEventId,
    appliedSeq: await control.appliedSeq(),
    clock,
    log,
  })
  const stores = { control, telemetry, segments, eventIds, blobs }
  const parts: CommitOptions = { kinds, encoding: encodeRows, ...stores, clock, log }
  return {
    ...{ kinds, control, reader, segments, telemetry, blobs, eventIds, clock },
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

/** An envelope as the process beat leaves it. */
export interface ProcessedEnvelope {
  readonly seq: Seq
  readonly keyId: KeyId
  readonly projectId: ProjectId
  readonly row: EventRow
  readonly own: EventOwn
  readonly payload: string
  readonly outcomes: readonly CountedOutcome[]
  readonly quarantined: readonly QuarantinedEnvelope[]
}

export function processedEnvelope(
  number: number,
  from: { readonly projectId: ProjectId; readonly keyId: KeyId },
  shape: Partial<Parameters<typeof anEvent>[0]> = {},
): ProcessedEnvelope {
  const { row, ...own } = anEvent({ ...shape, projectId: from.projectId, seq: seq(number) })
  return {
    seq: seq(number),
    ...from,
    ...{ row, own },
    payload: JSON.stringify({ event_id: row.eventId, message: `sent as number ${number}` }),
    outcomes: [],
    quarantined: [],
  }
}

/** Builds a batch of envelopes as the process thread of `sampler` sends it, which was told of the `capped` groups. */
export function batchOf(
  envelopes: readonly ProcessedEnvelope[],
  capped: readonly CappedGroup[] = [],
  sampler: PayloadSampler = new PayloadSampler(),
): ArrivedBatch {
  const [first, last] = [envelopes[0], envelopes.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a batch holds something')
  const pending = withEvents(envelopes).map(({ row, own, keyId, payload }) => ({
    ...{ kind: ERROR, row, own, keyId },
    payload: Buffer.from(payload),
  }))
  const batch = {
    range: { file: '/nowhere', start: 0, end: 0, firstSeq: first.seq, lastSeq: last.seq },
    parts: [packPart(ERRORS, sampler.thin(pending, capped))],
    outcomes: envelopes.flatMap(({ outcomes }) => outcomes),
    quarantined: envelopes.flatMap(({ quarantined }) => quarantined),
  }
  const { message } = packBatch(batch, { kinds: KINDS, encoding: encodeRows })
  return unpackBatch(message, KINDS)
}

/** A quarantined envelope has no event. */
function withEvents(envelopes: readonly ProcessedEnvelope[]): ProcessedEnvelope[] {
  return envelopes.filter(({ quarantined }) => quarantined.length === 0)
}
