import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { silentLog } from '#base/log.ts'
import { quarantineName } from '#ports/quarantine-name.ts'
import { openBlobDirectory } from '#store/blobs/blob-directory.ts'
import { removeOldQuarantine } from './quarantine.ts'

const NOW = Date.UTC(2026, 10, 16)
const DAY_MS = 86_400_000

async function aQuarantine(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-quarantine-'))
  t.after(() => rm(directory, { recursive: true }))
  const blobs = await openBlobDirectory({ directory })
  return {
    /** A body of so many bytes (a hole in the file), so many days old. */
    async put(number: number, ageDays: number, bytes = 10) {
      await blobs.put(quarantineName(seq(number)), new Uint8Array(1))
      const path = join(directory, 'quarantine', String(number))
      await truncate(path, bytes)
      await utimes(path, new Date(), new Date(NOW - ageDays * DAY_MS))
    },
    sweep: () => removeOldQuarantine({ blobs, clock: manualClock(NOW), log: silentLog }),
    names: async () => (await blobs.list('')).map(({ name }) => name),
    blobs,
  }
}

describe('quarantined envelopes', () => {
  it('are deleted when they are older than the quarantine lasts', async (t) => {
    const { put, sweep, names, blobs } = await aQuarantine(t)
    for (const [number, days] of [0, 6.9, 7.1, 100].entries()) await put(number + 1, days)
    await blobs.put('other/kept', new Uint8Array(1))
    assert.equal(await sweep(), 2)
    assert.deepEqual(await names(), ['other/kept', 'quarantine/1', 'quarantine/2'])
    assert.equal(await sweep(), 0)
  })

  it('make room for newer ones when they are too many bytes together', async (t) => {
    const { put, sweep, names } = await aQuarantine(t)
    const third = Math.floor(max('quarantineBytesMax') / 3)
    for (const number of [1, 2, 3, 4, 5]) await put(number, 5 - number, third)
    assert.equal(await sweep(), 2)
    assert.deepEqual(await names(), ['quarantine/3', 'quarantine/4', 'quarantine/5'])
  })
})
