import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { manualClock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange } from '#model/record.ts'
import { anEnvelope } from '#testing/builders/records.ts'
import { watchedDisk } from '#testing/disk.ts'
import { readJournalRange } from './read.ts'
import { removeSetAside, setAside } from './set-aside.ts'
import { type Journal, type JournalOptions, openJournal } from './writer.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'errata-journal-damage-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const open = (options: Partial<JournalOptions> = {}) =>
  openJournal({ directory, clock: manualClock(0), appliedSeq: seq(0), log: silentLog, ...options })

const numbered = (number: number) =>
  anEnvelope(String(number).padStart(80, '.'), { clientAddress: null, receivedMs: 1_000 + number })

/** Twelve records in files of three; the names of the files, oldest first. */
async function twelve(): Promise<readonly string[]> {
  const journal = await open({ fileBytesMax: 600 })
  for (let number = 1; number <= 12; number++) await journal.append(numbered(number))
  await journal.close()
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name))
}

/** Numbers that are read, and those whose range says that they were there and are not. */
function taken(journal: Journal, recordsMax: number): { readonly read: number[]; readonly missing: number } {
  const read: number[] = []
  let missing = 0
  let next = 1
  for (;;) {
    const range = journal.takeRange(recordsMax, 1_000_000)
    if (range === null) return { read, missing }
    assert.equal(range.firstSeq, next, 'ranges follow each other')
    next = range.lastSeq + 1
    const found = numbersOf(range)
    read.push(...found.numbers)
    assert.equal(found.damaged, found.numbers.length < range.lastSeq - range.firstSeq + 1)
    missing += range.lastSeq - range.firstSeq + 1 - found.numbers.length
  }
}

function numbersOf(range: JournalRange): { readonly numbers: number[]; readonly damaged: boolean } {
  let damaged = false
  try {
    const records = [...readJournalRange(range, () => (damaged = true))]
    return { numbers: records.map((record) => record.seq), damaged }
  } catch {
    return { numbers: [], damaged: true } // as a reader that gives the range up
  }
}

const all = (...left: number[]) =>
  Array.from({ length: 12 }, (_, at) => at + 1).filter((number) => !left.includes(number))

describe('a journal whose files were damaged', () => {
  for (const recordsMax of [1, 2, 1_000]) {
    const inRanges = `in ranges of ${recordsMax}`

    it(`offers what a damaged stretch took away, so that it is counted, ${inRanges}`, async () => {
      const [first = ''] = await twelve()
      const bytes = readFileSync(first)
      // From within the first record to within the second: two of three are gone.
      bytes.fill(0x55, 60, 240)
      writeFileSync(first, bytes)
      const journal = await open()
      await journal.recovered()
      assert.deepEqual(taken(journal, recordsMax), { read: all(1, 2), missing: 2 })
      assert.equal(journal.damage().gaps, 1)
      await journal.close()
    })

    it(`knows what the end of an older file held, ${inRanges}`, async () => {
      const [, second = '', third = ''] = await twelve()
      truncateSync(second, 240)
      const bytes = readFileSync(third)
      writeFileSync(third, bytes.fill(0, bytes.length - 30))
      const journal = await open()
      await journal.recovered()
      assert.deepEqual(taken(journal, recordsMax), { read: all(5, 6, 9), missing: 3 })
      assert.equal(journal.damage().gaps, 2)
      await journal.close()
    })

    it(`counts a file that is none any more, ${inRanges}`, async () => {
      const [, second = ''] = await twelve()
      const bytes = readFileSync(second)
      writeFileSync(second, bytes.fill(0, 0, 72))
      const journal = await open()
      await journal.recovered()
      assert.deepEqual(taken(journal, recordsMax), { read: all(4, 5, 6), missing: 3 })
      await journal.close()
    })
  }

  it('lets nobody wait for a file without a header, and sets it aside', async () => {
    const [, second = '', ...later] = await twelve()
    for (const path of [second, later.at(-1) ?? '']) {
      writeFileSync(path, readFileSync(path).fill(0, 0, 72))
    }
    const journal = await open()
    await journal.recovered()
    const givenUp: number[] = []
    for (
      let range = journal.takeRange(3, 1_000_000);
      range !== null;
      range = journal.takeRange(3, 1_000_000)
    ) {
      if (range.isGivenUp === true) givenUp.push(range.firstSeq, range.lastSeq)
    }
    assert.deepEqual(givenUp, [4, 6, 10, 12])
    journal.release(seq(12))
    await journal.close()
    const names = readdirSync(directory).sort()
    assert.deepEqual(
      names,
      [second, later.at(-1)].map((path) => `${basename(path ?? '')}.damaged`),
    )
  })

  it('counts nothing of what is applied already', async () => {
    const [first = '', second = ''] = await twelve()
    for (const path of [first, second]) writeFileSync(path, readFileSync(path).fill(0, 0, 72))
    const journal = await open({ appliedSeq: seq(5) })
    await journal.recovered()
    const range = journal.takeRange(1_000, 1_000_000)
    assert.deepEqual([range?.firstSeq, range?.lastSeq], [6, 6])
    await journal.close()
  })

  it('counts nothing that the disk refused', async () => {
    let refusing = false
    const disk = watchedDisk((operation) => {
      if (refusing && operation === 'sync') throw new Error('EIO: i/o error')
    })
    const before = await open({ disk })
    await before.append(numbered(1))
    refusing = true
    await assert.rejects(before.append(numbered(2)))
    refusing = false
    const after = await before.append(numbered(3))
    await before.close()
    const journal = await open()
    await journal.recovered()
    const ranges = [journal.takeRange(10, 1_000_000), journal.takeRange(10, 1_000_000)]
    assert.deepEqual(
      ranges.map((range) => [range?.firstSeq, range?.lastSeq]),
      [
        [1, 1],
        [after, after],
      ],
    )
    assert.equal(journal.damage().gaps, 0)
    await journal.close()
  })

  it('reads an older file again when the disk refuses once', async () => {
    const [first = ''] = await twelve()
    let refusals = 1
    const disk: Disk = {
      ...nodeDisk,
      async open(path, mode) {
        // The first opening looks at the header; the next one reads.
        if (path === first && mode === 'read' && opened++ === 1 && refusals-- > 0)
          throw new Error('EIO: i/o error')
        return nodeDisk.open(path, mode)
      },
    }
    let opened = 0
    const journal = await open({ disk })
    await journal.recovered()
    assert.equal(refusals, 0)
    assert.deepEqual(taken(journal, 1_000), { read: all(), missing: 0 })
    await journal.close()
  })
})

/** Ten records in one file, and its path. */
async function ten(): Promise<string> {
  const journal = await open()
  for (let number = 1; number <= 10; number++) await journal.append(numbered(number))
  await journal.close()
  return join(directory, readdirSync(directory)[0] ?? '')
}

const HEADER_BYTES = 72
const HEADER_COPIES = [0, HEADER_BYTES / 2]

/** Returns the offset of the record with this number. */
function startOf(bytes: Buffer, number: number): number {
  let at = HEADER_BYTES
  for (let before = 1; before < number; before++) at += 32 + bytes.readUInt32LE(at + 4)
  return at
}

describe('the newest file of a journal', () => {
  async function reopened(path: string, bytes: Buffer) {
    writeFileSync(path, bytes)
    const journal = await open()
    await journal.recovered()
    const found = taken(journal, 1_000)
    const { gaps } = journal.damage()
    await journal.close()
    for (const name of readdirSync(directory)) rmSync(join(directory, name))
    return { read: found.read.length, missing: found.missing, gaps }
  }

  it('loses nothing when any bit of its header flips', async () => {
    const path = await ten()
    const sound = readFileSync(path)
    for (let at = 0; at < HEADER_BYTES; at++) {
      const bytes = Buffer.from(sound)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      assert.deepEqual(await reopened(path, bytes), { read: 10, missing: 0, gaps: 0 }, `flipped at ${at}`)
    }
  })

  async function isSetAside(path: string, bytes: Buffer) {
    writeFileSync(path, bytes)
    const journal = await open()
    assert.deepEqual(taken(journal, 1_000), { read: [], missing: 10 })
    assert.equal(journal.damage().gaps, 1)
    journal.release(seq(10))
    await journal.close()
    assert.deepEqual(readFileSync(`${path}.damaged`), bytes)
    assert.deepEqual(readdirSync(directory).length, 1)
  }

  for (const [what, at] of [
    ['magic', 3],
    ['version', 8],
    ['marker', 12],
    ['seed', 16],
  ] as const) {
    it(`is counted and set aside when the ${what} is damaged in both copies of its header`, async () => {
      const path = await ten()
      const bytes = readFileSync(path)
      for (const copy of HEADER_COPIES) bytes[copy + at] = (bytes[copy + at] ?? 0) ^ 0x20
      await isSetAside(path, bytes)
    })
  }

  it('is counted and set aside when a newer version wrote it', async () => {
    const path = await ten()
    const bytes = readFileSync(path)
    for (const copy of HEADER_COPIES) {
      bytes.writeUInt32LE(bytes.readUInt32LE(copy + 8) + 1, copy + 8)
      bytes.writeUInt32LE(crc32(bytes.subarray(copy, copy + 32)), copy + 32)
    }
    await isSetAside(path, bytes)
  })

  it('counts its last record, whichever of its bytes changes, also with the beginning of another behind it', async () => {
    const path = await ten()
    const bytes = readFileSync(path)
    const last = startOf(bytes, 10)
    const beginning = Buffer.from(bytes.subarray(last))
    beginning.writeUInt32LE(11, 16)
    for (const behind of [0, 2, 20, 60]) {
      const sound = Buffer.concat([bytes, beginning.subarray(0, behind)])
      for (let at = last; at < bytes.length; at++) {
        const broken = Buffer.from(sound)
        broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8))
        const found = await reopened(path, broken)
        assert.deepEqual(found, { read: 9, missing: 1, gaps: 1 }, `flipped at ${at}, ${behind} behind`)
      }
    }
  })

  it('counts no record of a write whose sectors the power took away', async () => {
    const path = await ten()
    const bytes = readFileSync(path)
    const from = startOf(bytes, 8)
    for (let sector = Math.ceil(from / 512); sector * 512 < bytes.length; sector++) {
      const torn = Buffer.from(bytes).fill(0, sector * 512, Math.min(bytes.length, (sector + 1) * 512))
      const { read, missing, gaps } = await reopened(path, torn)
      const isEnd = read + missing < 10
      assert.ok(!isEnd || (missing === 0 && gaps === 0), `sector ${sector}`)
    }
    const first = startOf(bytes, 9)
    assert.deepEqual(await reopened(path, Buffer.from(bytes).fill(0, first)), {
      read: 8,
      missing: 0,
      gaps: 0,
    })
  })

  it('keeps the count of a damaged end over another start', async () => {
    const path = await ten()
    const bytes = readFileSync(path)
    bytes[bytes.length - 5] = 0
    writeFileSync(path, bytes)
    const before = await open()
    assert.equal(await before.append(numbered(11)), 11)
    await before.close()
    const journal = await open()
    await journal.recovered()
    const { read, missing } = taken(journal, 1_000)
    assert.deepEqual([read.length, missing], [10, 1])
    await journal.close()
  })

  it('counts and keeps more zeroes than one write leaves', async () => {
    const path = await ten()
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(22 * 1024 * 1024)]))
    const journal = await open()
    assert.deepEqual(taken(journal, 1_000).missing, 1)
    assert.equal(journal.damage().gaps, 1)
    journal.release(seq(11))
    await journal.close()
    assert.deepEqual(readdirSync(directory), ['journal-0000000000000001.log.damaged'])
  })
})

describe('journal files that were set aside', () => {
  it('are kept for a while and go then, and no other file with them', async () => {
    const [damaged = '', sound = ''] = await twelve()
    await setAside(nodeDisk, damaged)
    const clock = manualClock(Date.now())
    assert.equal(await removeSetAside({ directory, clock, log: silentLog }), 0)
    clock.advance((max('journalSetAsideDaysMax') + 1) * 86_400_000)
    assert.equal(await removeSetAside({ directory, clock, log: silentLog }), 1)
    assert.ok(!existsSync(`${damaged}.damaged`))
    assert.ok(existsSync(sound))
  })
})
