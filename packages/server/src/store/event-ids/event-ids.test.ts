import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '#base/clock.ts'
import { day, dayStartMs, projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { eventIdOf, randomEventId } from '#testing/builders/ids.ts'
import { aBlock, aPayload } from '#testing/builders/payload-block.ts'
import { eventIdsContract, isStored } from '#testing/contract/event-ids/suite.ts'
import { openSegments } from '../segments/segments.ts'
import { openEventIds } from './event-ids.ts'
import { FileIds } from './file-ids.ts'
import { HashTable } from './hash-table.ts'
import { idHash } from './id-hash.ts'
import { Run } from './run-file.ts'
import { HashList, hasHash, mergeHashes } from './sorted-hashes.ts'

const NO_COLUMNS = { files: async () => [], rows: async () => [] }

eventIdsContract('sorted runs', {
  openSegments: (directory) => openSegments({ directory, log: silentLog }),
  open: (world) => openEventIds({ ...world, columns: NO_COLUMNS, hasIds: () => true, log: silentLog }),
})

const FILE = { kind: 'error', day: day(20_000), retentionDays: 90 } as const
const hashOf = (number: number) => idHash(projectId(3), eventIdOf(number))

describe('the hash of an event id', () => {
  it('never changes: it is in files', () => {
    assert.deepEqual(hashOf(0x0123456789ab), { low: 772_782_739, high: 247_639_973 })
  })

  it('differs between ids that follow each other, and between projects', () => {
    const seen = new Set<string>()
    for (let number = 0; number < 50_000; number++) {
      for (const project of [1, 2]) {
        const { low, high } = idHash(projectId(project), eventIdOf(number))
        seen.add(`${low}:${high}`)
      }
    }
    assert.equal(seen.size, 100_000)
  })
})

describe('sets of hashes', () => {
  it('hold what was added and nothing else, sorted, merged or in a table', () => {
    const half = fc.integer({ min: 0, max: 0xffff_ffff })
    const hash = fc.record({ low: half, high: fc.oneof(half, fc.constantFrom(0, 1, 0xffff_ffff)) })
    const hashes = fc.array(
      hash.filter(({ low, high }) => low !== 0 || high !== 0),
      { maxLength: 300 },
    )
    fc.assert(
      fc.property(hashes, hashes, hashes, (some, more, others) => {
        const table = new HashTable()
        const [left, right] = [new HashList(), new HashList()]
        for (const one of some) left.add(one)
        for (const one of more) right.add(one)
        for (const one of [...some, ...more]) table.add(one)
        const merged = mergeHashes(left.sorted(), right.sorted())
        const known = new Set([...some, ...more].map(({ low, high }) => `${low}:${high}`))
        assert.equal(table.size, known.size)
        for (const one of [...some, ...more, ...others]) {
          const is = known.has(`${one.low}:${one.high}`)
          assert.equal(table.has(one), is)
          assert.equal(hasHash(merged, one), is)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('runs', () => {
  it('are few, whatever the number of spills, and answer from memory and from disk alike', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-runs-'))
    t.after(() => rm(directory, { recursive: true }))
    const ids = new FileIds(directory, FILE)
    for (let number = 1; number <= 5_000; number++) {
      ids.add(hashOf(number), number)
      if (number % 50 === 0) await ids.spill(number)
    }
    const names = await readdir(directory)
    assert.ok(names.length <= 8, `${names.length} runs of 100 spills`)
    assert.equal(ids.coveredSeq, 5_000)
    for (const from of ['memory', 'disk'] as const) {
      if (from === 'disk') ids.letGo()
      for (let number = 1; number <= 5_000; number += 7) assert.ok(ids.has(hashOf(number)), from)
      for (let number = 5_001; number <= 6_000; number += 7) assert.ok(!ids.has(hashOf(number)), from)
    }
  })

  it('are found again in whatever state a crash left a merge', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-runs-'))
    t.after(() => rm(directory, { recursive: true }))
    const list = (from: number, to: number) => {
      const hashes = new HashList()
      for (let number = from; number <= to; number++) hashes.add(hashOf(number))
      return hashes.sorted()
    }
    const runs = [
      await Run.write(directory, { file: FILE, fromSeq: 0, upToSeq: 10 }, list(1, 10)),
      await Run.write(directory, { file: FILE, fromSeq: 10, upToSeq: 20 }, list(11, 20)),
      await Run.write(directory, { file: FILE, fromSeq: 0, upToSeq: 20 }, list(1, 20)),
      await Run.write(directory, { file: FILE, fromSeq: 20, upToSeq: 25 }, list(21, 25)),
      await Run.write(directory, { file: FILE, fromSeq: 30, upToSeq: 35 }, list(31, 35)),
    ]
    await writeFile(join(directory, 'error-2024-10-04.90.0-99.ids.writing'), 'half')
    const ids = new FileIds(directory, FILE)
    await ids.adopt(runs)
    assert.equal(ids.coveredSeq, 25)
    assert.deepEqual((await readdir(directory)).filter((name) => name.endsWith('.ids')).sort(), [
      'error-2024-10-04.90.0-20.ids',
      'error-2024-10-04.90.20-25.ids',
    ])
    assert.ok(ids.has(hashOf(1)) && ids.has(hashOf(25)) && !ids.has(hashOf(31)))
  })

  it('reach to what is committed where a batch went into several files, so that a start walks none of them', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-runs-'))
    t.after(() => rm(directory, { recursive: true }))
    const segments = openSegments({ directory: join(directory, 'payloads'), log: silentLog })
    const [runsAt, clock] = [join(directory, 'ids'), manualClock(dayStartMs(FILE.day))]
    const stores = {
      directory: runsAt,
      columns: NO_COLUMNS,
      hasIds: () => true,
      clock,
      log: silentLog,
      appliedSeq: seq(3),
    }
    const before = { ...FILE, day: day(FILE.day - 1) }
    const [first, second, third] = [1, 2, 3].map((number) => aPayload(number))
    assert.ok(first !== undefined && second !== undefined && third !== undefined)
    await segments.append([aBlock(before, [first]), aBlock(FILE, [second, third])])
    await (await openEventIds({ ...stores, segments })).close()
    assert.deepEqual((await readdir(runsAt)).sort(), [
      'error-2024-10-03.90.0-3.ids',
      'error-2024-10-04.90.0-3.ids',
    ])
    await segments.truncateBeyond(seq(3))
    let walked = 0
    const watched = {
      files: () => segments.files(),
      async *scan(...of: Parameters<typeof segments.scan>) {
        for await (const event of segments.scan(...of)) {
          walked++
          yield event
        }
      },
    }
    const ids = await openEventIds({ ...stores, segments: watched })
    assert.equal(walked, 0)
    assert.ok(await isStored(ids, first.projectId, first.eventId, FILE))
    await segments.close()
  })

  it('are made again from the payloads where one is damaged', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-runs-'))
    t.after(() => rm(directory, { recursive: true }))
    const segments = openSegments({ directory: join(directory, 'payloads'), log: silentLog })
    const clock = manualClock(dayStartMs(FILE.day))
    const runsAt = join(directory, 'ids')
    const open = () =>
      openEventIds({
        ...{
          directory: runsAt,
          segments,
          columns: NO_COLUMNS,
          hasIds: () => true,
          clock,
          log: silentLog,
          appliedSeq: seq(3),
        },
      })
    const payloads = [1, 2, 3].map((number) => aPayload(number))
    await segments.append([aBlock(FILE, payloads)])
    await (await open()).close()
    const [name = ''] = await readdir(runsAt)
    const bytes = await readFile(join(runsAt, name))
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      await writeFile(join(runsAt, name), damaged)
      const ids = await open()
      for (const { projectId: project, eventId } of payloads) {
        assert.ok(await isStored(ids, project, eventId, FILE), `byte ${at}`)
      }
      await ids.close()
      assert.deepEqual(await readFile(join(runsAt, name)), bytes)
    }
    await segments.close()
  })

  it('answer quickly for a million ids', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-runs-'))
    t.after(() => rm(directory, { recursive: true }))
    const ids = new FileIds(directory, FILE)
    const project = projectId(3)
    const list = new HashList()
    for (let number = 0; number < 1_000_000; number++) list.add(idHash(project, randomEventId()))
    await ids.addRun(list.sorted(), 1_000_000)
    const asked = Array.from({ length: 10_000 }, randomEventId)
    const time = (what: string) => {
      const startMs = performance.now()
      for (const id of asked) assert.ok(!ids.has(idHash(project, id)))
      t.diagnostic(
        `${what}: ${(((performance.now() - startMs) * 1_000) / asked.length).toFixed(2)} µs per id`,
      )
    }
    time('in memory')
    t.diagnostic(`memory: ${ids.runBytes} bytes`)
    ids.letGo()
    time('on the disk')
    assert.equal(ids.runBytes, 0)
  })
})
