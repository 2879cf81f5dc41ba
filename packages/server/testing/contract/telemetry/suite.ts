/** What every TelemetryStore promises, as tests over real files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { seq } from '#base/ids.ts'
import type { TelemetryUpkeep } from '#ports/retention.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import { pagingTests } from './paging.ts'
import { readingTests } from './reading.ts'
import { anEventRow, aScope, FIRST_DAY, GROUP_A, SHOP } from './rows.ts'
import { upkeepTests } from './upkeep.ts'
import { writingTests } from './writing.ts'

/** Opens a store on a directory; called again on the same one after `close`. */
export type OpenTelemetryStore = (directory: string) => Promise<TelemetryStore & TelemetryUpkeep>

/** A store on a directory of its own, for one describe block. */
export interface StoreUnderTest {
  readonly store: () => TelemetryStore & TelemetryUpkeep
  readonly reopen: () => Promise<TelemetryStore & TelemetryUpkeep>
}

export function telemetryContract(name: string, open: OpenTelemetryStore): void {
  describe(`telemetry store: ${name}`, () => {
    describe('writing', () => writingTests(underTest(open)))
    describe('reading', () => readingTests(underTest(open)))
    describe('paging', () => pagingTests(underTest(open)))
    describe('upkeep', () => upkeepTests(underTest(open)))

    describe('an empty store', () => {
      const { store } = underTest(open)
      it('has no files and finds nothing in files that do not exist', async () => {
        const file = { day: FIRST_DAY, retentionDays: 90 } as const
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

function underTest(open: OpenTelemetryStore): StoreUnderTest {
  let directory: string
  let store: TelemetryStore & TelemetryUpkeep
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
    async reopen() {
      await store.close()
      store = await open(directory)
      return store
    },
  }
}
