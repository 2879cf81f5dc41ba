import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { aRequest, envelopeText } from '#testing/builders/accept-request.ts'
import { openTestIngest, shortOutcome, type TestIngest } from '#testing/worlds/accept.ts'
import { createInflater } from './inflate.ts'
import { Overload } from './overload.ts'
import { SAMPLE_SHOP } from './sample-directory.ts'
import { SenderWork } from './sender-work.ts'

const BOMB = zlib.brotliCompressSync(Buffer.alloc(max('bodyInflatedBytesMax') + 1, 32), {
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
})
const FROM = { contentEncoding: 'br', clientAddress: '192.0.2.1' }

let ingest: TestIngest
beforeEach(async () => {
  ingest = await openTestIngest()
})
afterEach(() => ingest.close())

describe('whoever sends bombs', () => {
  const small = zlib.brotliCompressSync(Buffer.from(envelopeText()))

  it('is refused unread after a few, with what is compressed, for a while, and no one else is', async () => {
    const clock = manualClock(0)
    const accept = ingest.openAccept({}, clock)
    for (let n = 0; n < max('inflationOffencesMax'); n++)
      assert.equal((await accept.accept(aRequest(BOMB, FROM))).status, 413)
    const { body, ...unread } = aRequest(small, FROM)
    const { refused } = accept.refuseUnread(unread, body.length)
    assert.deepEqual([refused?.status, refused?.retryAfter], [429, 60])
    assert.equal((await accept.accept(aRequest(small, FROM))).status, 429)
    const plain = aRequest(envelopeText(), { ...FROM, contentEncoding: null })
    assert.equal((await accept.accept(plain)).status, 200)
    const neighbour = { ...FROM, clientAddress: '192.0.2.2' }
    assert.equal((await accept.accept(aRequest(small, neighbour))).status, 200)
    clock.advance(max('inflationRefusedMs'))
    assert.equal((await accept.accept(aRequest(small, FROM))).status, 200)
    assert.deepEqual(
      (await ingest.outcomes()).filter(({ reason }) => reason === 'decompression').map(shortOutcome),
      [`${SAMPLE_SHOP} rate_limited decompression error 2`],
    )
  })

  it('is known by what comes to nothing, too, though it is within the limit', async () => {
    const accept = ingest.openAccept({}, manualClock(0))
    const junk = zlib.gzipSync(Buffer.alloc(max('inflationWasteBytesMin'), 'x'))
    const statuses: number[] = []
    for (let n = 0; n <= max('inflationOffencesMax'); n++) {
      const request = aRequest(junk, { ...FROM, contentEncoding: 'gzip' })
      statuses.push((await accept.accept(request)).status)
    }
    assert.deepEqual(statuses, [400, 400, 400, 429])
  })

  it('uses up the share of its key: what was inflated for nothing counts in full', async () => {
    const clock = manualClock(0)
    const overload = new Overload({ clock, log: silentLog, memoryBytes: 4e9, diskBytes: 1e12 })
    const accept = ingest.openAccept({}, clock, overload)
    await accept.accept(aRequest(BOMB, FROM))
    const backlog = max('backlogBytesSoft') + 1
    overload.update({ backlog, backlog_age: 0, memory: 0, disk: Number.POSITIVE_INFINITY })
    const [key] = overload.view().heldBack
    assert.equal(key?.asked, max('bodyInflatedBytesMax'))
  })
})

describe('large bodies that wait to be inflated', () => {
  const body = zlib.gzipSync(Buffer.alloc(2_000_000, 'ab'))

  it('come in the order of who used least time of late', async () => {
    const work = new SenderWork(manualClock(0))
    const inflater = createInflater({ syncBytesMax: 0, heldBytesMax: 1 })
    const done: string[] = []
    const send = async (address: string) => {
      const name = { key: null, address }
      await inflater.inflate(body, ['gzip'], {
        name,
        usedMs: () => work.usedMs(name),
        begin: () => () => work.used(name, 100),
      })
      done.push(address)
    }
    await Promise.all([send('a'), send('a'), send('a'), send('b')])
    assert.deepEqual(done, ['a', 'b', 'a', 'a'])
  })

  it('are a part of the queue for one sender, who cannot keep others out', async () => {
    const inflater = createInflater({ syncBytesMax: 0, heldBytesMax: 1 })
    const send = (address: string) =>
      Promise.resolve(
        inflater.inflate(body, ['gzip'], {
          name: { key: null, address },
          usedMs: () => ({ ofKey: 0, own: 0 }),
          begin: () => () => {},
        }),
      )
    const flood = Promise.all(Array.from({ length: max('inflationQueueMax') }, () => send('a')))
    assert.equal((await send('b')).ok, true)
    assert.equal((await flood).filter(({ ok }) => ok).length, max('inflationQueueMax') / 4 + 1)
  })
})
