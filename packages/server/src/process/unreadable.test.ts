/** Journal files that a process thread cannot read: for a moment, for long, or in one place. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { manualClock } from '#base/clock.ts'
import { type Seq, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { openJournal } from '#journal/writer.ts'
import { KINDS } from '#kinds/kinds.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange } from '#model/record.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { anEnvelope, directoryWith, envelopeOf, outcomesOf } from '#testing/builders/records.ts'
import { Dispatch, type ProcessWorker, WorkerFailure } from './dispatch.ts'
import { type PackedBatch, unpackBatch } from './transfer.ts'
import { runWorkerLoop, type WorkerAnswer } from './worker-loop.ts'

const ENVELOPES = 40

/**
 * Processes a journal's envelopes with `before` called before each try to read a range, and returns their
 * outcomes.
 */
async function processed(
  t: TestContext,
  before: (tries: number, given: { range: JournalRange; advance(ms: number): void }) => Error | null,
) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-unreadable-'))
  const clock = manualClock(0)
  const journal = await openJournal({ directory, clock, appliedSeq: seq(0), log: silentLog })
  await Promise.all(
    Array.from({ length: ENVELOPES }, (_, at) =>
      journal.append(anEnvelope(envelopeOf(['event', { message: `number ${at}` }]))),
    ),
  )
  const thread = new Thread((tries, range) => before(tries, { range, advance: clock.advance }))
  t.after(() => {
    thread.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const found = { stored: 0, quarantined: 0, outcomes: [] as string[], told: [] as (string | null)[] }
  const dispatch = new Dispatch<PackedBatch, Seq>({
    journal,
    workers: [thread],
    commit: {
      recover: async () => seq(0),
      commit: async (packed) => {
        const batch = unpackBatch(packed, KINDS)
        found.stored += batch.parts.reduce((sum, { columns }) => sum + columns.count, 0)
        found.quarantined += batch.quarantined.length
        found.outcomes.push(...outcomesOf(batch).filter((outcome) => outcome.startsWith('invalid')))
        found.told.push(dispatch.failing())
        return batch.range.lastSeq
      },
    },
    ...{ clock, log: silentLog, onApplied() {}, retryMs: 1 },
  })
  dispatch.start()
  await dispatch.drained()
  dispatch.stop()
  await journal.close()
  return { ...found, files: readdirSync(directory), tries: thread.tries, failing: dispatch.failing() }
}

describe('a journal file that cannot be read', () => {
  it('for a moment costs nothing, however often it is tried', async (t) => {
    const { stored, quarantined, outcomes, told, tries, failing } = await processed(t, (count, { range }) => {
      if (count === 1) renameSync(range.file, `${range.file}.away`)
      if (count === 12) renameSync(`${range.file}.away`, range.file)
      return null
    })
    assert.deepEqual(
      { stored, quarantined, outcomes, tries },
      { stored: 40, quarantined: 0, outcomes: [], tries: 12 },
    )
    assert.match(told[0] ?? '', /the journal cannot be read: ENOENT/)
    assert.equal(failing, null)
  })

  it('for want of descriptors is waited for, however long', async (t) => {
    const { stored, outcomes } = await processed(t, (count, { advance }) => {
      advance(max('journalReadPatienceMs'))
      return count < 10 ? new Error('EMFILE: too many open files, open') : null
    })
    assert.deepEqual({ stored, outcomes }, { stored: 40, outcomes: [] })
  })

  it('is given up after long, counted, and what stands in its place is kept', async (t) => {
    const { stored, quarantined, outcomes, files } = await processed(t, (count, { range, advance }) => {
      if (count === 1) {
        rmSync(range.file)
        mkdirSync(range.file) // opens, and cannot be read
      }
      advance(max('journalReadPatienceMs') / 4)
      return null
    })
    assert.deepEqual({ stored, quarantined }, { stored: 0, quarantined: 0 })
    assert.deepEqual(outcomes, ['invalid journal_damaged default 40'])
    assert.deepEqual(files, ['journal-0000000000000001.log.damaged'])
  })

  it('and comes back just then is read all the same, and kept', async (t) => {
    const { stored, quarantined, outcomes, files } = await processed(t, (_, { range, advance }) => {
      if (range.isGivenUp === true) {
        rmdirSync(range.file)
        renameSync(`${range.file}.away`, range.file)
      } else if (!existsSync(`${range.file}.away`)) {
        renameSync(range.file, `${range.file}.away`)
        mkdirSync(range.file)
      }
      advance(max('journalReadPatienceMs') / 2)
      return null
    })
    assert.deepEqual({ stored, quarantined, outcomes }, { stored: 40, quarantined: 0, outcomes: [] })
    assert.deepEqual(files, ['journal-0000000000000001.log.damaged'])
  })

  it('when a dying thread’s range would be cut quarantines nothing but the envelope behind it', async (t) => {
    let deaths = 0
    const { stored, quarantined, outcomes } = await processed(t, (_, { range }) => {
      const away = `${range.file}.away`
      const isGone = existsSync(away)
      if (isGone) renameSync(away, range.file)
      if (range.firstSeq > 7 || range.lastSeq < 7 || deaths >= max('processTriesMax')) return null
      // It is away whenever the dispatcher looks for the parts of the range.
      if (++deaths >= max('processTriesMax')) renameSync(range.file, away)
      return new Error('the process thread died')
    })
    assert.equal(deaths, max('processTriesMax'))
    assert.deepEqual({ stored, quarantined, outcomes }, { stored: 40, quarantined: 0, outcomes: [] })
  })
})

/** The real loop of a process thread behind a real message channel. */
class Thread implements ProcessWorker<PackedBatch> {
  tries = 0
  readonly #before: (tries: number, range: JournalRange) => Error | null
  readonly #ports = new MessageChannel()
  readonly #waiting = new Map<number, PromiseWithResolvers<PackedBatch>>()

  constructor(before: (tries: number, range: JournalRange) => Error | null) {
    this.#before = before
    runWorkerLoop(this.#ports.port2, { log: silentLog, kinds: KINDS, encoding: encodeRows })
    this.#ports.port1.postMessage({ type: 'directory', directory: directoryWith() })
    this.#ports.port1.on('message', (answer: WorkerAnswer) => {
      const waiting = this.#waiting.get(answer.firstSeq)
      if (answer.type === 'batch') waiting?.resolve(answer.packed)
      else waiting?.reject(new WorkerFailure(answer.message, answer.seq))
    })
  }

  process(range: JournalRange, quarantine: readonly Seq[]): Promise<PackedBatch> {
    const failure = this.#before(++this.tries, range)
    if (failure !== null) return Promise.reject(new WorkerFailure(failure.message, null))
    const waiting = Promise.withResolvers<PackedBatch>()
    this.#waiting.set(range.firstSeq, waiting)
    this.#ports.port1.postMessage({ type: 'range', range, quarantine })
    return waiting.promise
  }

  async replace(): Promise<void> {}

  close(): void {
    this.#ports.port1.close()
  }
}
