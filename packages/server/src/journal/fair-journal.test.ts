import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Clock, systemClock } from '#base/clock.ts'
import { projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange } from '#model/record.ts'
import { anEnvelope } from '#testing/builders/records.ts'
import { openFairJournal } from './fair-journal.ts'
import { readJournalRange, splitRange } from './read.ts'

const SHARE = 3

async function world(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-fair-'))
  const opened: { close(): Promise<void> }[] = []
  t.after(async () => {
    for (const journal of opened) await journal.close()
    await rm(directory, { recursive: true })
  })
  return async (appliedSeq = 0, appliedOverflow = 0, clock: Clock = systemClock) => {
    const journal = await openFairJournal({
      ...{ directory, clock, log: silentLog, shareRecords: SHARE },
      ...{ appliedSeq: seq(appliedSeq), appliedOverflow },
    })
    opened.push(journal)
    await journal.recovered()
    return journal
  }
}

type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof world>>>>

/** Sends one after the other, so that their order is certain. */
async function send(journal: Opened, project: number, ...names: readonly string[]): Promise<void> {
  for (const name of names) await journal.append({ ...anEnvelope(name), projectId: projectId(project) })
}

/** Whatever waits, range by range, as names. */
function take(journal: Opened, most = 100): JournalRange[] {
  const ranges: JournalRange[] = []
  for (
    let next = journal.takeRange(most, 1_000_000);
    next !== null;
    next = journal.takeRange(most, 1_000_000)
  )
    ranges.push(next)
  return ranges
}

const namesIn = (range: JournalRange) =>
  [...readJournalRange(range)].map((record) =>
    record.type === 'envelope' ? Buffer.from(record.body).toString() : '',
  )
const seqsIn = (range: JournalRange) => [...readJournalRange(range)].map((record) => Number(record.seq))

describe('a flood', () => {
  it('waits in a log of its own, behind what everybody else sent later', async (t) => {
    const journal = await (await world(t))()
    await send(journal, 1, 'f1', 'f2', 'f3', 'f4', 'f5')
    await send(journal, 2, 'quiet')
    const ranges = take(journal)
    assert.deepEqual(ranges.map(namesIn), [
      ['f1', 'f2', 'f3', 'quiet'],
      ['f4', 'f5'],
    ])
    assert.deepEqual(ranges.map(seqsIn), [
      [1, 2, 3, 4],
      [5, 6],
    ])
  })

  it('keeps its order: what comes later waits behind it until nothing of it is left', async (t) => {
    const journal = await (await world(t))()
    await send(journal, 1, 'f1', 'f2', 'f3', 'f4')
    const [shared, flood] = take(journal)
    assert.ok(shared !== undefined && flood !== undefined)
    journal.release(shared.lastSeq)
    await send(journal, 1, 'f5')
    const [next] = take(journal)
    assert.ok(next !== undefined)
    assert.equal(next.isOverflow, true)
    journal.release(next.lastSeq)
    await send(journal, 1, 'f6')
    const [last] = take(journal)
    assert.ok(last !== undefined)
    assert.equal(last.isOverflow, undefined)
    assert.deepEqual(seqsIn(last), [6])
    journal.release(last.lastSeq)
    assert.equal(journal.backlog().records, 0)
  })

  it('has its turn, however much everybody else sends', async (t) => {
    const journal = await (await world(t))()
    await send(journal, 1, 'f1', 'f2', 'f3', 'f4')
    for (let project = 2; project < 12; project++) await send(journal, project, `q${project}`)
    const order = take(journal, 2).map(({ isOverflow }) => isOverflow === true)
    assert.deepEqual(order.indexOf(true), 3)
  })

  it('has numbers of the order in which it is taken, in parts as in whole', async (t) => {
    const journal = await (await world(t))()
    await send(journal, 1, 'f1', 'f2', 'f3', 'f4', 'f5', 'f6')
    await send(journal, 2, 'q1')
    const [shared, flood] = take(journal)
    assert.ok(shared !== undefined && flood !== undefined)
    const parts = splitRange(flood, 3)
    assert.deepEqual(parts.map(seqsIn), [[5], [6], [7]])
    assert.deepEqual(
      parts.map(({ firstSeq }) => Number(firstSeq)),
      [5, 6, 7],
    )
    journal.release(seq(5))
    assert.equal(journal.backlog().records, 2)
    journal.release(seq(7))
    assert.equal(journal.backlog().records, 0)
  })
})

describe('batches of a flood', () => {
  const SHORT = max('journalBesideEnvelopesMin')

  /** The length of the first range of the overflow, once what is everybody's was taken. */
  async function firstOfFlood(
    t: TestContext,
    { others, waitedMs }: { readonly others: readonly number[]; readonly waitedMs: number },
  ): Promise<number> {
    let elapsedMs = 0
    const clock = { now: () => Date.now(), elapsed: () => elapsedMs }
    const journal = await (await world(t))(0, 0, clock)
    for (const project of others) await send(journal, project, `q${project}`)
    elapsedMs = waitedMs
    const flood = Array.from({ length: SHARE + SHORT + 1 }, (_, index) => send(journal, 1, `f${index}`))
    await Promise.all(flood)
    const [first] = take(journal, 2 * SHORT).filter(({ isOverflow }) => isOverflow)
    assert.ok(first !== undefined)
    return first.lastSeq - first.firstSeq + 1
  }

  it('are whole where nobody else sends, although its first envelopes went with those of all', async (t) => {
    assert.equal(await firstOfFlood(t, { others: [], waitedMs: 0 }), SHORT + 1)
  })

  const SENT_BEFORE = [
    { waitedMs: 0, most: SHORT },
    { waitedMs: 9_999, most: SHORT },
    { waitedMs: 10_000, most: SHORT + 1 },
    { waitedMs: 10_001, most: SHORT + 1 },
  ]
  for (const { waitedMs, most } of SENT_BEFORE)
    it(`have ${most} envelopes at most where others sent ${waitedMs} ms before`, async (t) => {
      assert.equal(await firstOfFlood(t, { others: [2, 3], waitedMs }), most)
    })
})

describe('batches of a flood beside somebody else', () => {
  const SHORT = max('journalBesideEnvelopesMin')
  const MOST = 1_000
  const BYTES_MOST = 10_000_000

  /** The lengths of the flood's ranges that are taken at once, after two of the shortest took so many milliseconds. */
  async function inWorkAfter(t: TestContext, tookMs: readonly [number, number]): Promise<number[]> {
    let elapsedMs = 0
    const clock = { now: () => Date.now(), elapsed: () => elapsedMs }
    const journal = await (await world(t))(0, 0, clock)
    await send(journal, 2, 'quiet')
    const flood = Array.from({ length: SHARE + 2 * SHORT + 3 * MOST }, (_, at) => send(journal, 1, `f${at}`))
    await Promise.all(flood)
    const shared = journal.takeRange(MOST, BYTES_MOST)
    assert.ok(shared !== null && shared.isOverflow === undefined)
    journal.release(shared.lastSeq)
    for (const ms of tookMs) {
      const range = journal.takeRange(MOST, BYTES_MOST)
      assert.equal(range?.isOverflow, true)
      assert.equal(lengthOf(range), SHORT)
      elapsedMs += ms
      journal.release(range.lastSeq)
    }
    return [1, 2].map(() => lengthOf(journal.takeRange(MOST, BYTES_MOST)))
  }

  const lengthOf = (range: JournalRange | null) => (range === null ? 0 : range.lastSeq - range.firstSeq + 1)
  /** Ranges in work together are done within a second, by the slower of the two ranges before. */
  const PACES = [
    { tookMs: [100, 100], inWork: [MOST, MOST], said: 'whole where a second’s are two of them' },
    { tookMs: [250, 250], inWork: [800, SHORT], said: 'what a second does, and the shortest beside it' },
    { tookMs: [250, 100], inWork: [800, SHORT], said: 'not longer for one that was quick' },
    { tookMs: [100, 250], inWork: [800, SHORT], said: 'nor for the one before' },
    { tookMs: [1_000, 1_000], inWork: [SHORT, SHORT], said: 'the shortest where a second does no more' },
    { tookMs: [995, 995], inWork: [SHORT + 1, SHORT], said: 'and one more where it does' },
  ] as const
  for (const { tookMs, inWork, said } of PACES)
    it(`are ${said}`, async (t) => {
      assert.deepEqual(await inWorkAfter(t, tookMs), [...inWork])
    })
})

describe('the pace of a flood with several ranges in work', () => {
  const SHORT = max('journalBesideEnvelopesMin')
  const BYTES_MOST = 10_000_000
  const IN_WORK = 4

  /** The length of the flood's next range, after four of the shortest were taken at once and released as told. */
  async function nextAfter(
    t: TestContext,
    releases: readonly { readonly atMs: number; readonly ranges: number }[],
  ): Promise<number> {
    let elapsedMs = 0
    const clock = { now: () => Date.now(), elapsed: () => elapsedMs }
    const journal = await (await world(t))(0, 0, clock)
    await send(journal, 2, 'quiet')
    await Promise.all(Array.from({ length: SHARE + 20 * SHORT }, (_, at) => send(journal, 1, `f${at}`)))
    const shared = journal.takeRange(SHORT, BYTES_MOST)
    assert.ok(shared !== null && shared.isOverflow === undefined)
    journal.release(shared.lastSeq)
    const ranges = Array.from({ length: IN_WORK }, () => journal.takeRange(SHORT, BYTES_MOST))
    assert.ok(ranges.every((range) => range?.isOverflow && range.lastSeq - range.firstSeq + 1 === SHORT))
    let released = 0
    for (const { atMs, ranges: count } of releases) {
      elapsedMs = atMs
      released += count
      const last = ranges[released - 1]
      assert.ok(last !== undefined && last !== null)
      journal.release(last.lastSeq)
    }
    const next = journal.takeRange(20 * SHORT, BYTES_MOST)
    return next === null ? 0 : next.lastSeq - next.firstSeq + 1
  }

  it('is not what a commit takes, where they end one commit apart', async (t) => {
    // 800 in 1,030 ms, and 600 in 1,020 ms before: 588 a second, not 20,000.
    const releases = [1_000, 1_010, 1_020, 1_030].map((atMs) => ({ atMs, ranges: 1 }))
    assert.equal(await nextAfter(t, releases), 588)
  })

  it('counts all that one commit released', async (t) => {
    assert.equal(await nextAfter(t, [{ atMs: 1_000, ranges: IN_WORK }]), IN_WORK * SHORT)
  })

  it('counts what was released while the last was in work', async (t) => {
    const releases = [
      { atMs: 500, ranges: 2 },
      { atMs: 1_000, ranges: 2 },
    ]
    assert.equal(await nextAfter(t, releases), IN_WORK * SHORT)
  })
})

describe('two logs after a crash', () => {
  it('offer what the control store does not know, each from its own place, and nothing twice', async (t) => {
    const open = await world(t)
    const before = await open()
    await send(before, 1, 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7')
    await send(before, 2, 'q1', 'q2')
    const [shared, flood] = take(before, 2)
    assert.ok(shared !== undefined && flood !== undefined)
    assert.deepEqual(namesIn(shared), ['f1', 'f2'])
    await before.close()
    // Two of the shared log and three of the overflow were applied when it ended.
    const after = await open(5, 3)
    await send(after, 3, 'later')
    const ranges = take(after)
    assert.deepEqual(ranges.map(namesIn), [['f3', 'q1', 'q2'], ['f7'], ['later']])
    assert.deepEqual(ranges.map(seqsIn), [[6, 7, 8], [9], [10]])
    after.release(seq(10))
    await after.close()
    const last = await open(10, 4)
    assert.deepEqual(take(last), [])
    assert.equal(last.backlog().records, 0)
    await send(last, 2, 'q3')
    assert.deepEqual(take(last).map(seqsIn), [[11]])
  })
})
