import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { ErrataError } from '#base/errors.ts'
import { type Seq, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { EnvelopeRecord, JournalRecord, SequencedRecord } from '#model/record.ts'
import { anEnvelope, RECEIVED_MS } from '#testing/builders/records.ts'
import { type JournalDamage, readJournalRange } from './read.ts'
import { type Journal, type JournalOptions, openJournal } from './writer.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'errata-journal-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

function open(options: Partial<JournalOptions> = {}): Promise<Journal> {
  return openJournal({ directory, clock: systemClock, appliedSeq: seq(0), log: silentLog, ...options })
}

function takeAll(journal: Journal, onDamage?: (damage: JournalDamage) => void): SequencedRecord[] {
  const records: SequencedRecord[] = []
  for (;;) {
    const range = journal.takeRange(1_000, 1_000_000)
    if (range === null) return records
    records.push(...readJournalRange(range, onDamage))
  }
}

/** Reads on behind damage without reporting it, for tests. */
function noDamage(): void {}

const bodies = (records: readonly SequencedRecord[]) =>
  records.map((record) => (record.type === 'envelope' ? Buffer.from(record.body).toString() : record.type))
const files = () => readdirSync(directory).sort()

/** A disk that says no when told; with `durable` writes it does both at once. */
function refusingDisk(writes: 'durable' | 'plain'): Disk & {
  refuse: (operation: 'write' | 'sync' | 'truncate' | 'create' | null) => void
} {
  let refused: ReadonlySet<string> = new Set()
  const check = (operation: string) => {
    if (refused.has(operation)) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  return {
    ...nodeDisk,
    refuse: (...operations) => {
      refused = new Set(operations.filter((operation) => operation !== null))
    },
    create: async (path) => {
      check('create')
      const file = await nodeDisk.create(path)
      const sync = async () => {
        check('sync')
        await file.sync()
      }
      return {
        writesAreDurable: writes === 'durable',
        read: (...asked) => file.read(...asked),
        size: () => file.size(),
        close: () => file.close(),
        write: async (buffers, position) => {
          // Half of it reaches the disk, as with a real full one.
          if (refused.has('write')) await file.write(buffers.slice(0, 1), position)
          check('write')
          await file.write(buffers, position)
          if (writes === 'durable') await sync()
        },
        sync,
        truncate: async (bytes) => {
          check('truncate')
          await file.truncate(bytes)
        },
      }
    },
  }
}

describe('the journal', () => {
  it('gives back any record as it was appended, in order', async () => {
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 40 }))
    const envelope: fc.Arbitrary<JournalRecord> = fc
      .record({
        clientAddress: text,
        userAgent: text,
        client: text,
        eventId: text,
        body: fc.uint8Array({ maxLength: 3_000 }),
        encodings: fc.array(fc.constantFrom('gzip', 'br', 'zstd', 'deflate'), { maxLength: 3 }),
        skippedItems: fc.array(fc.nat(1_000), { maxLength: 5 }),
        format: fc.constantFrom('envelope', 'store'),
      })
      .map((change) => anEnvelope('', change as Partial<EnvelopeRecord>)) // fast-check widens the literals
    const outcomes: fc.Arbitrary<JournalRecord> = fc.nat(5).map((quantity) => ({
      type: 'outcomes',
      receivedMs: RECEIVED_MS,
      outcomes: [
        {
          outcome: 'invalid',
          reason: 'too_large',
          category: 'error',
          quantity,
          projectId: null,
          keyId: null,
          atMs: 5,
        },
      ],
    }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(envelope, outcomes), { minLength: 1, maxLength: 30 }),
        async (records) => {
          const sub = mkdtempSync(join(directory, 'run-'))
          const journal = await open({ directory: sub, fileBytesMax: 8_000 })
          const seqs = await Promise.all(records.map((record) => journal.append(record)))
          const read = takeAll(journal)
          await journal.close()
          assert.deepEqual(
            seqs,
            records.map((_, index) => index + 1),
          )
          assert.deepEqual(
            read.map((record) => plain(record)),
            records.map((record, index) => plain({ ...record, seq: seq(index + 1) })),
          )
        },
      ),
      { numRuns: 40 },
    )
  })

  it('keeps its files to itself', async () => {
    const journal = await open()
    await journal.append(anEnvelope('one'))
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.equal(statSync(join(directory, files()[0] ?? '')).mode & 0o777, 0o600)
    await journal.close()
  })

  it('never lets the time of receipt go back', async () => {
    const journal = await open()
    await journal.append(anEnvelope('one', { receivedMs: 2_000 }))
    await journal.append(anEnvelope('two', { receivedMs: 1_000 }))
    assert.deepEqual(
      takeAll(journal).map((record) => record.receivedMs),
      [2_000, 2_000],
    )
    await journal.close()
  })

  it('offers ranges within the bounds asked for, and a larger envelope alone', async () => {
    const journal = await open()
    for (const size of [10, 10, 10, 5_000, 10]) await journal.append(anEnvelope('x'.repeat(size)))
    const counts: number[] = []
    for (let range = journal.takeRange(2, 1_000); range !== null; range = journal.takeRange(2, 1_000)) {
      counts.push([...readJournalRange(range)].length)
    }
    assert.deepEqual(counts, [2, 1, 1, 1])
    await journal.close()
  })

  it('tells its listener when something can be taken', async () => {
    const journal = await open()
    const synced = new Promise<void>((resolve) => journal.onSynced(resolve))
    void journal.append(anEnvelope('one'))
    await synced
    assert.notEqual(journal.takeRange(10, 1_000), null)
    await journal.close()
  })

  it('counts the backlog until it is released, and then removes whole files', async () => {
    const journal = await open({ fileBytesMax: 2_000 })
    const seqs: Seq[] = []
    for (let count = 0; count < 10; count++) seqs.push(await journal.append(anEnvelope('x'.repeat(700))))
    assert.equal(journal.backlog().records, 10)
    assert.ok(journal.backlog().bytes > 7_000)
    assert.ok(journal.backlog().oldestMs >= 0)
    assert.equal(files().length, 5)
    journal.release(seq(7))
    assert.equal(journal.backlog().records, 3)
    journal.release(seqs.at(-1) ?? seq(0))
    assert.deepEqual(journal.backlog(), { bytes: 0, records: 0, oldestMs: 0 })
    await journal.close()
    assert.deepEqual(files(), [])
  })

  it('gives up a quiet file, and numbers on from there', async () => {
    const journal = await open({ fileAgeMs: 0 })
    const first = await journal.append(anEnvelope('one'))
    takeAll(journal)
    journal.release(first)
    assert.equal(await journal.append(anEnvelope('two')), 2)
    assert.deepEqual(bodies(takeAll(journal)), ['two'])
    await journal.close()
    assert.equal(files().length, 1)
  })

  it('refuses more than the backlog may hold', async () => {
    const journal = await open({ backlogBytesMax: 1_000 })
    await journal.append(anEnvelope('x'.repeat(800)))
    await assert.rejects(journal.append(anEnvelope('x'.repeat(300))), overloaded)
    journal.release(seq(1))
    await journal.append(anEnvelope('x'.repeat(300)))
    await journal.close()
  })
})

describe('a journal opened again', () => {
  it('offers everything above what is applied, oldest first, across files', async () => {
    const before = await open({ fileBytesMax: 1_000 })
    for (let count = 1; count <= 9; count++) await before.append(anEnvelope(`${count}`.repeat(400)))
    await before.close()
    const journal = await open({ appliedSeq: seq(4) })
    await journal.append(anEnvelope('ten'))
    await journal.recovered()
    assert.deepEqual(
      takeAll(journal).map((record) => record.seq),
      [5, 6, 7, 8, 9, 10],
    )
    assert.deepEqual(journal.damage(), { gaps: 0, bytes: 0 })
    journal.release(seq(10))
    await journal.close()
    assert.deepEqual(files(), [])
  })

  it('offers nothing new before what is older has been found', async () => {
    const before = await open({ fileBytesMax: 300 })
    for (const body of ['one', 'two', 'three']) await before.append(anEnvelope(body.repeat(50)))
    await before.close()
    const journal = await open()
    assert.equal(journal.takeRange(10, 10_000), null)
    assert.equal(journal.backlog().records, 3)
    await journal.recovered()
    assert.equal(takeAll(journal).length, 3)
    await journal.close()
  })

  it('continues behind the applied number when every file is gone', async () => {
    const journal = await open({ appliedSeq: seq(41) })
    assert.equal(await journal.append(anEnvelope('one')), 42)
    await journal.close()
  })

  it('cuts a torn end at every byte of the last record and keeps all before it', async () => {
    const before = await open()
    await before.append(anEnvelope('first'))
    await before.append(anEnvelope('second'))
    const { end: lastStart } = whole(before.takeRange(1, 1))
    await before.close()
    const name = join(directory, files()[0] ?? '')
    const bytes = readFileSync(name)
    const secondBytes = bytes.length - lastStart
    assert.ok(secondBytes > 40)
    for (let cut = lastStart; cut < bytes.length; cut++) {
      writeFileSync(name, bytes.subarray(0, cut))
      const journal = await open()
      assert.equal(await journal.append(anEnvelope('after')), 2, `cut at ${cut}`)
      assert.deepEqual(bodies(takeAll(journal)), ['first', 'after'], `cut at ${cut}`)
      assert.deepEqual(journal.damage(), { gaps: 0, bytes: 0 })
      await journal.close()
      emptyDirectory()
    }
  })

  it('survives a wrong byte in the last record, wherever it is', async () => {
    const before = await open()
    await before.append(anEnvelope('first'))
    await before.append(anEnvelope('second'))
    const { end: lastStart } = whole(before.takeRange(1, 1))
    await before.close()
    const name = join(directory, files()[0] ?? '')
    const bytes = readFileSync(name)
    for (let at = lastStart; at < bytes.length; at++) {
      const broken = Buffer.from(bytes)
      broken.writeUInt8((broken.readUInt8(at) ^ 0x41) & 0xff, at)
      emptyDirectory()
      writeFileSync(name, broken)
      const journal = await open()
      assert.deepEqual(bodies(takeAll(journal, noDamage)), ['first'], `flipped at ${at}`)
      assert.equal(journal.damage().gaps, 1)
      await journal.close()
    }
  })

  it('reads on behind a damaged record in the middle, and counts it', async () => {
    const before = await open()
    for (const body of ['first', 'second', 'third']) await before.append(anEnvelope(body))
    const first = whole(before.takeRange(1, 1))
    const second = whole(before.takeRange(1, 1))
    await before.close()
    const name = join(directory, files()[0] ?? '')
    const bytes = readFileSync(name)
    for (let at = second.start; at < second.end; at++) {
      const broken = Buffer.from(bytes)
      broken.writeUInt8((broken.readUInt8(at) ^ 0xff) & 0xff, at)
      emptyDirectory()
      writeFileSync(name, broken)
      const journal = await open()
      assert.deepEqual(bodies(takeAll(journal, noDamage)), ['first', 'third'], `flipped at ${at}`)
      assert.deepEqual(journal.damage(), { gaps: 1, bytes: second.end - first.end })
      assert.equal(await journal.append(anEnvelope('after')), 4)
      await journal.close()
    }
  })

  it('does the same for damage in an older file', async () => {
    const before = await open({ fileBytesMax: 500 })
    for (const body of ['1', '2', '3', '4', '5', '6']) await before.append(anEnvelope(body.repeat(60)))
    const damaged = whole(before.takeRange(1, 1))
    await before.close()
    const bytes = readFileSync(damaged.file)
    bytes.fill(0, damaged.start + 5, damaged.end - 3)
    writeFileSync(damaged.file, bytes)
    const journal = await open()
    await journal.recovered()
    assert.deepEqual(
      bodies(takeAll(journal, noDamage)).map((body) => body[0]),
      ['2', '3', '4', '5', '6'],
    )
    assert.equal(journal.damage().gaps, 1)
    await journal.close()
  })

  it('cannot be fooled by a body that looks like a record', async () => {
    const before = await open()
    await before.append(anEnvelope('inner'))
    await before.close()
    const forged = readFileSync(join(directory, files()[0] ?? '')).subarray(72)
    rmSync(join(directory, files()[0] ?? ''))
    const other = await open()
    await other.append(anEnvelope(forged))
    await other.append(anEnvelope('last'))
    const carrier = whole(other.takeRange(1, 1))
    await other.close()
    const bytes = readFileSync(carrier.file)
    bytes.writeUInt8(bytes.readUInt8(carrier.start) ^ 1, carrier.start)
    writeFileSync(carrier.file, bytes)
    const journal = await open()
    assert.deepEqual(bodies(takeAll(journal, noDamage)), ['last'])
    await journal.close()
  })

  it('sets aside a file that is no journal, and counts it', async () => {
    writeFileSync(join(directory, 'journal-0000000000000005.log'), 'what is this')
    const journal = await open()
    assert.equal(journal.damage().gaps, 1)
    assert.equal(await journal.append(anEnvelope('one')), 5)
    await journal.close()
    assert.ok(files().includes('journal-0000000000000005.log.damaged'))
  })
})

describe('reading a range', () => {
  it('is loud about bytes that changed after they were synced', async () => {
    const journal = await open()
    for (const body of ['first', 'second', 'third']) await journal.append(anEnvelope(body))
    const first = whole(journal.takeRange(1, 1))
    const rest = whole(journal.takeRange(10, 10_000))
    const bytes = readFileSync(first.file)
    bytes.writeUInt8(bytes.readUInt8(rest.start + 40) ^ 1, rest.start + 40)
    writeFileSync(first.file, bytes)
    assert.throws(() => [...readJournalRange(rest)], /is damaged from byte/)
    const damage: JournalDamage[] = []
    assert.deepEqual(bodies([...readJournalRange(rest, (found) => damage.push(found))]), ['third'])
    assert.equal(damage.length, 1)
    truncateSync(first.file, rest.end - 5)
    assert.throws(() => [...readJournalRange(rest)], /is damaged from byte/)
    await journal.close()
  })
})

it('asks the machine for durable writes, where it does both at once', async () => {
  const made: boolean[] = []
  const create: Disk['create'] = async (path, writes) => {
    const file = await nodeDisk.create(path, writes)
    made.push(file.writesAreDurable)
    return file
  }
  const journal = await open({ disk: { ...nodeDisk, create } })
  await journal.append(anEnvelope('here'))
  await journal.close()
  assert.deepEqual(made, [process.platform === 'linux'])
})

describe('a disk that refuses', () => {
  const cases = [['write'], ['sync'], ['create'], ['write', 'truncate'], ['sync', 'truncate']] as const
  for (const [operations, writes] of cases.flatMap((each) => [
    [each, 'plain'] as const,
    [each, 'durable'] as const,
  ])) {
    const name = `${operations.join(' and ')} of ${writes} writes`
    it(`acknowledges nothing while ${name} fails, and is healthy again after`, async () => {
      const disk = refusingDisk(writes)
      const journal = await open({ disk, fileBytesMax: operations[0] === 'create' ? 150 : 10_000 })
      await journal.append(anEnvelope('before'))
      assert.equal(journal.failing(), null)
      Reflect.apply(disk.refuse, disk, operations)
      const answers = await Promise.allSettled([
        journal.append(anEnvelope('lost 1')),
        journal.append(anEnvelope('lost 2')),
        journal.append(anEnvelope('lost 3')),
      ])
      for (const answer of answers) {
        assert.equal(answer.status, 'rejected')
        assert.ok(overloaded(answer.reason))
      }
      assert.match(journal.failing() ?? '', /no space left/)
      disk.refuse(null)
      const after = await journal.append(anEnvelope('after'))
      assert.equal(journal.failing(), null)
      assert.deepEqual(bodies(takeAll(journal)), ['before', 'after'])
      await journal.close()
      const again = await open()
      await again.recovered()
      const found = takeAll(again)
      assert.equal(found.at(-1)?.seq, after)
      assert.equal(new Set(found.map((record) => record.seq)).size, found.length)
      for (const body of ['before', 'after']) assert.ok(bodies(found).includes(body))
      await again.close()
    })
  }
})

function plain(record: SequencedRecord): unknown {
  return record.type === 'envelope' ? { ...record, body: Buffer.from(record.body).toString('hex') } : record
}

function overloaded(error: unknown): boolean {
  return error instanceof ErrataError && error.code === 'overloaded'
}

function whole<T>(value: T | null | undefined): T {
  assert.ok(value !== null && value !== undefined)
  return value
}

function emptyDirectory(): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name))
}
