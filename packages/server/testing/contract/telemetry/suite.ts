/** Promises of every TelemetryStore, as tests over real files. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seq } from '#base/ids.ts'
import type { RowEncoding } from '#ports/telemetry.ts'
import { GROUP_A, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY } from '../../builders/stored-event.ts'
import { groupsThatMissedTests } from './groups-that-missed.ts'
import { missedMapsTests } from './missed-maps.ts'
import { pagingTests } from './paging.ts'
import { readingTests } from './reading.ts'
import { type OpenTelemetryStore, underTest } from './store-under-test.ts'
import { tracesTests } from './traces.ts'
import { upkeepTests } from './upkeep.ts'
import { writingTests } from './writing.ts'

export function telemetryContract(name: string, open: OpenTelemetryStore, encoding: RowEncoding): void {
  const fresh = () => underTest(open, encoding)
  describe(`telemetry store: ${name}`, () => {
    describe('writing', () => writingTests(fresh()))
    describe('reading', () => readingTests(fresh()))
    describe('paging', () => pagingTests(fresh()))
    describe('traces', () => tracesTests(fresh()))
    describe('missed maps', () => missedMapsTests(fresh()))
    describe('upkeep', () => upkeepTests(fresh()))
    describe('groups that missed maps', () => groupsThatMissedTests(fresh()))

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
