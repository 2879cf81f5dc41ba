/** Cases of what a thread beside the main one decides of an envelope, and of what it hands over. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { manualClock } from '#base/clock.ts'
import { keyId } from '#base/ids.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { aRequest, EVENT_ID, envelopeText } from '#testing/builders/accept-request.ts'
import { createAcceptApart, HeldSenders } from './accept-apart.ts'
import { SAMPLE_SHOP, sampleDirectory } from './sample-directory.ts'
import type { AcceptAnswer, AcceptRequest } from './types.ts'

const ANSWER: AcceptAnswer = { status: 200, eventId: null, error: null, rateLimits: null, retryAfter: null }

function open() {
  const clock = manualClock(0)
  const held = new HeldSenders(clock)
  const state = { isCurrent: true }
  const asked: string[] = []
  const accept = createAcceptApart({
    desk: {
      async admit({ taken }) {
        asked.push(`admit ${Buffer.from(taken.body).toString('utf8').length}`)
        return ANSWER
      },
      async accept({ body }) {
        asked.push(`accept ${body.length}`)
        return ANSWER
      },
      count: ({ reason, quantity, projectId }) => asked.push(`count ${projectId} ${reason} ${quantity}`),
      countRefusal: ({ reason }) => asked.push(`refusal ${reason}`),
    },
    ...{ clock, held, random: systemRandom, directory: sampleDirectory() },
    isCurrent: () => state.isCurrent,
    closedBy: () => null,
  })
  const send = async (body: string | Uint8Array, change: Partial<AcceptRequest> = {}) => {
    const request = aRequest(body, change)
    const { refused, seen } = accept.refuseUnread(request, request.body.length)
    const { status } = refused ?? (await accept.accept(request, seen))
    return { status, asked: asked.splice(0) }
  }
  return { send, held, clock, state }
}

const PACKED = { contentEncoding: 'gzip' }

describe('accept on a thread of its own', () => {
  it('asks the main thread to admit what it has read', async () => {
    const { send } = open()
    const text = envelopeText()
    assert.deepEqual(await send(text), { status: 200, asked: [`admit ${text.length}`] })
    assert.deepEqual(await send(gzipSync(text), PACKED), { status: 200, asked: [`admit ${text.length}`] })
  })

  it('refuses what it can read no further, and has it counted', async () => {
    const { send } = open()
    const query = new URLSearchParams({ sentry_key: 'f'.repeat(32) })
    assert.deepEqual(await send(envelopeText(), { query }), {
      status: 403,
      asked: [`count ${SAMPLE_SHOP} unknown_key 1`],
    })
    assert.deepEqual(await send('no envelope'), {
      status: 400,
      asked: [`count ${SAMPLE_SHOP} invalid_envelope 1`],
    })
  })

  it('hands over what needs the state of all threads, as it came', async () => {
    const { send } = open()
    const attachment = `{"event_id":"${EVENT_ID}"}\n{"type":"attachment","length":1}\na\n`
    const large = gzipSync(envelopeText(`{"message":"${'x'.repeat(2 * max('inflateSyncOutputBytesMax'))}"}`))
    const broken = gzipSync('inflated, and no envelope')
    const twice = gzipSync(gzipSync(envelopeText()))
    assert.deepEqual(await send(attachment), { status: 200, asked: [`accept ${attachment.length}`] })
    for (const body of [large, broken])
      assert.deepEqual(await send(body, PACKED), { status: 200, asked: [`accept ${body.length}`] })
    const codings = { contentEncoding: 'gzip, gzip' }
    assert.deepEqual(await send(twice, codings), { status: 200, asked: [`accept ${twice.length}`] })
  })

  it('decides nothing while there is news that it has not heard', async () => {
    const { send, state } = open()
    state.isCurrent = false
    const query = new URLSearchParams({ sentry_key: 'f'.repeat(32) })
    for (const change of [{}, { query }]) {
      const text = envelopeText()
      assert.deepEqual(await send(text, change), { status: 200, asked: [`accept ${text.length}`] })
    }
  })

  it('leaves packed bodies of a sender to the main thread while that refuses them', async () => {
    const { send, held, clock } = open()
    const body = gzipSync(envelopeText())
    const isHandedOver = async () => (await send(body, PACKED)).asked[0] === `accept ${body.length}`
    held.note({ key: keyId(1), address: '203.0.113.7' })
    assert.equal(await isHandedOver(), true)
    assert.equal((await send(envelopeText())).asked[0]?.startsWith('admit'), true)
    clock.advance(max('inflationRefusedMs'))
    assert.equal(await isHandedOver(), false)
  })
})
