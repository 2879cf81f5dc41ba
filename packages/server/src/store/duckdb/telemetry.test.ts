import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { type GroupHash, groupHash, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { anEventRow, aScope, FIRST_DAY, SHOP } from '#contract/telemetry/rows.ts'
import { telemetryContract } from '#contract/telemetry/suite.ts'
import { openTelemetry } from './telemetry.ts'

telemetryContract('DuckDB', (directory) => openTelemetry({ directory, log: silentLog, clock: systemClock }))

describe('column files on the disk', () => {
  it('are named by day and class and readable by their owner alone', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const store = await openTelemetry({ directory, log: silentLog, clock: systemClock })
    await store.append([anEventRow()], seq(1))
    await store.close()
    const names = (await readdir(directory)).filter((name) => name !== 'spill')
    assert.deepEqual(names, ['events-2024-10-04.90.duckdb'])
    assert.equal((await stat(join(directory, 'events-2024-10-04.90.duckdb'))).mode & 0o777, 0o600)
  })
})

describe('the cost of column rows', () => {
  it('is told for batches of 500 and 1,000 rows, and for the newest 50 of a group', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    const store = await openTelemetry({ directory, log: silentLog, clock: systemClock })
    t.after(async () => {
      await store.close()
      await rm(directory, { recursive: true })
    })
    const tags = Array.from({ length: 15 }, (_, index) => [`tag-${index}`, `value ${index}`] as const)
    let number = 0
    for (const size of [500, 1_000, 500, 1_000]) {
      const startMs = performance.now()
      const start = process.cpuUsage()
      for (let round = 0; round < 5; round++) {
        const rows = Array.from({ length: size }, () =>
          anEventRow({ seq: seq(++number), timestampMs: number, tags, groupHash: aGroup(number % 50) }),
        )
        await store.append(rows, seq(number))
      }
      const { user, system } = process.cpuUsage(start)
      const wall = ((performance.now() - startMs) * 1_000) / (5 * size)
      const cpu = (user + system) / (5 * size)
      t.diagnostic(`${size} rows: ${cpu.toFixed(1)} µs CPU and ${wall.toFixed(1)} µs a row`)
    }
    const files = [{ day: FIRST_DAY, retentionDays: 90 as const }]
    const groups = [{ projectId: SHOP, hash: aGroup(7) }]
    const startMs = performance.now()
    const page = await store.events(aScope(SHOP), { groups, files }, { limit: 50, cursor: null })
    t.diagnostic(`newest 50 of ${number} rows: ${(performance.now() - startMs).toFixed(1)} ms`)
    assert.equal(page.rows.length, 50)
  })
})

function aGroup(number: number): GroupHash {
  return groupHash(String(number).padStart(32, '0'))
}
