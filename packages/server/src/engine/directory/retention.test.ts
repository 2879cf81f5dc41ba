/** Share of the disk, counted from the directory as the running engine writes it, logs included. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { bytesBelow } from '#base/directory-bytes.ts'
import { silentLog } from '#base/log.ts'
import { KINDS } from '#kinds/kinds.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { aWorld, store } from '#testing/worlds/retention.ts'
import { retentionOf } from './retention.ts'

const LOG_BYTES = 200_000

describe('the share of the disk', () => {
  for (const [what, path] of [
    ['the log of a column file', 'columns/error-2026-11-16.90.duckdb.wal.kept'],
    ['the log of the control store', 'control.sqlite-wal.kept'],
    ['the journal', 'journal/journal-0000000000000001.log'],
  ] as const) {
    it(`counts ${what}`, async (t) => {
      const { directory, clock, shop, open } = await aWorld(t)
      const first = await open()
      const days = [3, 2, 1, 0].map((age) => ({ from: shop, receivedMs: NOW - age * DAY }))
      await store(first, days, 1)
      const { house } = await open()
      const { control, telemetry, eventIds, segments: payloads } = house
      const maxDiskBytes = (await bytesBelow(directory)) + LOG_BYTES / 2
      const parts = { kinds: KINDS, data: directory, control, telemetry, payloads, eventIds, clock }
      const retention = retentionOf({ ...parts, log: silentLog, maxDiskBytes })
      assert.equal((await retention.retain()).files, 0)
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), Buffer.alloc(LOG_BYTES))
      const { files, freedBytes } = await retention.retain()
      assert.ok(files > 0 && freedBytes > 0)
      assert.equal((await house.reader.upkeepDone(5)).removals[0]?.reason, 'disk')
    })
  }
})
