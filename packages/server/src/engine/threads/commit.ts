/** The commit thread: owner of every store write, and the one place where the column store is opened. */
import { channel } from 'node:diagnostics_channel'
import { parentPort } from 'node:worker_threads'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { createChanges } from '#commands/changes.ts'
import { createCommit } from '#commit/commit.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import type { Care } from '#ports/care.ts'
import { type PackedBatch, unpackBatch } from '#process/transfer.ts'
import { openBlobDirectory } from '#store/blobs/blob-directory.ts'
import { largeBlobsIn } from '#store/blobs/large-blobs.ts'
import { returnFreedMemory } from '#store/duckdb/driver.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { createDeletion } from '#store/embedded/care/deletion.ts'
import { startSchedule } from '#store/embedded/care/retention/schedule.ts'
import { openEventIds } from '#store/event-ids/event-ids.ts'
import { rowsOfEvents } from '#store/segments/rows-of-events.ts'
import { openSegments } from '#store/segments/segments.ts'
import { openControlWriter } from '#store/sqlite/control-writer.ts'
import { refuseOlderControl } from '../directory/control-check.ts'
import {
  blobsPath,
  columnsPath,
  controlPath,
  eventIdsPath,
  largeBlobsPath,
  payloadsPath,
} from '../directory/paths.ts'
import { retentionOf } from '../directory/retention.ts'
import { tellDamage, tellFileDamage } from './damage.ts'
import { giveMemoryBack } from './idle-memory.ts'
import { serveRemote } from './remote.ts'
import { threadStart } from './thread-start.ts'

assert(parentPort !== null, 'runs as a thread')
const start = threadStart()
const log = createLog({ level: start.logLevel, thread: 'commit' })
const stopGivingBack = giveMemoryBack(log, returnFreedMemory)
const clock = clockOf(start.clock)

// However little is logged: an older Errata refuses what is migrated.
const planLog = createLog({ level: 'warn', thread: 'commit' })
const control = openControlWriter({
  ...{ path: controlPath(start.data), clock, log, planLog },
  onDamage: tellDamage(parentPort, log),
})
const onDamage = tellFileDamage(parentPort)
const segments = await openSegments({ directory: payloadsPath(start.data), log, onDamage })
const telemetry = await openTelemetry({
  ...{ directory: columnsPath(start.data), log, clock },
  tables: KINDS.tables,
  datasets: KINDS.datasets,
  events: ERRORS,
  fragments: SPANS,
  rowsOf: rowsOfEvents(ERRORS, segments),
  whenDamaged: 'set aside',
  onDamage,
})
const blobs = await openBlobDirectory({ directory: blobsPath(start.data) })
const eventIds = await openEventIds({
  directory: eventIdsPath(start.data),
  segments,
  columns: telemetry,
  hasIds: ({ kind }) => KINDS.stored(kind).table.hasEventId,
  // The engine has all stores recover at once, before the first call.
  appliedSeq: null,
  clock,
  log,
})
/** Channel for observers inside the process: published when a step of a commit or a recovery is done. */
const steps = channel('errata.commit.step')
const commit = createCommit({
  ...{ kinds: KINDS, encoding: encodeRows, control, telemetry, segments, eventIds, blobs, clock, log },
  onStep: (step) => steps.publish(step),
})
const { data, maxDiskBytes } = start
const retention = retentionOf({
  ...{ kinds: KINDS, data, maxDiskBytes, control, telemetry, payloads: segments, eventIds, clock, log },
})
/** Ends the schedule that the first recovery began. */
let stopUpkeep: (() => void) | null = null

const hide = createDeletion({
  ...{ control, telemetry, log },
  largeBlobs: largeBlobsIn({ directory: largeBlobsPath(start.data) }),
  removeQuarantine: () => commit.removeOldQuarantine(),
})

serveRemote(parentPort, {
  commit: {
    async recover() {
      if (stopUpkeep === null) await refuseOlderControl(start.data, { control, segments, clock, log })
      const appliedSeq = await commit.recover()
      if (stopUpkeep === null) {
        // Before the first query: what a removal that was cut short left must not be seen.
        await retention.start()
        stopUpkeep = startSchedule({ retention, clock, log })
      }
      return appliedSeq
    },
    appliedSeq: () => control.appliedSeq(),
    appliedOverflow: () => control.appliedOverflow(),
    commit: (packed: PackedBatch) => commit.commit(unpackBatch(packed, KINDS)),
    removeOldQuarantine: () => commit.removeOldQuarantine(),
  },
  control,
  changes: createChanges(control, { hide }),
  care: {
    refresh: () => retention.refresh(),
    changeEvents: retention.changeEvents.bind(retention),
    noteApplied: (untilMs) => retention.noteApplied(untilMs),
    payloadBytes: () => retention.payloadBytes(),
    overview: () => retention.overview(),
    missing: () => retention.missing(),
  } satisfies Care,
  telemetry,
  payloads: segments,
  eventIds: { find: eventIds.find.bind(eventIds) },
  blobs,
  thread: {
    async close() {
      stopUpkeep?.()
      const retained = retention.close()
      await telemetry.stopRewriting()
      await retained
      await eventIds.close()
      await telemetry.close()
      await segments.close()
      await control.close()
      await stopGivingBack()
    },
  },
})
parentPort.postMessage({ ready: true })
