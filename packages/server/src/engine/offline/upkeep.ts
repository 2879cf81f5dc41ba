/**
 * The command line's stores while no server runs: the whole data directory opened in this process, under the lock that
 * a server holds. Loaded by the commands that need it alone, because it loads the column store.
 */

import { systemClock } from '#base/clock.ts'
import { dayOf, type Seq, seq } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import { overflowPath } from '#journal/fair-journal.ts'
import { inspectJournal } from '#journal/inspect.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import type { Settings } from '#limits/settings.ts'
import { fileStem } from '#model/file-name.ts'
import type { UpkeepRun } from '#ports/care.ts'
import { largeBlobsIn } from '#store/blobs/large-blobs.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { restoreBackup } from '#store/embedded/care/backup/restore.ts'
import { checkAttachments } from '#store/embedded/care/check-attachments.ts'
import { deepCheck, type Finding } from '#store/embedded/care/deep-check.ts'
import { type RebuiltFile, rebuildColumns } from '#store/embedded/care/rebuild.ts'
import { countContents } from '#store/embedded/care/retention/count-contents.ts'
import type { PayloadCare } from '#store/embedded/care/stores/payloads.ts'
import { openEventIds } from '#store/event-ids/event-ids.ts'
import { openSegments } from '#store/segments/segments.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { openControlWriter } from '#store/sqlite/control-writer.ts'
import { refuseLostControl } from '../directory/control-check.ts'
import { lockDirectory } from '../directory/lock.ts'
import {
  columnsPath,
  controlPath,
  eventIdsPath,
  journalPath,
  largeBlobsPath,
  lockPath,
  payloadsPath,
} from '../directory/paths.ts'
import { retentionOf } from '../directory/retention.ts'

/** Every store of a data directory, open in this process. */
export type UpkeepStores = Awaited<ReturnType<typeof openStores>>

/**
 * Runs `work` with every store open and closes them again.
 * @throws a sentence when a server uses the directory, or when its control store is of another version
 */
async function withStores<T>(settings: Settings, work: (stores: UpkeepStores) => Promise<T>): Promise<T> {
  const unlock = lockDirectory(settings.data, lockPath(settings.data))
  try {
    refuseLostControl(settings.data)
    const stores = await openStores(settings)
    try {
      return await work(stores)
    } finally {
      await stores.close()
    }
  } finally {
    unlock()
  }
}

async function openStores(settings: Settings) {
  const { data, logLevel } = settings
  const log = createLog({ level: logLevel, thread: 'command line' })
  const clock = systemClock
  const path = controlPath(data)
  // First the reader: it refuses another version, where the writer would migrate.
  const reader = openControlReader({ path, clock, log })
  const control = openControlWriter({ path, clock, log })
  const segments = openSegments({ directory: payloadsPath(data), log })
  const telemetry = await openTelemetry({
    tables: KINDS.tables,
    events: ERRORS,
    fragments: SPANS,
    directory: columnsPath(data),
    log,
    clock,
  })
  const appliedSeq = await control.appliedSeq()
  const eventIds = await openEventIds({
    ...{ directory: eventIdsPath(data), segments, columns: telemetry, appliedSeq, clock, log },
    hasIds: ({ kind }) => KINDS.stored(kind).table.hasEventId,
  })
  return {
    ...{ reader, control, segments, telemetry, eventIds, appliedSeq, log, clock },
    async close() {
      await eventIds.close()
      await telemetry.close()
      await segments.close()
      await reader.close()
      await control.close()
    },
  }
}

/** Reads everything that is kept and holds it against each other. Changes nothing that is stored. */
export function deepCheckDirectory(settings: Settings): Promise<readonly Finding[]> {
  return withStores(settings, async (stores) => {
    const { reader, control, appliedSeq, segments, telemetry, eventIds, clock } = stores
    const hidden = await control.hidden()
    const findings = await deepCheck({
      kinds: KINDS,
      control: reader,
      appliedSeq,
      hidden,
      today: dayOf(clock.now()),
      segments,
      telemetry,
      eventIds,
    })
    const largeBlobs = largeBlobsIn({ directory: largeBlobsPath(settings.data) })
    const attachments = await checkAttachments({ control, largeBlobs, hidden, today: dayOf(clock.now()) })
    const journal = journalPath(settings.data)
    return [...findings, ...attachments, await checkJournal([journal, overflowPath(journal)])]
  })
}

async function checkJournal(directories: readonly string[]): Promise<Finding> {
  const name = 'journal'
  const found = await Promise.all(directories.map(inspectJournal))
  const sum = (of: 'files' | 'records' | 'gaps') => found.reduce((all, one) => all + one[of], 0)
  const [files, records, gaps] = [sum('files'), sum('records'), sum('gaps')]
  const foreign = found.flatMap((one) => one.foreign)
  const waiting = `${files} files, ${records} envelopes`
  if (gaps === 0 && foreign.length === 0) return { ok: true, name, detail: waiting }
  const not = foreign.length > 0 ? `; no journal file of this version: ${foreign.join(', ')}` : ''
  return { ok: false, name, detail: `${waiting}; ${gaps} damaged stretches${not}` }
}

/** Blocks of later batches lie behind those of joined ones. */
const BATCHES_LOOKED_AT = 10_000

export interface RebuildRequest {
  /** Names such as `error-2026-11-21.90`; `null` for every file. */
  readonly only: readonly string[] | null
  /** Cuts payloads that the control store does not know off before. */
  readonly discardLater: boolean
  readonly onFile: (done: RebuiltFile & { readonly name: string }) => void
}

/** Writes column files anew from the payloads. @throws a sentence when a named file has no payloads */
export function rebuildDirectory(
  settings: Settings,
  { only, discardLater, onFile }: RebuildRequest,
): Promise<number> {
  return withStores(settings, async ({ segments, telemetry, control, appliedSeq }) => {
    if (discardLater) await discardBeyond(segments, appliedSeq)
    const known = new Map((await segments.files()).map((file) => [fileStem(file), file]))
    const unknown = (only ?? []).filter((name) => !known.has(name))
    if (unknown.length > 0) throw new Error(`there are no payloads named ${unknown.join(', ')}`)
    const wanted =
      only === null ? null : [...known].filter(([name]) => only.includes(name)).map(([, file]) => file)
    const done = await rebuildColumns(
      {
        kinds: KINDS,
        segments,
        telemetry,
        appliedSeq,
        onFile: (file) => onFile({ ...file, name: fileStem(file.file) }),
      },
      wanted,
    )
    // Of a damaged block whose rows the columns did not have either, the control store still counts the events.
    for (const { file } of done) await countContents({ control, telemetry }, file, async () => {})
    return done.length
  })
}

/** @throws a sentence when compaction joined what is known with what is not */
async function discardBeyond(segments: PayloadCare, appliedSeq: Seq): Promise<void> {
  for (const file of await segments.files()) {
    for (const { firstSeq, lastSeq } of await segments.newestBatches(file, BATCHES_LOOKED_AT)) {
      if (firstSeq > appliedSeq || lastSeq <= appliedSeq) continue
      throw new Error(
        `${fileStem(file)} was compacted since the control store knew it: what is later cannot be cut off. ` +
          'Put back the control store that belongs to it, or run "errata restore" into a new directory',
      )
    }
  }
  await segments.truncateBeyond(appliedSeq)
}

export interface RestoreRequest {
  readonly directory: string
  /** `null` for the newest. */
  readonly snapshot: string | null
}

export interface Restored {
  readonly snapshot: string
  readonly files: number
  readonly events: number
  /** Payload blocks that were damaged when the snapshot was taken: what they held shows nowhere. */
  readonly damagedBlocks: number
}

/**
 * Makes the data directory of the settings, which must be absent or empty, from a snapshot: payloads cut at its seq,
 * columns made from them. @throws a sentence when that cannot be
 */
export async function restoreDirectory(
  settings: Settings,
  { directory, snapshot }: RestoreRequest,
): Promise<Restored> {
  const { data, logLevel } = settings
  let events = 0
  let damagedBlocks = 0
  const { name, manifest } = await restoreBackup({
    ...{ directory, snapshot, data },
    async rebuild({ appliedSeq }) {
      const log = createLog({ level: logLevel, thread: 'command line' })
      const segments = openSegments({ directory: payloadsPath(data), log })
      const telemetry = await openTelemetry({
        ...{
          tables: KINDS.tables,
          events: ERRORS,
          fragments: SPANS,
          directory: columnsPath(data),
          log,
          clock: systemClock,
        },
      })
      try {
        await segments.truncateBeyond(seq(appliedSeq))
        const done = await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: seq(appliedSeq) })
        events = done.reduce((sum, file) => sum + file.rows, 0)
        damagedBlocks = done.reduce((sum, file) => sum + file.damagedBlocks, 0)
      } finally {
        await telemetry.close()
        await segments.close()
      }
    },
  })
  return { snapshot: name, files: manifest.files.length, events, damagedBlocks }
}

/** Rewrites every file that gains by it, today's too. @throws a sentence when a server uses the directory */
export function compactDirectory(settings: Settings): Promise<UpkeepRun> {
  return withStores(settings, async ({ control, telemetry, segments: payloads, eventIds, clock, log }) => {
    const { data, maxDiskBytes } = settings
    const retention = retentionOf({
      kinds: KINDS,
      data,
      maxDiskBytes,
      control,
      telemetry,
      payloads,
      eventIds,
      clock,
      log,
    })
    await retention.start()
    return retention.compactNow({ includeToday: true })
  })
}
