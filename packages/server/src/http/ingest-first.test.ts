import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { IngestFirst, type Loop } from './ingest-first.ts'

const PATIENCE_MS = 25

/** A loop that goes round when told, and turns in the order in which they were given. */
function scene() {
  const clock = manualClock(0)
  const soon: (() => void)[] = []
  const timers = new Map<() => void, number>()
  const loop: Loop = {
    soon: (run) => void soon.push(run),
    after(ms, run) {
      timers.set(run, clock.elapsed() + ms)
      return () => timers.delete(run)
    },
  }
  const first = new IngestFirst({ clock, loop, patienceMs: PATIENCE_MS })
  const turns: string[] = []
  return {
    first,
    turns,
    ask: (name: string) => void first.turn().then(() => turns.push(name)),
    async goRound() {
      for (const run of soon.splice(0)) run()
      await Promise.resolve()
    },
    async pass(ms: number) {
      clock.advance(ms)
      for (const [run, atMs] of [...timers]) {
        if (atMs > clock.elapsed()) continue
        timers.delete(run)
        run()
      }
    },
    timers,
  }
}

/** An envelope that is being answered until it is told to be done. */
function envelope(first: IngestFirst): () => Promise<void> {
  let done = () => {}
  const answering = first.ingest(
    () =>
      new Promise<void>((resolve) => {
        done = resolve
      }),
  )
  return () => {
    done()
    return answering
  }
}

describe('turns of pages beside ingest', () => {
  it('come one at a time, and the loop goes round between two', async () => {
    const { ask, goRound, turns } = scene()
    ask('a')
    ask('b')
    await Promise.resolve()
    assert.deepEqual(turns, [])
    await goRound()
    assert.deepEqual(turns, ['a'])
    await goRound()
    assert.deepEqual(turns, ['a', 'b'])
  })

  it('wait until no envelope is being answered', async () => {
    const { first, ask, goRound, turns, timers } = scene()
    const answered = envelope(first)
    const other = envelope(first)
    ask('a')
    await goRound()
    await answered()
    await goRound()
    assert.deepEqual(turns, [])
    await other()
    await goRound()
    assert.deepEqual(turns, ['a'])
    assert.equal(timers.size, 0)
  })

  it('do not wait longer than patience lasts, one turn at a time', async () => {
    const { first, ask, goRound, pass, turns } = scene()
    const answered = envelope(first)
    ask('a')
    ask('b')
    await goRound()
    await pass(PATIENCE_MS - 1)
    await goRound()
    assert.deepEqual(turns, [])
    await pass(1)
    await goRound()
    assert.deepEqual(turns, ['a'])
    await goRound()
    await pass(PATIENCE_MS - 1)
    await goRound()
    assert.deepEqual(turns, ['a'])
    await pass(1)
    await goRound()
    assert.deepEqual(turns, ['a', 'b'])
    await answered()
  })

  it('go on after an envelope whose answer failed', async () => {
    const { first, ask, goRound, turns } = scene()
    await assert.rejects(first.ingest(() => Promise.reject(new Error('the disk'))))
    ask('a')
    await goRound()
    assert.deepEqual(turns, ['a'])
  })
})
