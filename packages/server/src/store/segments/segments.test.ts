import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { day, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Damage } from '#model/damage.ts'
import type { PayloadSegments } from '#ports/telemetry.ts'
import type { VerifyFiles, VerifyPlace, VerifyStep } from '#store/embedded/care/stores/verify-files.ts'
import { aBlock, aPayload, type PayloadSpec } from '#testing/builders/payload-block.ts'
import { payloadsContract } from '#testing/contract/payloads/suite.ts'
import { SEGMENT_HEADER_BYTES } from './format.ts'
import { openSegments } from './segments.ts'

payloadsContract('files of zstd blocks', (directory) => openSegments({ directory, log: silentLog }))

const FILE = { kind: 'error', day: day(20_000), retentionDays: 90 } as const
const NAME = 'error-2024-10-04.90.seg'

/** Two committed batches and a third; the file's bytes, and where the third begins. */
async function threeBatches(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-segments-'))
  t.after(() => rm(directory, { recursive: true }))
  const path = join(directory, NAME)
  const store = openSegments({ directory, log: silentLog })
  await store.append([aBlock(FILE, [aPayload(1), aPayload(3)]), aBlock(FILE, [aPayload(2)])])
  await store.append([aBlock(FILE, [aPayload(4)])])
  const committed = (await stat(path)).size
  await store.append([aBlock(FILE, [aPayload(5), aPayload(6)])])
  await store.close()
  return { directory, path, bytes: await readFile(path), committed }
}

async function readText(store: PayloadSegments, spec: PayloadSpec): Promise<string | null> {
  const bytes = await store.read(FILE, spec.projectId, spec.eventId)
  return bytes === null ? null : Buffer.from(bytes).toString()
}

describe('a payload file', () => {
  it('is named by day and class and readable by its owner alone', async (t) => {
    const { path } = await threeBatches(t)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
  })

  it('loses its last batch, and nothing else, wherever a crash cut it short', async (t) => {
    const { directory, path, bytes, committed } = await threeBatches(t)
    for (let length = committed; length <= bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length))
      const store = openSegments({ directory, log: silentLog })
      await store.truncateBeyond(seq(4))
      assert.equal((await stat(path)).size, committed, `cut at byte ${length}`)
      for (const number of [1, 2, 3, 4]) {
        assert.equal(await readText(store, aPayload(number)), aPayload(number).text)
      }
      assert.equal(await readText(store, aPayload(5)), null)
      await store.append([aBlock(FILE, [aPayload(5), aPayload(6)])])
      assert.equal(await readText(store, aPayload(6)), aPayload(6).text)
      await store.close()
      assert.deepEqual(await readFile(path), bytes)
    }
  })

  it('loses a last batch of which a page in the middle never reached the disk', async (t) => {
    const { directory, path, bytes, committed } = await threeBatches(t)
    for (let at = committed; at < bytes.length; at += 7) {
      const torn = Buffer.from(bytes).fill(0, at, Math.min(at + 20, bytes.length))
      await writeFile(path, torn)
      const store = openSegments({ directory, log: silentLog })
      await store.truncateBeyond(seq(4))
      assert.equal((await stat(path)).size, committed)
      await store.close()
    }
  })

  it('says loudly that stored events are lost when what was committed is cut short', async (t) => {
    const { directory, path, bytes, committed } = await threeBatches(t)
    await writeFile(path, bytes.subarray(0, bytes.length - 5))
    const { log, errors } = keptErrors()
    const store = openSegments({ directory, log })
    await store.truncateBeyond(seq(6))
    await store.close()
    assert.deepEqual(errors, [
      {
        message: 'the end of a payload file is damaged: stored events are lost',
        file: 'error-2024-10-04.90',
        events: 2,
        bytes: bytes.length - 5 - committed,
      },
    ])
  })

  it('keeps a committed block at its end whose header is damaged, and tells of it', async (t) => {
    const { directory, path, bytes, committed } = await threeBatches(t)
    // Of the list of entries: the seqs still say that the batch was committed.
    for (const at of [committed + 8, committed + 54, committed + 70]) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      await writeFile(path, damaged)
      const { log, errors } = keptErrors()
      const store = openSegments({ directory, log })
      await store.truncateBeyond(seq(6))
      assert.equal((await stat(path)).size, bytes.length, `byte ${at - committed} of the block`)
      assert.deepEqual(errors, [
        {
          message: 'the end of a payload file is damaged: its events cannot be shown',
          file: 'error-2024-10-04.90',
          bytes: bytes.length - committed,
        },
      ])
      await store.append([aBlock(FILE, [aPayload(7)])])
      assert.equal(await readText(store, aPayload(4)), aPayload(4).text)
      assert.equal(await readText(store, aPayload(7)), aPayload(7).text)
      assert.deepEqual((await store.verify(FILE, null)).damagedAt, [committed])
      await assert.rejects(readText(store, aPayload(5)), /is damaged/)
      await store.close()
    }
  })

  it('begins anew where a crash cut even its header short', async (t) => {
    const { directory, path, bytes } = await threeBatches(t)
    for (let length = 0; length < 16; length++) {
      await writeFile(path, bytes.subarray(0, length))
      const store = openSegments({ directory, log: silentLog })
      await store.truncateBeyond(seq(0))
      await store.append([aBlock(FILE, [aPayload(1)])])
      assert.equal(await readText(store, aPayload(1)), aPayload(1).text)
      await store.close()
    }
  })

  it('answers an error for a damaged block, never a wrong event, and serves the blocks around it', async (t) => {
    const { directory, path, bytes } = await threeBatches(t)
    const numbers = [1, 2, 3, 4, 5, 6]
    for (let at = SEGMENT_HEADER_BYTES; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      await writeFile(path, damaged)
      const store = openSegments({ directory, log: silentLog })
      let right = 0
      for (const number of numbers) {
        const spec = aPayload(number)
        const text = await readText(store, spec).catch((error: Error) => {
          assert.match(error.message, /is damaged/)
          return 'damaged'
        })
        assert.ok(text === spec.text || text === 'damaged', `byte ${at}, event ${number}: ${text}`)
        if (text === spec.text) right++
      }
      // At most one block of one or two events is hit.
      assert.ok(right >= numbers.length - 2, `byte ${at}: ${right} of ${numbers.length} readable`)
      await store.close()
    }
  })

  it('keeps committed blocks behind a damaged one when it is put in order', async (t) => {
    const { directory, path, bytes, committed } = await threeBatches(t)
    const damaged = Buffer.from(bytes)
    damaged[SEGMENT_HEADER_BYTES + 14] = (damaged[SEGMENT_HEADER_BYTES + 14] ?? 0) ^ 0xff
    await writeFile(path, damaged)
    const store = openSegments({ directory, log: silentLog })
    await store.truncateBeyond(seq(4))
    assert.equal((await stat(path)).size, committed)
    assert.equal(await readText(store, aPayload(4)), aPayload(4).text)
    await store.close()
  })

  it('is refused when it is of another version', async (t) => {
    const { directory, path, bytes } = await threeBatches(t)
    const other = Buffer.from(bytes)
    other[4] = 9
    await writeFile(path, other)
    const store = openSegments({ directory, log: silentLog })
    await assert.rejects(store.truncateBeyond(seq(4)), /damaged or of another version/)
    await store.close()
    assert.deepEqual(await readFile(path), other)
  })

  it('takes nothing more after a failed append until it has been put in order', async (t) => {
    const { directory, bytes, path } = await threeBatches(t)
    const store = openSegments({ directory, log: silentLog })
    const { block, entries } = aBlock(FILE, [aPayload(7)])
    const outside = entries.map((entry) => ({ ...entry, bytes: block.rawBytes + 1 }))
    await assert.rejects(store.append([aBlock(FILE, [aPayload(8)]), { block, entries: outside }]))
    await assert.rejects(store.append([{ block, entries }]), /put in order/)
    await store.truncateBeyond(seq(6))
    assert.deepEqual(await readFile(path), bytes)
    await store.append([{ block, entries }])
    assert.equal(await readText(store, aPayload(7)), aPayload(7).text)
    await store.close()
  })

  it('takes new blocks into what replaced it, also when the directory could not be synced', async (t) => {
    const { directory } = await threeBatches(t)
    let refusals = 0
    let synced = 0
    const disk: Disk = {
      ...nodeDisk,
      syncDirectory: async (path) => {
        if (refusals-- > 0) throw new Error('EIO: i/o error, fsync')
        await nodeDisk.syncDirectory(path)
        synced++
      },
    }
    const store = openSegments({ directory, log: silentLog, disk })
    await store.append([aBlock(FILE, [aPayload(7)])])
    refusals = 1
    const rewritten = store.rewrite(FILE, {
      ...{
        upToSeq: seq(7),
        keysOf: ({ entries }) => entries.map(() => ''),
        allGo: () => false,
        pause: async () => {},
        guard: (exchange) => exchange(),
      },
    })
    await assert.rejects(rewritten, /EIO/)
    synced = 0
    await store.append([aBlock(FILE, [aPayload(8)])])
    assert.ok(synced > 0, 'the name of what replaced it is synced before anything in it is relied upon')
    await store.close()
    const again = openSegments({ directory, log: silentLog })
    for (const number of [1, 7, 8])
      assert.equal(await readText(again, aPayload(number)), aPayload(number).text)
    await again.close()
  })
})

describe('a payload file that is verified', () => {
  /** Five blocks of 600 KB that cannot be packed, and where each begins. */
  async function largeBlocks(t: TestContext) {
    const directory = await mkdtemp(join(tmpdir(), 'errata-segments-'))
    t.after(() => rm(directory, { recursive: true }))
    const damages: unknown[] = []
    const onDamage = (damage: Damage) => void damages.push([damage.code, damage.detail])
    const store = openSegments({ directory, log: silentLog, onDamage })
    const starts: number[] = []
    for (let number = 1; number <= 5; number++) {
      starts.push((await stat(join(directory, NAME)).catch(() => null))?.size ?? SEGMENT_HEADER_BYTES)
      await store.append([
        aBlock(FILE, [{ ...aPayload(number), text: randomBytes(450_000).toString('base64') }]),
      ])
    }
    return { directory, path: join(directory, NAME), store, starts, damages }
  }

  async function steps(store: VerifyFiles) {
    const all: VerifyStep[] = []
    for (let place: VerifyPlace | null = null; ; ) {
      const step: VerifyStep = await store.verify(FILE, place)
      all.push(step)
      place = step.next
      if (place === null) return all
    }
  }

  it('is read in steps of a bounded size, each byte once', async (t) => {
    const { path, store } = await largeBlocks(t)
    const all = await steps(store)
    assert.ok(all.length >= 2 && all.every(({ bytes }) => bytes <= max('verifySliceBytes') + 700_000))
    const bytes = all.reduce((sum, step) => sum + step.bytes, 0)
    assert.equal(bytes, (await stat(path)).size - SEGMENT_HEADER_BYTES)
    assert.deepEqual(
      all.flatMap(({ damagedAt }) => damagedAt),
      [],
    )
    await store.close()
  })

  it('names the blocks whose header or body is not what was written', async (t) => {
    const { path, store, starts } = await largeBlocks(t)
    const [, second = 0, , fourth = 0] = starts
    const bytes = await readFile(path)
    for (const at of [second + 30, fourth + 300_000]) bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at)
    await writeFile(path, bytes, { flag: 'r+' })
    assert.deepEqual(
      (await steps(store)).flatMap(({ damagedAt }) => damagedAt),
      [second, fourth],
    )
    await store.close()
  })

  it('is read from its beginning again where it was written anew between two steps', async (t) => {
    const { store } = await largeBlocks(t)
    const { next } = await store.verify(FILE, null)
    assert.ok(next !== null)
    await store.rewrite(FILE, {
      upToSeq: seq(5),
      keysOf: ({ entries }) => entries.map(({ seq: at }) => String(at)),
      allGo: () => false,
      pause: async () => {},
      guard: (exchange) => exchange(),
    })
    const again = await store.verify(FILE, next)
    assert.deepEqual([again.isAnew, again.damagedAt], [true, []])
    await store.close()
  })

  it('tells of the damage that a read meets', async (t) => {
    const { path, store, starts, damages } = await largeBlocks(t)
    const bytes = await readFile(path)
    const at = (starts[2] ?? 0) + 300_000
    bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at)
    await writeFile(path, bytes, { flag: 'r+' })
    await assert.rejects(store.read(FILE, aPayload(3).projectId, aPayload(3).eventId), /is damaged/)
    assert.deepEqual(damages, [['payloads_damaged', `a block at byte ${starts[2]}`]])
    await store.close()
  })
})

/** A log that keeps what it is told of as errors. */
function keptErrors() {
  const errors: unknown[] = []
  const error = (message: string, fields?: object) => errors.push({ message, ...fields })
  return { log: { ...silentLog, error }, errors }
}
