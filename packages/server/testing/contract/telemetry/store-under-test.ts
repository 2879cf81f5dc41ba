/** The store that a block of the contract's tests runs on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Seq } from '#base/ids.ts'
import { ERRORS, type EventRow } from '#kinds/error/fields.ts'
import { type FragmentRow, SPANS } from '#kinds/span/fields.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import type { Columns } from '#ports/columns.ts'
import type { MissedMapCounts } from '#ports/missed-maps.ts'
import type { PeopleReads } from '#ports/people.ts'
import type { EventReads, MissedMapsRead, RowEncoding, TelemetryStore, WrittenRow } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import type { ColumnCare } from '#store/embedded/care/stores/columns.ts'

/** Opens a store on a directory; called again on the same one after `close`. */
export type OpenTelemetryStore = (directory: string) => Promise<OpenStore>

type OpenStore = TelemetryStore &
  EventReads<EventRow> &
  TraceReads<FragmentRow> &
  PeopleReads &
  ColumnCare &
  MissedMapsRead &
  MissedMapCounts &
  Columns

/** A store on a directory of its own, for one describe block. */
export interface StoreUnderTest {
  readonly store: () => OpenStore
  readonly reopen: () => Promise<OpenStore>
  /** Appends rows as the store's own encoder writes them. */
  readonly append: (rows: readonly EventRow[], lastSeq: Seq) => Promise<void>
  readonly appendFragments: (rows: readonly FragmentRow[], lastSeq: Seq) => Promise<void>
}

export function underTest(open: OpenTelemetryStore, encoding: RowEncoding): StoreUnderTest {
  let directory: string
  let store: OpenStore
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'errata-telemetry-'))
    store = await open(directory)
  })
  after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  return {
    store: () => store,
    append: (rows, lastSeq) =>
      store.append(
        rows.map((row) => writtenError(row, encoding)),
        lastSeq,
      ),
    appendFragments: (rows, lastSeq) =>
      store.append(
        rows.map((row) => writtenAs(SPANS, row, encoding)),
        lastSeq,
      ),
    async reopen() {
      await store.close()
      store = await open(directory)
      return store
    },
  }
}

export function writtenError(row: EventRow, encoding: RowEncoding): WrittenRow {
  return writtenAs(ERRORS, row, encoding)
}

function writtenAs<R extends StoredRow>(table: RowTable<R>, row: R, encoding: RowEncoding): WrittenRow {
  const encoder = encoding(table)
  const form = encoder.add(row)
  const { seq: at, timestampMs, day, retentionDays } = row
  const line = Buffer.from(encoder.finish()).toString('utf8')
  return { seq: at, timestampMs, file: { kind: table.kind, day, retentionDays }, line, form }
}
