import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Clock, manualClock, systemClock } from '#base/clock.ts'
import { type Seq, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { readJournalRange } from '#journal/read.ts'
import { openJournal } from '#journal/writer.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange } from '#model/record.ts'
import { anEnvelope, envelopeOf } from '#testing/builders/records.ts'
import { Dispatch, type ProcessWorker, WorkerFailure } from './dispatch.ts'

/** Batch of these tests: the envelopes of a range, and those set aside. */
interface Batch {
  readonly range: JournalRange
  readonly stored: readonly Seq[]
  readonly aside: readonly Seq[]
}

// Each test has a journal of its own, and most of its time is the pause before a batch is tried again.
describe('the dispatcher', { concurrency: true }, () => {
  let directory = ''
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-dispatch-'))
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  /** A journal of `count` envelopes behind a thread and a commit that each may refuse a batch. */
  async function run(
    name: string,
    count: number,
    refuse: {
      thread?: (batch: Batch) => Error | null
      commit?: (batch: Batch) => Error | null
      tells?: 'first' | 'last'
    },
  ) {
    const journal = await openJournal({
      directory: join(directory, name),
      clock: systemClock,
      appliedSeq: seq(0),
      log: silentLog,
    })
    const appended = Array.from({ length: count }, (_, at) =>
      journal.append(anEnvelope(envelopeOf(['event', { message: `number ${at}` }]))),
    )
    await Promise.all(appended)
    const stored: Seq[] = []
    const aside: Seq[] = []
    let appliedSeq = seq(0)
    const dispatch = new Dispatch<Batch, Seq>({
      journal,
      workers: [new Thread(refuse.thread, refuse.tells), new Thread(refuse.thread, refuse.tells)],
      commit: {
        recover: async () => appliedSeq,
        commit: async (batch) => {
          const cause = refuse.commit?.(batch) ?? null
          if (cause !== null) throw cause
          assert.equal(batch.range.firstSeq, appliedSeq + 1, 'in order, without a gap')
          stored.push(...batch.stored)
          aside.push(...batch.aside)
          appliedSeq = batch.range.lastSeq
          return appliedSeq
        },
      },
      clock: systemClock,
      log: silentLog,
      onApplied: () => {},
    })
    dispatch.start()
    await dispatch.drained()
    dispatch.stop()
    await journal.close()
    return { stored, aside, failing: dispatch.failing() }
  }

  const allBut = (count: number, ...left: number[]) =>
    Array.from({ length: count }, (_, at) => seq(at + 1)).filter((one) => !left.includes(one))

  test('sets aside the one envelope that the commit cannot store, and stores its neighbours', async () => {
    const commit = ({ stored }: Batch) => (stored.includes(seq(70)) ? new Error('x is not a function') : null)
    const { stored, aside, failing } = await run('commit', 100, { commit })
    assert.deepEqual(aside, [seq(70)])
    assert.deepEqual(stored, allBut(100, 70))
    assert.equal(failing, null)
  })

  test('sets aside the one envelope that ends the thread, and stores its neighbours', async () => {
    const thread = ({ stored }: Batch) => (stored.includes(seq(33)) ? new Error('out of stack') : null)
    const { stored, aside } = await run('thread', 80, { thread })
    assert.deepEqual(aside, [seq(33)])
    assert.deepEqual(stored, allBut(80, 33))
  })

  for (const tells of ['first', 'last'] as const)
    test(`blames the range that a dead thread was at, which is told ${tells}, and none that waited behind it`, async () => {
      const full = max('batchEnvelopesMax')
      const [bad, last] = [full, 5 * full]
      // As often as an envelope is tried, and once less: the range is cut only after the last of them.
      for (const deaths of [max('processTriesMax') - 1, max('processTriesMax')]) {
        const cut = new Set<number>()
        let left = deaths
        const thread = ({ range: { firstSeq, lastSeq } }: Batch) => {
          if (lastSeq - firstSeq + 1 < full) cut.add(Math.ceil(lastSeq / full))
          return firstSeq <= bad && lastSeq >= bad && left-- > 0 ? new Error('out of stack') : null
        }
        const { stored, aside } = await run(`queue-${tells}-${deaths}`, last, { thread, tells })
        assert.deepEqual([aside, stored], [[], allBut(last)])
        assert.deepEqual([...cut], deaths === max('processTriesMax') ? [1] : [], `${deaths} deaths`)
      }
    })

  for (const [name, words] of [
    ['disk', 'ENOSPC: no space left on device, write'],
    ['damage', 'the control store is damaged: database disk image is malformed'],
  ] as const) {
    test(`sets aside nothing for a disk that fails for a while: ${words}`, async () => {
      let left = 5
      const commit = () => (left-- > 0 ? new Error(words) : null)
      const { stored, aside } = await run(name, 10, { commit })
      assert.deepEqual(aside, [])
      assert.deepEqual(stored, allBut(10))
    })
  }

  test('blames no envelope for a commit that fails without it as well', async () => {
    let left = 6
    const commit = () => (left-- > 0 ? new Error('the store is out of sorts') : null)
    const { stored, aside } = await run('store', 1, { commit })
    assert.deepEqual(aside, [])
    assert.deepEqual(stored, [seq(1)])
  })
})

describe('a part batch', () => {
  /** A dispatcher yet to be started on a journal of `first` envelopes; `applied` resolves when so many more are stored. */
  async function prepare(t: TestContext, { clock, first = 0 }: { clock: Clock; first?: number }) {
    const directory = mkdtempSync(join(tmpdir(), 'errata-dispatch-'))
    t.after(() => rmSync(directory, { recursive: true, force: true }))
    const journal = await openJournal({ directory, clock, appliedSeq: seq(0), log: silentLog })
    t.after(() => journal.close())
    const append = (count: number) =>
      Promise.all(Array.from({ length: count }, () => journal.append(anEnvelope(envelopeOf()))))
    await append(first)
    const sizes: number[] = []
    let counted = { left: 0, done: () => {} }
    const dispatch = new Dispatch<Batch, Seq>({
      journal,
      workers: [new Thread()],
      commit: { recover: async () => seq(0), commit: async ({ range }) => range.lastSeq },
      ...{ clock, log: silentLog },
      onApplied(_, { firstSeq, lastSeq }) {
        sizes.push(lastSeq - firstSeq + 1)
        counted.left -= lastSeq - firstSeq + 1
        if (counted.left <= 0) counted.done()
      },
    })
    t.after(() => dispatch.stop())
    const applied = (left: number) => new Promise<void>((done) => (counted = { left, done }))
    return { dispatch, append, sizes, applied }
  }

  test('waits for company where another went lately; a full one goes at once', async (t) => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const { dispatch, append, sizes, applied } = await prepare(t, { clock })
    dispatch.start()
    const full = max('batchEnvelopesMax')

    const first = applied(1)
    await append(1)
    await first
    assert.deepEqual(sizes, [1], 'nobody waits for company that may not come')

    const second = applied(full)
    for (let at = 0; at < 3; at++) await append(1)
    await append(full - 3)
    await second
    assert.deepEqual(sizes, [1, full], 'the clock stands still')

    for (let at = 0; at < 3; at++) await append(1)
    await dispatch.drained()
    assert.deepEqual(sizes, [1, full, 3], 'asked for the last of them')

    const last = applied(2)
    await append(1)
    clock.advance(max('batchDelayMs'))
    await append(1)
    await last
    assert.deepEqual(sizes.slice(3), [2])
  })

  test('is taken in the end, also where nothing follows it', async (t) => {
    const count = 5 * max('batchEnvelopesMax') + 1
    const { dispatch, sizes, applied } = await prepare(t, { clock: systemClock, first: count })
    const all = applied(count)
    dispatch.start()
    await all
    assert.equal(sizes.at(-1), 1)
  })
})

describe('threads of a dispatcher', () => {
  test('begin while the log waits for them, and rest when it waits no more', async () => {
    const clock = manualClock(0)
    const ranges: JournalRange[] = []
    let next = 1
    const wait = (count: number) => {
      for (let left = count; left > 0; left--)
        ranges.push({ file: '', start: 0, end: 1, firstSeq: seq(next), lastSeq: seq(next++) })
    }
    let synced = () => {}
    const open = Promise.withResolvers<void>()
    const given: string[] = []
    const rested: string[] = []
    const worker = (name: string): ProcessWorker<Batch> => ({
      async process(range) {
        given.push(name)
        await open.promise
        return { range, stored: [], aside: [] }
      },
      replace: () => Promise.resolve(),
      rest: () => void rested.push(name),
    })
    const dispatch = new Dispatch<Batch, Seq>({
      journal: {
        takeRange: () => ranges.shift() ?? null,
        onSynced: (listener) => (synced = listener),
        ...{ release() {}, giveUp() {} },
      },
      workers: ['one', 'two', 'three'].map(worker),
      crew: { least: 1, most: 3, unshared: 2 },
      commit: { recover: async () => seq(0), commit: async ({ range }) => range.lastSeq },
      ...{ clock, log: silentLog, onApplied() {} },
    })
    wait(9)
    dispatch.start()
    synced()
    assert.deepEqual(given, ['one', 'one'], 'as many as at the start')
    clock.advance(max('processThreadBeginMs'))
    synced()
    assert.deepEqual(given, ['one', 'one', 'two', 'two'])
    clock.advance(max('processThreadShareMs'))
    synced()
    assert.deepEqual(given.slice(4), ['three', 'three'])
    open.resolve()
    await dispatch.drained()
    assert.equal(ranges.length, 0)
    assert.deepEqual(rested, [])
    given.length = 0
    for (const left of [['three'], ['two', 'three']]) {
      clock.advance(max('processThreadRestMs'))
      rested.length = 0
      wait(1)
      await dispatch.drained()
      assert.deepEqual(rested, left)
    }
    assert.deepEqual(given, ['one', 'one'], 'one of them is enough')
    dispatch.stop()
  })
})

describe('a commit that does not return', () => {
  test('is told after a while, and forgotten when it returns', async () => {
    const clock = manualClock(0)
    const reached = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<Seq>()
    const range = { file: '', start: 0, end: 1, firstSeq: seq(1), lastSeq: seq(1) }
    const ranges: JournalRange[] = [range]
    const dispatch = new Dispatch<Batch, Seq>({
      journal: { takeRange: () => ranges.shift() ?? null, onSynced() {}, release() {}, giveUp() {} },
      workers: [
        { process: async () => ({ range, stored: [seq(1)], aside: [] }), replace: () => Promise.resolve() },
      ],
      commit: {
        recover: async () => seq(0),
        commit() {
          reached.resolve()
          return opened.promise
        },
      },
      ...{ clock, log: silentLog, onApplied() {} },
    })
    dispatch.start()
    await reached.promise
    assert.equal(dispatch.failing(), null)
    clock.advance(max('commitStallMs') + 30_000)
    assert.equal(dispatch.failing(), 'a commit has not returned for 90 s')
    opened.resolve(seq(1))
    await dispatch.drained()
    assert.equal(dispatch.failing(), null)
    dispatch.stop()
  })
})

/** Works on its ranges one after the other, as a process thread does; when it dies, all that it has dies with it. */
class Thread implements ProcessWorker<Batch> {
  readonly #refuse: (batch: Batch) => Error | null
  /** Order in which a dead thread tells of the range it was working on. */
  readonly #tells: 'first' | 'last'
  #waiting: ((reason: WorkerFailure) => void)[] = []
  #last: Promise<void> = Promise.resolve()

  constructor(refuse: (batch: Batch) => Error | null = () => null, tells: 'first' | 'last' = 'first') {
    this.#refuse = refuse
    this.#tells = tells
  }

  process(range: JournalRange, quarantine: readonly Seq[]): Promise<Batch> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(reject)
      this.#last = this.#last.then(() => {
        if (!this.#waiting.includes(reject)) return
        const seqs = [...readJournalRange(range)].map((record) => record.seq)
        const stored = seqs.filter((one) => !quarantine.includes(one))
        const batch = { range, stored, aside: seqs.filter((one) => quarantine.includes(one)) }
        const cause = this.#refuse(batch)
        if (cause !== null) return this.#die(cause.message)
        this.#waiting = this.#waiting.filter((one) => one !== reject)
        resolve(batch)
      })
    })
  }

  async replace(): Promise<void> {
    this.#die('replaced')
  }

  #die(reason: string): void {
    const waiting = this.#tells === 'first' ? this.#waiting : this.#waiting.toReversed()
    this.#waiting = []
    for (const reject of waiting) reject(new WorkerFailure(reason, null))
  }
}
