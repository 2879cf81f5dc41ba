import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { SAMPLE_SHOP } from '#accept/sample-directory.ts'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { type NewFileOperation, watchedDisk } from '#testing/disk.ts'
import { shortOutcome, summedOutcomes } from '#testing/worlds/accept.ts'
import { TestServer } from '#testing/worlds/server.ts'

const OPERATIONS: readonly NewFileOperation[] = ['write', 'sync']

/** A disk that keeps one operation waiting: neither done nor refused until told. */
function stallingDisk() {
  let gate: {
    readonly operation: NewFileOperation
    readonly reached: () => void
    readonly opened: Promise<void>
  } | null = null
  const disk = watchedDisk(async (operation) => {
    if (gate?.operation !== operation) return
    const { reached, opened } = gate
    gate = null
    reached()
    await opened
  })
  /** `reached` resolves when the operation waits; `answer` lets it go on, or fail. */
  const stall = (operation: NewFileOperation) => {
    const reached = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<void>()
    gate = { operation, reached: reached.resolve, opened: opened.promise }
    return { reached: reached.promise, answer: opened.resolve, fail: opened.reject }
  }
  return { disk, stall }
}

describe('a disk that stalls under the server', () => {
  const { disk, stall } = stallingDisk()
  const clock = manualClock(1_795_000_000_000)
  let said: string[] = []
  let server: TestServer
  beforeEach(async () => {
    said = []
    const log = {
      ...silentLog,
      error: (text: string) => void said.push(text),
      info: (text: string) => void said.push(text),
    }
    server = await TestServer.open({ disk, log, clock })
    await server.start()
  })
  afterEach(() => server.close())

  const id = (number: number) => String(number).padStart(32, 'a')
  const post = (number: number) =>
    server.post(`{"event_id":"${id(number)}"}\n{"type":"event"}\n{"message":"${number}"}`)
  /** Ids of what was stored, and what was counted beside it. */
  const stored = async () => {
    const found = server.ingest.records()
    const counted = found.flatMap((record) => (record.type === 'outcomes' ? record.outcomes : []))
    return {
      ids: found.flatMap((record) => (record.type === 'envelope' ? [record.eventId] : [])),
      outcomes: summedOutcomes([...counted, ...(await server.ingest.outcomes())]).map(shortOutcome),
    }
  }

  for (const operation of OPERATIONS) {
    it(`is answered 503 after a while, and takes everything again by itself (${operation})`, async () => {
      const { journal } = server.ingest
      assert.equal((await post(1)).status, 200)
      const { reached, answer } = stall(operation)
      const waiting = post(2)
      await reached
      clock.advance(max('journalStallMs') - 1)
      assert.equal(journal.failing(), null)
      clock.advance(5_001)
      assert.equal(journal.failing(), `a ${operation} has not returned for 20 s`)
      for (const number of [3, 4]) {
        const refused = await post(number)
        assert.equal(refused.status, 503)
        assert.equal(refused.headers.get('retry-after'), String(max('overloadedRetrySeconds')))
      }
      answer()
      assert.equal((await waiting).status, 200)
      assert.equal(journal.failing(), null)
      assert.equal((await post(5)).status, 200)
      assert.deepEqual(await stored(), {
        ids: [id(1), id(2), id(5)],
        outcomes: [`${SAMPLE_SHOP} rate_limited overloaded error 2`],
      })
      assert.deepEqual(
        said.filter((text) => text.startsWith('journal: ')),
        ['journal: the disk does not answer; ingest answers 503', 'journal: the disk answers again'],
      )
    })

    it(`acknowledges nothing that waited when the answer is a refusal (${operation})`, async () => {
      const { journal } = server.ingest
      assert.equal((await post(1)).status, 200)
      const { reached, fail } = stall(operation)
      const waiting = post(2)
      await reached
      clock.advance(max('journalStallMs'))
      assert.match(journal.failing() ?? '', /has not returned for 15 s/)
      fail(new Error('the cable is out'))
      assert.equal((await waiting).status, 503)
      assert.equal((await post(3)).status, 200)
      assert.equal(journal.failing(), null)
      assert.deepEqual((await stored()).ids, [id(1), id(3)])
    })
  }
})
