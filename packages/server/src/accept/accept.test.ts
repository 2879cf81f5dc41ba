import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { aRequest, EVENT_ID, envelopeText } from '#testing/builders/accept-request.ts'
import { openTestIngest, shortOutcome, type TestIngest } from '#testing/worlds/accept.ts'
import { SAMPLE_SHOP, SHOP_DISABLED_KEY, SHOP_KEY, sampleDirectory } from './sample-directory.ts'
import type { AcceptAnswer, AcceptRequest } from './types.ts'

let ingest: TestIngest
beforeEach(async () => {
  ingest = await openTestIngest()
})
afterEach(() => ingest.close())

describe('what is accepted', () => {
  it('is in the journal as it was received, but inflated, with what the request said', async () => {
    const body = zlib.gzipSync(envelopeText())
    const answer = await ingest
      .openAccept()
      .accept(
        aRequest(body, { contentEncoding: ' GZIP ', userAgent: 'agent/1', clientAddress: '2001:db8::1' }),
      )
    assert.deepEqual(answer, {
      status: 200,
      eventId: EVENT_ID,
      error: null,
      rateLimits: null,
      retryAfter: null,
    })
    const [record] = ingest.envelopes()
    assert.ok(record)
    assert.equal(Buffer.from(record.body).toString(), envelopeText())
    assert.deepEqual(record.encodings, [])
    assert.equal(record.projectId, SAMPLE_SHOP)
    assert.equal(record.eventId, EVENT_ID)
    assert.equal(record.client, 'sentry.javascript.node/11.12.0')
    assert.equal(record.userAgent, 'agent/1')
    assert.equal(record.clientAddress, '2001:db8::1')
  })

  it('is looked up once, unless what is known of keys changed while its body came', async () => {
    const accept = ingest.openAccept()
    const request = aRequest(zlib.gzipSync(envelopeText()), { contentEncoding: 'gzip' })
    const { refused, seen } = accept.refuseUnread(request, request.body.length)
    assert.equal(refused, null)
    assert.equal(seen?.who?.sender.key.public, SHOP_KEY)
    assert.equal((await accept.accept(request, seen)).status, 200)
    accept.setDirectory(sampleDirectory({ shopKey: { isActive: false } }))
    assert.equal((await accept.accept(request, seen)).error?.code, 'key_unknown')
  })

  it('stays compressed in the journal where it would be large', async () => {
    const body = zlib.gzipSync(
      envelopeText(JSON.stringify({ message: 'x'.repeat(max('journalInflatedBytesMax')) })),
    )
    await ingest.openAccept().accept(aRequest(body, { contentEncoding: 'gzip' }))
    const [record] = ingest.envelopes()
    assert.ok(record)
    assert.deepEqual(Buffer.from(record.body), body)
    assert.deepEqual(record.encodings, ['gzip'])
  })

  it('is nothing for an envelope without items', async () => {
    assert.equal((await ingest.openAccept().accept(aRequest('{}'))).eventId, null)
    const withId = await ingest.openAccept().accept(aRequest(`{"event_id":"${EVENT_ID}"}\n`))
    assert.equal(withId.eventId, EVENT_ID)
    assert.deepEqual(ingest.records(), [])
  })

  const ids: readonly [name: string, body: string, id: RegExp | null][] = [
    [
      'the header’s, dashes removed',
      '{"event_id":"9EC79C33-EC99-42AB-8353-589FCB2E04DC"}\n{"type":"event"}\n{}',
      /^9ec79c33ec9942ab8353589fcb2e04dc$/,
    ],
    [
      'the payload’s own',
      `{}\n{"type":"event"}\n{"a":[{"event_id":"${'f'.repeat(32)}"}],"event_id":"${EVENT_ID}"}`,
      new RegExp(`^${EVENT_ID}$`),
    ],
    ['a new one', '{}\n{"type":"event"}\n{"message":"hi"}', /^[0-9a-f]{32}$/],
    [
      'a new one for the nil id',
      `{"event_id":"${'0'.repeat(32)}"}\n{"type":"event"}\n{"event_id":7}`,
      /^(?!0{32})[0-9a-f]{32}$/,
    ],
    ['none for a session', '{}\n{"type":"session"}\n{}', null],
    ['none for a client report', '{}\n{"type":"client_report"}\n{}', null],
  ]
  for (const [name, body, id] of ids) {
    it(`answers and stores as event id: ${name}`, async () => {
      const answer = await ingest.openAccept().accept(aRequest(body))
      assert.equal(answer.status, 200)
      const [record] = ingest.envelopes()
      assert.equal(record?.eventId, answer.eventId)
      if (id === null) assert.equal(answer.eventId, null)
      else assert.match(answer.eventId ?? '', id)
    })
  }

  it('includes an item of a kind nobody knows', async () => {
    const answer = await ingest.openAccept().accept(aRequest('{}\n{"type":"invalid_unknown"}\nhelloworld\n'))
    assert.equal(answer.status, 200)
    assert.equal(ingest.records().length, 1)
  })
})

describe('content encodings', () => {
  const codings: readonly [header: string, body: Buffer][] = [
    ['gzip', zlib.gzipSync(envelopeText())],
    ['x-gzip', zlib.gzipSync(envelopeText())],
    ['deflate', zlib.deflateSync(envelopeText())],
    ['deflate', zlib.deflateRawSync(envelopeText())],
    ['br', zlib.brotliCompressSync(envelopeText())],
    ['zstd', zlib.zstdCompressSync(envelopeText())],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(envelopeText()))],
    ['zstd,gzip,deflate', zlib.deflateSync(zlib.gzipSync(zlib.zstdCompressSync(envelopeText())))],
    ['', Buffer.from(envelopeText())],
    ['identity', Buffer.from(envelopeText())],
    ['aws-chunked', Buffer.from(envelopeText())],
  ]
  for (const [header, body] of codings) {
    it(`reads "${header}"`, async () => {
      const answer = await ingest.openAccept().accept(aRequest(body, { contentEncoding: header }))
      assert.equal(answer.status, 200, answer.error?.detail)
      assert.equal(answer.eventId, EVENT_ID)
    })
  }

  const compressors = [
    ['gzip', (bytes: Buffer) => zlib.gzipSync(bytes)],
    ['deflate', (bytes: Buffer) => zlib.deflateSync(bytes)],
    ['br', (bytes: Buffer) => zlib.brotliCompressSync(bytes)],
    ['zstd', (bytes: Buffer) => zlib.zstdCompressSync(bytes)],
  ] as const
  for (const [header, compress] of compressors) {
    it(`refuses a ${header} body that is cut off or no such thing`, async () => {
      const whole = compress(Buffer.from(envelopeText('{"message":"something longer than a few bytes"}')))
      for (const body of [
        whole.subarray(0, -3),
        whole.subarray(0, 4),
        Buffer.from('plain text, not compressed'),
      ]) {
        const answer = await ingest.openAccept().accept(aRequest(body, { contentEncoding: header }))
        assert.equal(answer.status, 400)
        assert.equal(answer.error?.code, 'encoding_invalid')
      }
    })

    it(`stops a ${header} bomb at its limit`, async () => {
      const bomb = compress(Buffer.alloc(max('bodyInflatedBytesMax') + 1, 0x20))
      const accept = ingest.openAccept()
      const answer = await accept.accept(aRequest(bomb, { contentEncoding: header }))
      assert.equal(answer.status, 413)
      assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
        `${SAMPLE_SHOP} invalid too_large error 1`,
      ])
    })
  }

  it('refuses more codings than anybody applies', async () => {
    const answer = await ingest.openAccept().accept(aRequest('x', { contentEncoding: 'gzip,gzip,gzip,gzip' }))
    assert.equal(answer.error?.code, 'encoding_invalid')
  })
})

describe('limits', () => {
  const refusals: readonly [name: string, body: () => string | Buffer, status: number, outcomes: string[]][] =
    [
      [
        'two events',
        () => '{}\n{"type":"event"}\n{}\n{"type":"event"}\n{}\n{"type":"session"}\n{}',
        413,
        [`${SAMPLE_SHOP} invalid too_large error 2`, `${SAMPLE_SHOP} invalid too_large session 1`],
      ],
      [
        'an event that is too large',
        () => envelopeText(`{"message":"${'x'.repeat(max('eventBytesMax'))}"}`),
        413,
        [`${SAMPLE_SHOP} invalid too_large error 1`],
      ],
      [
        'client reports that are too large',
        () => `{}\n{"type":"client_report"}\n{"x":"${'x'.repeat(max('clientReportBytesMax'))}"}`,
        413,
        [`${SAMPLE_SHOP} invalid too_large internal 1`],
      ],
      [
        'more items than anybody sends',
        () => `{}\n${'{"type":"session"}\n{}\n'.repeat(max('envelopeItemsMax') + 1)}`,
        413,
        [`${SAMPLE_SHOP} invalid too_large session ${max('envelopeItemsMax')}`],
      ],
      [
        'an event nested too deeply',
        () => envelopeText(`{"extra":${'['.repeat(max('jsonDepthMax'))}${']'.repeat(max('jsonDepthMax'))}}`),
        400,
        [`${SAMPLE_SHOP} invalid too_deep error 1`],
      ],
      [
        'broken framing',
        () => '{}\n{"type":"event","length":50}\n{}',
        400,
        [`${SAMPLE_SHOP} invalid invalid_envelope error 1`],
      ],
    ]
  for (const [name, body, status, outcomes] of refusals) {
    it(`refuses ${name} and counts it`, async () => {
      const accept = ingest.openAccept()
      const answer = await accept.accept(aRequest(body()))
      assert.equal(answer.status, status)
      assert.deepEqual((await ingest.outcomes()).map(shortOutcome).sort(), outcomes)
    })
  }

  it('leaves out an event nested too deeply and keeps its neighbours', async () => {
    const accept = ingest.openAccept()
    const deep = '{'.repeat(200)
    const answer = await accept.accept(aRequest(`${envelopeText(deep)}\n{"type":"session"}\n{}`))
    assert.equal(answer.status, 200)
    await accept.flush()
    const found = ingest.records()
    assert.deepEqual(
      found.map((record) =>
        record.type === 'envelope' ? record.skippedItems : record.outcomes.map(shortOutcome),
      ),
      [[0], [`${SAMPLE_SHOP} invalid too_deep error 1`]],
    )
  })

  it('does not count brackets inside strings as nesting', async () => {
    const text = JSON.stringify('["\\'.repeat(300))
    assert.equal(
      (await ingest.openAccept().accept(aRequest(envelopeText(`{"message":${text}}`)))).status,
      200,
    )
  })
})

describe('rate limits', () => {
  const send = (accept: ReturnType<TestIngest['openAccept']>, body = envelopeText()): Promise<AcceptAnswer> =>
    accept.accept(aRequest(body))

  it('are none by default', async () => {
    const accept = ingest.openAccept()
    for (let count = 0; count < 50; count++) assert.equal((await send(accept)).status, 200)
  })

  it('of a key answer 429 with both headers, until the window ends', async () => {
    const clock = manualClock(1_795_000_000_000)
    const accept = ingest.openAccept({ shopKey: { rateLimit: { window: 60, count: 2 } } }, clock)
    assert.equal((await send(accept)).status, 200)
    assert.equal((await send(accept)).status, 200)
    clock.advance(10_000)
    const refused = await send(accept)
    assert.equal(refused.status, 429)
    assert.equal(refused.rateLimits, '50:error:key:key_limit')
    assert.equal(refused.retryAfter, 50)
    clock.advance(50_000)
    assert.equal((await send(accept)).status, 200)
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
      `${SAMPLE_SHOP} rate_limited key_limit error 1`,
    ])
  })

  it('of a project answer the same with its scope', async () => {
    const options = { ...PROJECT_OPTIONS_DEFAULT, rateLimit: { window: 30, count: 1 } }
    const accept = ingest.openAccept({ shop: { options } })
    await send(accept)
    assert.equal((await send(accept)).rateLimits, '30:error:project:project_limit')
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
      `${SAMPLE_SHOP} rate_limited project_limit error 1`,
    ])
  })

  it('leave out only what is over them, and then send no Retry-After', async () => {
    const accept = ingest.openAccept({ shopKey: { rateLimit: { window: 60, count: 1 } } })
    await send(accept)
    const body = `${envelopeText()}\n{"type":"session"}\n{}\n{"type":"client_report"}\n{}`
    const answer = await send(accept, body)
    assert.equal(answer.status, 200)
    assert.equal(answer.rateLimits, '60:error:key:key_limit')
    assert.equal(answer.retryAfter, null)
    const last = ingest.records().at(-1)
    assert.ok(last?.type === 'envelope')
    assert.deepEqual(last.skippedItems, [0])
  })

  it('never hold back a client report', async () => {
    const accept = ingest.openAccept({ shopKey: { rateLimit: { window: 60, count: 1 } } })
    for (let count = 0; count < 5; count++) {
      assert.equal((await send(accept, '{}\n{"type":"client_report"}\n{}')).status, 200)
    }
  })

  it('count a container by what it holds', async () => {
    const accept = ingest.openAccept({ shopKey: { rateLimit: { window: 60, count: 100 } } })
    const spans = '{}\n{"type":"span","item_count":100}\n{}'
    assert.equal((await send(accept, spans)).status, 200)
    assert.equal((await send(accept, spans)).status, 429)
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
      `${SAMPLE_SHOP} rate_limited key_limit span 100`,
    ])
  })
})

describe('the store endpoint', () => {
  const json = `{"event_id":"${EVENT_ID}","message":"hi"}`
  const store = (body: string | Buffer, change: Partial<AcceptRequest> = {}) =>
    ingest.openAccept().accept(aRequest(body, { format: 'store', ...change }))

  const good: readonly [
    name: string,
    body: string | Buffer,
    change: Partial<AcceptRequest>,
    stored: string,
  ][] = [
    ['JSON', json, {}, json],
    ['gzip', zlib.gzipSync(json), { contentEncoding: 'gzip' }, json],
    ['base64 of zlib', zlib.deflateSync(json).toString('base64'), {}, json],
    ['base64 of JSON', Buffer.from(json).toString('base64'), {}, json],
    [
      'JSON with bare NaN',
      json.replace('"hi"', '"hi NaN","extra":{"a":NaN,"b":-Infinity}'),
      {},
      'as received',
    ],
  ]
  for (const [name, body, change, stored] of good) {
    it(`takes ${name}`, async () => {
      const answer = await store(body, change)
      assert.equal(answer.status, 200, answer.error?.detail)
      assert.equal(answer.eventId, EVENT_ID)
      const [record] = ingest.envelopes()
      assert.equal(record?.format, 'store')
      const expected = stored === 'as received' ? Buffer.from(body) : Buffer.from(stored)
      assert.deepEqual(Buffer.from(record?.body ?? []), expected)
    })
  }

  for (const body of ['[]', '"text"', '{"broken"', 'what?', 'eJ', '12', '{'.repeat(200)]) {
    it(`refuses ${body.slice(0, 20)}`, async () => {
      const answer = await store(body)
      assert.equal(answer.status, 400)
      assert.equal(answer.error?.code, 'event_invalid')
    })
  }

  it('refuses a bomb inside base64', async () => {
    const answer = await store(
      zlib.deflateSync(Buffer.alloc(max('eventBytesMax') * 4, 0x20)).toString('base64'),
    )
    assert.equal(answer.status, 413)
  })

  it('takes an envelope where the content type says so', async () => {
    const answer = await store(envelopeText(), {
      contentType: 'application/x-sentry-envelope; charset=utf-8',
    })
    assert.equal(answer.status, 200)
    const [record] = ingest.envelopes()
    assert.equal(record?.format, 'envelope')
  })
})

describe('counting', () => {
  it('gives a refusal to the project that was named, and to none that does not exist', async () => {
    const accept = ingest.openAccept()
    await accept.accept(
      aRequest(envelopeText(), { query: new URLSearchParams({ sentry_key: SHOP_DISABLED_KEY }) }),
    )
    await accept.accept(aRequest('{}\n{"type":"session"}\n{}', { query: new URLSearchParams() }))
    await accept.accept(aRequest(envelopeText(), { projectRef: '999' }))
    await accept.accept(aRequest(envelopeText(), { projectRef: 'nope' }))
    accept.countRefusal({
      projectRef: String(SAMPLE_SHOP),
      key: SHOP_KEY,
      reason: 'broken_off',
      example: 'x',
    })
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome).sort(), [
      `${SAMPLE_SHOP} invalid broken_off error 1`,
      `${SAMPLE_SHOP} invalid missing_key session 1`,
      `${SAMPLE_SHOP} invalid unknown_key error 1`,
      'null invalid malformed_dsn error 1',
      'null invalid unknown_key error 1',
    ])
  })

  it('sums what repeats and is bounded in kinds', async () => {
    const accept = ingest.openAccept()
    for (let count = 0; count < max('outcomeKeysMax') + 500; count++) {
      accept.countRefusal({
        projectRef: null,
        key: null,
        reason: `reason ${count}`,
        example: 'x'.repeat(1_000),
      })
    }
    for (let count = 0; count < 5; count++) {
      accept.countRefusal({ projectRef: null, key: null, reason: 'reason 1', example: 'x' })
    }
    const outcomes = await ingest.outcomes()
    assert.equal(outcomes.length, max('outcomeKeysMax') + 1)
    assert.equal(outcomes.find(({ reason }) => reason === 'other')?.quantity, 500)
    assert.equal(outcomes.find(({ reason }) => reason === 'reason 1')?.quantity, 6)
    assert.ok(outcomes.every(({ example = '' }) => example.length <= 200))
  })

  it('answers 503 with Retry-After when the journal takes nothing', async () => {
    const accept = ingest.openAccept()
    await ingest.journal.close()
    const answer = await accept.accept(aRequest(`${envelopeText()}\n{"type":"session"}\n{}`))
    assert.equal(answer.status, 503)
    assert.equal(answer.error?.detail, 'failed to queue envelope')
    assert.ok((answer.retryAfter ?? 0) > 0)
  })
})
