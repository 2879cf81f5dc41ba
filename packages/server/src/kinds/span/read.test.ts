import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import { OTLP_TRACES, writeEnvelope } from '@errata/protocol'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import type { ProcessedBatch } from '#model/batch.ts'
import { anOtlpEnvelope, anOtlpExport, anOtlpSpan } from '#testing/builders/otlp.ts'
import {
  anEnvelope,
  blocksOf,
  envelopeOf,
  outcomesOf,
  processRecords,
  storedFragments,
} from '#testing/builders/records.ts'
import { CANARY, SECRETS } from '#testing/builders/scrubbing.ts'
import { aSpan, spanEnvelope, spanId, TRACE, transactionEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { readStoredSpans } from './stored-spans.ts'

const TIME = NOW / 1_000

const batchOf = (body: Uint8Array) => processRecords([anEnvelope(body)])
const rowsOf = (batch: ProcessedBatch) => storedFragments(batch).map(({ row, own }) => ({ row, own }))

/** Returns the payload of the first fragment. */
function payloadOf(batch: ProcessedBatch): Uint8Array {
  const [packed] = storedFragments(batch)
  const block = packed === undefined ? undefined : blocksOf(batch)[packed.block]
  assert.ok(packed !== undefined && block !== undefined)
  return zlib.zstdDecompressSync(block.compressed).subarray(packed.offset, packed.offset + packed.bytes)
}

/** Everything that is stored, as text. */
function storedOf(batch: ProcessedBatch): string {
  const payloads = blocksOf(batch).map(({ compressed }) =>
    zlib.zstdDecompressSync(compressed).toString('utf8'),
  )
  return `${JSON.stringify(rowsOf(batch))}\n${payloads.join('\n')}`
}

const aTransaction = (change: object = {}) => ({
  ...{ event_id: 'e'.repeat(32), transaction: 'GET /orders/[id]', platform: 'node' },
  ...{ start_timestamp: TIME, timestamp: TIME + 1 },
  contexts: { trace: { trace_id: TRACE, span_id: spanId('a'), op: 'http.server' } },
  ...change,
})

describe('secrets in spans', () => {
  const batch = (attributes: Readonly<Record<string, unknown>>, change: object = {}) =>
    spanEnvelope([{ ...aSpan({ id: 'a', isSegment: true }), attributes: typed(attributes), ...change }])
  const typed = (attributes: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        { type: Array.isArray(value) ? 'string[]' : 'string', value },
      ]),
    )
  const bare = (data: object, change: object = {}) =>
    envelopeOf([
      'span',
      { trace_id: TRACE, span_id: spanId('a'), start_timestamp: TIME, timestamp: TIME + 1, data, ...change },
    ])
  const relayed = `{"sent_at":"x"}\n{"type":"event"}\n{"request":{"data":{"password":"${CANARY}"}}}`
  const table: readonly (readonly [string, Uint8Array])[] = [
    ['a cookie', batch({ 'http.request.header.cookie': `session=${CANARY}` })],
    ['cookies in a list', batch({ 'http.request.header.cookie': [`session=${CANARY}`, 'theme=dark'] })],
    ['an authorization in a list', batch({ 'http.request.header.authorization': [`Bearer ${CANARY}`] })],
    ['a set-cookie', batch({ 'http.response.header.set_cookie': [`sid=${CANARY}; Path=/`] })],
    ['the target of a request', batch({ 'http.target': `/orders/7?token=${CANARY}` })],
    ['the query of an address', batch({ 'url.query': `access_token=${CANARY}` })],
    ['an address', batch({ 'url.full': `https://shop.example/a?api_key=${CANARY}` })],
    ['the message of a status', batch({ 'sentry.status.message': `login failed for password=${CANARY}` })],
    ['a statement', batch({ 'db.query.text': `UPDATE users SET password = '${CANARY}' WHERE id = 7` })],
    ['the name of a resource', batch({}, { name: `https://shop.example/app.js?token=${CANARY}` })],
    [
      'the attributes of a link',
      batch({}, { links: [{ trace_id: TRACE, span_id: spanId('b'), attributes: typed({ token: CANARY }) }] }),
    ],
    ['a body', batch({ 'http.request.body.data': `{"password":"${CANARY}"}` })],
    [
      'the description of a bare span',
      bare({}, { op: 'resource.script', description: `/app.js?token=${CANARY}` }),
    ],
    ['data of a bare span', bare({ authorization: `Bearer ${CANARY}`, nested: { password: CANARY } })],
    ['tags of a bare span', bare({}, { tags: { token: CANARY } })],
    [
      'headers of a transaction',
      transactionEnvelope(
        aTransaction({
          request: {
            headers: { cookie: `sid=${CANARY}`, authorization: `Bearer ${CANARY}` },
            cookies: { sid: CANARY },
          },
        }),
      ),
    ],
    [
      'the body of a transaction',
      transactionEnvelope(aTransaction({ request: { data: { password: CANARY } } })),
    ],
    [
      'an envelope relayed in a transaction',
      transactionEnvelope(aTransaction({ request: { data: relayed } })),
    ],
    [
      'breadcrumbs of a transaction',
      transactionEnvelope(
        aTransaction({
          breadcrumbs: [{ message: `password=${CANARY}`, data: { from: `/?token=${CANARY}` } }],
        }),
      ),
    ],
    ['extra of a transaction', transactionEnvelope(aTransaction({ extra: { password: CANARY } }))],
    [
      'a context of a transaction',
      transactionEnvelope(
        aTransaction({ contexts: { ...aTransaction().contexts, app: { secret: CANARY } } }),
      ),
    ],
    [
      'data of a transaction',
      transactionEnvelope(
        aTransaction({
          contexts: {
            trace: { ...aTransaction().contexts.trace, data: { 'http.target': `/?token=${CANARY}` } },
          },
        }),
      ),
    ],
    [
      'the name of a transaction',
      transactionEnvelope(aTransaction({ transaction: `GET /login?password=${CANARY}` })),
    ],
    ['a tag of a transaction', transactionEnvelope(aTransaction({ tags: { api_key: CANARY } }))],
    [
      'a span of a transaction',
      transactionEnvelope(
        aTransaction({
          spans: [
            {
              span_id: spanId('b'),
              description: `GET https://x.example/?token=${CANARY}`,
              start_timestamp: TIME,
              timestamp: TIME + 1,
            },
          ],
        }),
      ),
    ],
    [
      'OpenTelemetry’s attributes',
      otlpOf({
        attributes: [
          {
            key: 'http.request.header.authorization',
            value: { arrayValue: { values: [{ stringValue: `Bearer ${CANARY}` }] } },
          },
          {
            key: 'user',
            value: { kvlistValue: { values: [{ key: 'password', value: { stringValue: CANARY } }] } },
          },
        ],
      }),
    ],
    ['OpenTelemetry’s status', otlpOf({ status: { code: 2, message: `password=${CANARY}` } })],
    [
      'OpenTelemetry’s exception',
      otlpOf({
        events: [
          {
            name: 'exception',
            attributes: [{ key: 'exception.message', value: { stringValue: `token=${CANARY}` } }],
          },
        ],
      }),
    ],
    ['OpenTelemetry’s resource', otlpOf({}, { 'app.api_key': CANARY })],
  ]

  function otlpOf(change: object, resource = {}): Uint8Array {
    return anOtlpEnvelope(anOtlpExport([{ ...anOtlpSpan({ id: 'a' }), ...change }], resource))
  }

  for (const [where, body] of table) {
    it(`stay nowhere: ${where}`, () => {
      assert.ok(Buffer.from(body).includes(CANARY))
      const stored = batchOf(body)
      assert.equal(rowsOf(stored).length, 1)
      assert.equal(storedOf(stored).includes(CANARY), false, storedOf(stored))
    })
  }

  it('stay in no name, attribute or message, whatever they look like', () => {
    for (const secret of SECRETS) {
      const body = spanEnvelope([
        {
          ...aSpan({ id: 'a', isSegment: true }),
          name: secret,
          attributes: typed({ note: secret, list: [secret] }),
        },
      ])
      assert.equal(storedOf(batchOf(body)).includes(CANARY), false, secret)
    }
  })
})

describe('whatever comes as spans', () => {
  const name = fc.constantFrom(
    ...['items', 'trace_id', 'span_id', 'parent_span_id', 'attributes', 'type', 'value', 'links', 'contexts'],
    ...[
      'trace',
      'spans',
      'measurements',
      'lcp',
      'data',
      'tags',
      'request',
      'user',
      'status',
      'start_timestamp',
    ],
    ...['timestamp', 'end_timestamp', 'resourceSpans', 'scopeSpans', 'resource', '__proto__', 'constructor'],
  )
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(
      TRACE,
      spanId('a'),
      spanId('b'),
      TIME,
      4.2,
      String(TIME),
      'a\0\ud800',
      -1,
      1e308,
      null,
    ),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 7, depthIdentifier: 'tree' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4, depthIdentifier: 'tree' }),
      fc.dictionary(name, tie('tree'), { maxKeys: 6, depthIdentifier: 'tree' }),
    ),
  }))
  const span = fc.record({
    ...{ trace_id: fc.constant(TRACE), span_id: fc.constantFrom(spanId('a'), spanId('b'), spanId('c')) },
    ...{ parent_span_id: tree, name: tree, status: tree, is_segment: tree, attributes: tree, links: tree },
    ...{
      start_timestamp: leaf,
      end_timestamp: leaf,
      timestamp: leaf,
      description: tree,
      data: tree,
      tags: tree,
    },
  })
  const items = fc.oneof(
    fc.tuple(
      fc.constant('span'),
      fc.oneof(
        tree,
        span,
        fc.array(span, { maxLength: 4 }).map((all) => ({ items: all })),
      ),
    ),
    fc.tuple(
      fc.constant('transaction'),
      fc.oneof(
        tree,
        fc.record({ contexts: fc.record({ trace: span }), spans: tree, request: tree, timestamp: leaf }),
      ),
    ),
    fc.tuple(
      fc.constant(OTLP_TRACES),
      fc.oneof(
        tree,
        tree.map((one) => anOtlpExport([one])),
      ),
    ),
  )

  it('is stored within bounds or counted, and nothing throws', () => {
    fc.assert(
      fc.property(items, ([type, value]) => {
        const payload = JSON.stringify(value) ?? ''
        const batch = batchOf(writeEnvelope({}, [{ header: { type }, payload }]))
        for (const { row } of rowsOf(batch)) {
          assert.match(String(row.traceId), /^[0-9a-f]{32}$/)
          const { timestampMs, receivedMs, durationMs, weight, hasRoot } = row
          assert.ok(Number(timestampMs) <= receivedMs + 3_600_000 && Number(timestampMs) > 0)
          assert.ok(Number(durationMs) >= 0)
          // Without the segment's own span it is from the first to the last that came.
          if (hasRoot) assert.ok(Number(durationMs) <= 86_400_001, String(durationMs))
          assert.ok(Number(weight) >= 1 && Number.isFinite(weight))
          for (const field of Object.values(row)) {
            if (typeof field === 'string') assert.ok(field.isWellFormed() && !field.includes('\0'))
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  it('says whether its times were corrected: only where the clock of its sender is wrong', () => {
    const envelope = anEnvelope(new Uint8Array())
    const corrected = [0, 3_600_000].map((behindMs) => {
      const header = { sent_at: new Date(envelope.receivedMs - behindMs).toISOString() }
      const payload = Buffer.from(JSON.stringify(aTransaction()))
      const batch = batchOf(writeEnvelope(header, [{ header: { type: 'transaction' }, payload }]))
      return /"isClockCorrected":(\w+)/.exec(JSON.stringify(rowsOf(batch)))?.[1]
    })
    assert.deepEqual(corrected, ['false', 'true'])
  })

  it('is counted where it is no JSON, as many as its header says', () => {
    const counted = (type: string, header: object) =>
      outcomesOf(batchOf(writeEnvelope({}, [{ header: { type, ...header }, payload: 'nope' }])))
    assert.deepEqual(counted('span', { item_count: 7 }), ['invalid invalid_json span 7'])
    assert.deepEqual(counted('transaction', {}), ['invalid invalid_json transaction 1'])
    const protobuf = { item_count: 3, content_type: 'application/x-protobuf' }
    assert.deepEqual(counted(OTLP_TRACES, protobuf), ['invalid invalid_protobuf span 3'])
    const json = { content_type: 'application/json' }
    assert.deepEqual(counted(OTLP_TRACES, json), ['invalid invalid_json span 1'])
  })

  it('is counted where it would be far more in memory than in the bytes', () => {
    const payload = `{"items":[${'{},'.repeat(max('jsonValuesMax') / 2)}{}]}`
    const header = { type: 'span', item_count: 7 }
    assert.deepEqual(outcomesOf(batchOf(writeEnvelope({}, [{ header, payload }]))), [
      'invalid too_large span 7',
    ])
  })

  it('may be nested without end', () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const ids = `"trace_id":"${TRACE}","span_id":"${spanId('a')}"`
    for (const payload of [
      `{"items":[{${ids},"attributes":${deep}}]}`,
      `{${ids},"data":${deep}}`,
      `{"items":[{${ids},"attributes":{"x":${deep}}}]}`,
    ]) {
      assert.equal(rowsOf(batchOf(writeEnvelope({}, [{ header: { type: 'span' }, payload }]))).length, 1)
    }
    const transaction = `{"contexts":{"trace":{${ids}},"app":${deep}},"request":{"data":${deep}}}`
    const body = writeEnvelope({}, [{ header: { type: 'transaction' }, payload: transaction }])
    assert.equal(rowsOf(batchOf(body)).length, 1)
  })
})

describe('a stored payload', () => {
  it('has every span that came, as it was, with time, parent, attributes and links', () => {
    const spans = [
      aSpan({
        id: 'a',
        isSegment: true,
        ms: 250,
        status: 'error',
        attributes: { 'app.rows': 3, cold: true },
      }),
      {
        ...aSpan({ id: 'b', parent: 'a', segment: 'a', at: 10, ms: 5 }),
        links: [{ trace_id: TRACE, span_id: spanId('c') }],
      },
      aSpan({ id: 'd', parent: 'b', segment: 'a', at: -20, ms: 1 }),
    ]
    const batch = batchOf(spanEnvelope(spans))
    const read = readStoredSpans(payloadOf(batch), Number(storedFragments(batch)[0]?.row.timestampMs))
    assert.ok(read !== null)
    assert.deepEqual(
      read.spans.map(({ span_id, parent_span_id, status, attributes, links }) => ({
        ...{ span_id, parent_span_id, status, attributes, links },
      })),
      [
        {
          ...{ span_id: spanId('a'), parent_span_id: undefined, status: 'error', links: undefined },
          attributes: { 'app.rows': 3, cold: true },
        },
        {
          ...{ span_id: spanId('b'), parent_span_id: spanId('a'), status: 'ok', attributes: undefined },
          links: [{ trace_id: TRACE, span_id: spanId('c') }],
        },
        {
          ...{ span_id: spanId('d'), parent_span_id: spanId('b'), status: 'ok', attributes: undefined },
          links: undefined,
        },
      ],
    )
    const micros = (seconds: number) => Math.round(seconds * 1e6)
    assert.deepEqual(
      read.spans.map(({ start_timestamp, end_timestamp }) => [
        micros(start_timestamp),
        micros(end_timestamp),
      ]),
      spans.map(({ start_timestamp, end_timestamp }) => [micros(start_timestamp), micros(end_timestamp)]),
    )
  })

  it('has parents that are not among the spans', () => {
    const spans = ['b', 'c', 'd'].map((id) => aSpan({ id, parent: 'a', segment: 'a' }))
    const batch = batchOf(spanEnvelope([...spans, aSpan({ id: 'e', parent: 'd', segment: 'a' })]))
    const parents = readStoredSpans(payloadOf(batch), NOW)?.spans.map(({ parent_span_id: parent }) => parent)
    assert.deepEqual(parents, [spanId('a'), spanId('a'), spanId('a'), spanId('d')])
  })

  it('has what spans share once, and gives each its own back', () => {
    const attributes = { 'db.system.name': 'postgresql' }
    const spans = Array.from({ length: 40 }, (_, at) => ({
      ...aSpan({
        id: `${10 + at}`,
        parent: 'a',
        segment: 'a',
        op: at % 3 === 0 ? 'db' : 'db 1',
        at,
        attributes,
      }),
      ...{ name: `SELECT ${at}`, status: at % 5 === 0 ? 'error' : 'ok' },
    }))
    const payload = payloadOf(batchOf(spanEnvelope(spans)))
    assert.equal(Buffer.from(payload).toString('utf8').split('postgresql').length - 1, 4)
    assert.deepEqual(
      readStoredSpans(payload, NOW)?.spans.map(({ span_id, name, status, op, attributes: own }) => ({
        ...{ span_id, name, status, op, own },
      })),
      spans.map(({ span_id, name, status }, at) => ({
        ...{ span_id, name, status, op: at % 3 === 0 ? 'db' : 'db 1', own: attributes },
      })),
    )
  })

  it('may be as it was written before spans shared anything', () => {
    const stored = {
      ids: spanId('a') + spanId('b'),
      ...{ parents: [-1, 0], starts: [0, 10_000], durations: [250_000, 5_000] },
      spans: [
        ['http.server', 'GET /', 'ok', 0, { cold: true }],
        ['db', 'SELECT 1', 'error', 'auto.db'],
      ],
    }
    const read = readStoredSpans(Buffer.from(JSON.stringify(stored)), NOW)
    assert.deepEqual(
      read?.spans.map(({ span_id, parent_span_id, op, name, status, origin, attributes }) => [
        ...[span_id, parent_span_id, op, name, status, origin, attributes],
      ]),
      [
        [spanId('a'), undefined, 'http.server', 'GET /', 'ok', undefined, { cold: true }],
        [spanId('b'), spanId('a'), 'db', 'SELECT 1', 'error', 'auto.db', undefined],
      ],
    )
  })

  it('may be as it was written before there were columns', () => {
    const [first, second] = [spanId('a'), spanId('b')]
    const stored = {
      spans: [
        [first, 0, 'http.server', 'GET /', 'ok', 0, 250_000, 0, { cold: true }],
        [second, first, 'db', 'SELECT 1', 'error', 10_000, 5_000, 'auto.db'],
      ],
      contexts: { app: { name: 'shop' } },
    }
    const read = readStoredSpans(Buffer.from(JSON.stringify(stored)), NOW)
    const start = NOW / 1_000
    assert.deepEqual(read?.spans, [
      {
        ...{ span_id: first, op: 'http.server', name: 'GET /', status: 'ok', attributes: { cold: true } },
        ...{ start_timestamp: start, end_timestamp: start + 0.25 },
      },
      {
        ...{ span_id: second, parent_span_id: first, op: 'db', name: 'SELECT 1', status: 'error' },
        ...{ origin: 'auto.db', start_timestamp: start + 0.01, end_timestamp: start + 0.01 + 0.005 },
      },
    ])
    assert.deepEqual(read?.contexts, stored.contexts)
  })

  it('is none where the bytes are not what was written', () => {
    for (const text of ['', '{}', '[]', '{"spans":1}', '{"shapes":1}', 'nope', 'null']) {
      assert.equal(readStoredSpans(Buffer.from(text), NOW), null)
    }
  })
})
