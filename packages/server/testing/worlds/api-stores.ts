/** Every store of the engine in one directory, without threads. */
import { join } from 'node:path'
import type { manualClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import type { Kinds } from '#kinds/kind.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import { openBlobDirectory } from '#store/blobs/blob-directory.ts'
import { openLargeBlobs } from '#store/blobs/large-blobs.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { openEventIds } from '#store/event-ids/event-ids.ts'
import { rowsOfEvents } from '#store/segments/rows-of-events.ts'
import { openSegments } from '#store/segments/segments.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { openNewControl } from '../new-control.ts'
import { PATIENCE } from '../patience.ts'

export async function openStores(
  directory: string,
  clock: ReturnType<typeof manualClock>,
  kinds: Kinds = KINDS,
) {
  const log = silentLog
  const path = join(directory, 'control.sqlite')
  const control = openNewControl({ path, clock, log })
  const reader = openControlReader({ path, clock, log })
  const segments = openSegments({ directory: join(directory, 'payloads'), log })
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
  const blobs = await openBlobDirectory({ directory: join(directory, 'blobs') })
  const largeBlobs = await openLargeBlobs({ directory: join(directory, 'blobs', 'large') })
  const ids = {
    directory: join(directory, 'event-ids'),
    segments,
    columns: telemetry,
    appliedSeq: seq(0),
    clock,
    log,
  }
  const eventIds = await openEventIds({ ...ids, hasIds: ({ kind }) => kinds.stored(kind).table.hasEventId })
  return {
    ...{ control, reader, segments, telemetry, blobs, largeBlobs, eventIds },
    async close() {
      await eventIds.close()
      await telemetry.close()
      await segments.close()
      await reader.close()
      await control.close()
    },
  }
}
