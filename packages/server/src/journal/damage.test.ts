import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { keyId, projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { readRange } from './read.ts'
import type { EnvelopeRecord, JournalRange } from './record.ts'
import { type Journal, type JournalOptions, openJournal } from './writer.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'errata-journal-damage-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const open = (options: Partial<JournalOptions> = {}) =>
  openJournal({ directory, clock: manualClock(0), appliedSeq: seq(0), log: silentLog, ...options })

function anEnvelope(number: number): EnvelopeRecord {
  return {
    ...{ type: 'envelope', projectId: projectId(1), keyId: keyId(1), receivedMs: 1_000 + number },
    ...{ clientAddress: null, userAgent: null, client: null, encodings: [], format: 'envelope' },
    ...{ eventId: null, skippedItems: [], body: Buffer.from(String(number).padStart(80, '.')) },
  }
}

/** Twelve records in files of three; the names of the files, oldest first. */
async function twelve(): Promise<readonly string[]> {
  const journal = await open({ fileBytesMax: 560 })
  for (let number = 1; number <= 12; number++) await journal.append(anEnvelope(number))
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
    const records = [...readRange(range, () => (damaged = true))]
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
      truncateSync(second, 200)
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
      writeFileSync(second, bytes.fill(0, 0, 32))
      const journal = await open()
      await journal.recovered()
      assert.deepEqual(taken(journal, recordsMax), { read: all(4, 5, 6), missing: 3 })
      await journal.close()
    })
  }

  it('counts nothing of what is applied already', async () => {
    const [first = '', second = ''] = await twelve()
    for (const path of [first, second]) writeFileSync(path, readFileSync(path).fill(0, 0, 32))
    const journal = await open({ appliedSeq: seq(5) })
    await journal.recovered()
    const range = journal.takeRange(1_000, 1_000_000)
    assert.deepEqual([range?.firstSeq, range?.lastSeq], [6, 6])
    await journal.close()
  })

  it('counts nothing that the disk refused', async () => {
    let refusing = false
    const disk: Disk = {
      ...nodeDisk,
      async create(path) {
        const file = await nodeDisk.create(path)
        return {
          read: (position, bytes) => file.read(position, bytes),
          write: (buffers, position) => file.write(buffers, position),
          truncate: (bytes) => file.truncate(bytes),
          size: () => file.size(),
          close: () => file.close(),
          sync: () => (refusing ? Promise.reject(new Error('EIO: i/o error')) : file.sync()),
        }
      },
    }
    const before = await open({ disk })
    await before.append(anEnvelope(1))
    refusing = true
    await assert.rejects(before.append(anEnvelope(2)))
    refusing = false
    const after = await before.append(anEnvelope(3))
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
