/** The column store on DuckDB: one instance, one file per day of receipt and retention class. */
import type { Clock } from '#base/clock.ts'
import type { Seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import { RowWriter } from './append.ts'
import { ColumnFiles } from './column-files.ts'
import { openDriver } from './driver.ts'
import { type ReadContext, readEvent, readEvents, readGroupsMatching, readNeighbours } from './event-reads.ts'
import { QuerySlots } from './query-slots.ts'
import { TombstoneFloors } from './tombstones.ts'

export interface TelemetryOptions {
  /** Where the column files are; made where absent, readable by its owner alone. */
  readonly directory: string
  readonly log: Log
  readonly clock: Clock
}

/**
 * Opens the column store. At most one may be open on a directory: a second one in the same process would lose rows
 * silently, one in another process is refused by DuckDB when it attaches a file.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<TelemetryStore> {
  const { directory, log, clock } = options
  const driver = await openDriver(directory)
  const [catalog, writer] = [await driver.connect(), await driver.connect()]
  const files = new ColumnFiles(directory, { catalog, writer })
  const rows = new RowWriter(files, writer, log)
  const slots = new QuerySlots(driver)
  let tombstones = new TombstoneFloors([])
  /** Writes, one after the other: they share a connection. */
  let turn: Promise<unknown> = Promise.resolve()

  const write = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work)
    turn = done.catch(() => {}) // the caller has the error; the next write starts afresh
    return done
  }
  const read = <T>(scope: ReadScope, work: (context: ReadContext) => Promise<T>): Promise<T> =>
    slots.read((query) => work({ files, query, scope, tombstones }))

  return {
    append: (appended, lastSeq: Seq) =>
      write(async () => {
        const startMs = clock.elapsed()
        await rows.append(appended, lastSeq)
        log.debug('appended column rows', { rows: appended.length, ms: clock.elapsed() - startMs })
      }),
    removeBeyond: (seq) => write(() => rows.removeBeyond(seq)),
    files: async () => files.names(),
    async setTombstones(next) {
      tombstones = new TombstoneFloors(next)
    },
    events: (scope, filter, page) => read(scope, (context) => readEvents(context, filter, page)),
    event: (scope, file, project, id) => read(scope, (context) => readEvent(context, file, { project, id })),
    neighbours: (scope, filter, of) => read(scope, (context) => readNeighbours(context, filter, of)),
    groupsMatching: (scope, filter, limit) =>
      read(scope, (context) => readGroupsMatching(context, filter, limit)),
    bytes: async () => files.bytes(),
    async close() {
      await slots.close()
      await turn
      await files.close()
      catalog.close()
      writer.close()
      driver.close()
    },
  }
}
