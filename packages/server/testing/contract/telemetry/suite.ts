/** What every TelemetryStore promises, as tests over real files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Seq, seq } from '#base/ids.ts'
import { ERRORS, type EventRow } from '#kinds/error/fields.ts'
import type { TelemetryUpkeep } from '#ports/retention.ts'
import type { EventReads, RowEncoding, TelemetryStore, WrittenRow } from '#ports/telemetry.ts'
import { GROUP_A, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY } from '../../builders/stored-event.ts'
import { pagingTests } from './paging.ts'
import { readingTests } from './reading.ts'
import { upkeepTests } from './upkeep.ts'
import { writingTests } from './writing.ts'

/** Opens a store on a directory; called again on the same one after `close`. */
export type OpenTelemetryStore = (directory: string) => Promise<OpenStore>

type OpenStore = TelemetryStore & EventReads<EventRow> & TelemetryUpkeep

/** A store on a directory of its own, for one describe block. */
export interface StoreUnderTest {
  readonly store: () => OpenStore
  readonly reopen: () => Promise<OpenStore>
  /** Appends rows as the store's own encoder writes them. */
  readonly append: (rows: readonly EventRow[], lastSeq: Seq) => Promise<void>
}

export function telemetryContract(name: string, open: OpenTelemetryStore, encoding: RowEncoding): void {
  const fresh = () => underTest(open, encoding)
  describe(`telemetry store: ${name}`, () => {
    describe('writing', () => writingTests(fresh()))
    describe('reading', () => readingTests(fresh()))
    describe('paging', () => pagingTests(fresh()))
    describe('upkeep', () => upkeepTests(fresh()))

    describe('an empty store', () => {
      const { store } = fresh()
      it('has no files and finds nothing in files that do not exist', async () => {
        const file = { kind: 'error', day: FIRST_DAY, retentionDays: 90 } as const
        const filter = { groups: [{ projectId: SHOP, hash: GROUP_A }], files: [file] }
        const row = anEventRow()
        assert.deepEqual(await store().files(), [])
        assert.deepEqual(await store().events(aScope(SHOP), filter, { limit: 10, cursor: null }), {
          rows: [],
          nextCursor: null,
        })
        assert.equal(await store().event(aScope(SHOP), file, SHOP, row.eventId), null)
        assert.deepEqual(await store().groupsMatching(aScope(SHOP), { files: [file] }, 10), [])
        await store().removeBeyond(seq(0))
        assert.deepEqual(await store().files(), [])
      })
    })
  })
}

function underTest(open: OpenTelemetryStore, encoding: RowEncoding): StoreUnderTest {
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
        rows.map((row) => written(row, encoding)),
        lastSeq,
      ),
    async reopen() {
      await store.close()
      store = await open(directory)
      return store
    },
  }
}

export function written(row: EventRow, encoding: RowEncoding): WrittenRow {
  const encoder = encoding(ERRORS)
  const form = encoder.add(row)
  const { seq: at, timestampMs, day, retentionDays } = row
  const line = Buffer.from(encoder.finish()).toString('utf8')
  return { seq: at, timestampMs, file: { kind: ERRORS.kind, day, retentionDays }, line, form }
}
