import assert from 'node:assert/strict'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { JournalRange } from '#model/record.ts'
import { anEnvelope } from '#testing/builders/records.ts'
import { readJournalRange, splitRange } from './read.ts'
import { openJournal } from './writer.ts'

async function tenRecords(t: TestContext): Promise<JournalRange> {
  const directory = await mkdtemp(join(tmpdir(), 'errata-split-'))
  const journal = await openJournal({ directory, clock: systemClock, appliedSeq: seq(0), log: silentLog })
  t.after(async () => {
    await journal.close()
    await rm(directory, { recursive: true })
  })
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => journal.append(anEnvelope('x'.repeat(at * 50 + 1)))),
  )
  const range = journal.takeRange(100, 1_000_000)
  assert.ok(range !== null)
  return range
}

describe('a range in parts', () => {
  it('holds every record once, in order', async (t) => {
    const range = await tenRecords(t)
    for (const partsMax of [1, 3, 4, 10, 99]) {
      const parts = splitRange(range, partsMax)
      assert.ok(parts.length <= partsMax)
      const seqs = parts.flatMap((part) => [...readJournalRange(part)].map((record) => Number(record.seq)))
      assert.deepEqual(seqs, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      for (const part of parts) {
        assert.deepEqual([...readJournalRange(part)].at(0)?.seq, part.firstSeq)
        assert.deepEqual([...readJournalRange(part)].at(-1)?.seq, part.lastSeq)
      }
    }
  })

  it('holds every readable record once when bytes are damaged, and the missing number in one part', async (t) => {
    const range = await tenRecords(t)
    const file = await open(range.file, 'r+')
    await file.write(
      Buffer.from([255, 255, 255]),
      0,
      3,
      range.start + Math.floor((range.end - range.start) / 2),
    )
    await file.close()
    for (const partsMax of [1, 3, 10]) {
      const parts = splitRange(range, partsMax)
      const damaged: number[] = []
      const read = parts.map((part, at) => [...readJournalRange(part, () => void damaged.push(at))].length)
      const numbers = parts.map(({ firstSeq, lastSeq }) => lastSeq - firstSeq + 1)
      assert.equal(
        read.reduce((sum, count) => sum + count),
        9,
      )
      assert.equal(
        numbers.reduce((sum, count) => sum + count),
        10,
      )
      assert.deepEqual(
        numbers.flatMap((count, at) => (count === read[at] ? [] : [at])),
        damaged,
      )
      assert.equal(parts.at(-1)?.end, range.end)
    }
  })
})
