/** How old the backlog is, whatever the wall clock does. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { keyId, projectId, type Seq, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { openJournal } from './writer.ts'

const NOW = 1_795_000_000_000
const HOUR_MS = 3_600_000

let directory: string
let clock: ReturnType<typeof manualClock>
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'errata-journal-age-'))
  clock = manualClock(NOW)
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A journal into which envelopes come as the clock says. */
async function open(options: { readonly appliedSeq?: Seq; readonly fileBytesMax?: number } = {}) {
  const journal = await openJournal({ directory, clock, appliedSeq: seq(0), log: silentLog, ...options })
  await journal.recovered()
  const send = (): Promise<Seq> =>
    journal.append({
      ...{ type: 'envelope', projectId: projectId(7), keyId: keyId(9), receivedMs: clock.now() },
      ...{ clientAddress: null, userAgent: null, client: null, encodings: [], format: 'envelope' },
      ...{ eventId: null, skippedItems: [], body: Buffer.from('one') },
    })
  return { journal, send, ageMs: () => journal.backlog().oldestMs }
}

describe('the age of the backlog', () => {
  it('grows with the time that passes, and not with a clock that is set', async () => {
    const { journal, send, ageMs } = await open()
    const first = await send()
    clock.advance(1_000)
    const second = await send()
    clock.jump(2 * HOUR_MS)
    assert.equal(ageMs(), 1_000)
    clock.jump(-3 * HOUR_MS)
    assert.equal(ageMs(), 1_000)
    clock.advance(2 * HOUR_MS)
    assert.equal(ageMs(), 2 * HOUR_MS + 1_000)
    journal.release(first)
    assert.equal(ageMs(), 2 * HOUR_MS)
    journal.release(second)
    assert.equal(ageMs(), 0)
    await journal.close()
  })

  it('is small while what comes is processed, however long it has come', async () => {
    const { journal, send, ageMs } = await open()
    for (let count = 0; count < 300; count++) {
      clock.advance(400)
      const before = await send()
      assert.equal(ageMs(), 0, `envelope ${before}`)
      clock.advance(40)
      const sent = await send()
      assert.equal(ageMs(), 40)
      journal.release(before)
      assert.ok(ageMs() <= 100, `${ageMs()}`)
      journal.release(sent)
      assert.equal(ageMs(), 0)
    }
    await journal.close()
  })

  it('follows the oldest of a backlog over several files, to within a tenth of a second', async () => {
    const { journal, send, ageMs } = await open({ fileBytesMax: 2_000 })
    const sentMs: number[] = []
    for (let count = 0; count < 100; count++) {
      await send()
      sentMs.push(clock.elapsed())
      clock.advance(30)
    }
    for (const [index, ms] of sentMs.entries()) {
      const late = ageMs() - (clock.elapsed() - ms)
      assert.ok(late >= 0 && late < 100, `${late}`)
      clock.advance(7)
      journal.release(seq(index + 1))
    }
    assert.equal(ageMs(), 0)
    await journal.close()
  })

  it('counts for what an earlier run left from its receipt, as the clock said when the journal was opened', async () => {
    const earlier = await open({ fileBytesMax: 300 })
    for (let count = 0; count < 6; count++) await earlier.send()
    await earlier.journal.close()
    clock.advance(10 * 60_000)
    const { journal, send, ageMs } = await open()
    assert.equal(ageMs(), 10 * 60_000)
    clock.jump(2 * HOUR_MS)
    clock.advance(1_000)
    assert.equal(ageMs(), 10 * 60_000 + 1_000)
    const sent = await send()
    clock.advance(500)
    journal.release(seq(sent - 1))
    assert.equal(ageMs(), 500)
    await journal.close()
  })

  it('counts from the start for what was received in the future', async () => {
    const earlier = await open()
    await earlier.send()
    await earlier.journal.close()
    clock.jump(-HOUR_MS)
    const { journal, ageMs } = await open()
    assert.equal(ageMs(), 0)
    clock.advance(2_000)
    assert.equal(ageMs(), 2_000)
    await journal.close()
  })
})
