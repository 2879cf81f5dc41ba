import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { countOtlp } from '@errata/protocol'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import type { Fragment } from '#model/span.ts'
import { anOtlpExport, anOtlpSpan, protobufOf } from '#testing/builders/otlp.ts'
import { aSpansContext, spanId, TRACE } from '#testing/builders/spans.ts'
import { readOtlp } from './otlp.ts'
import { sampleRateOf } from './otlp-meaning.ts'
import { readOtlpProtobuf } from './otlp-protobuf.ts'

const PYTHON = readFileSync(new URL('../../../../../tests/fixtures/otlp/python-1.45.2.pb', import.meta.url))

/** When it was recorded. */
const RECORDED_MS = Date.UTC(2026, 10, 23, 1, 3, 30)

function readJson(value: unknown): readonly Fragment[] {
  return readOtlp(value, aSpansContext()).fragments
}

function readProtobuf(bytes: Uint8Array, context = aSpansContext()) {
  const { request, beyond } = readOtlpProtobuf(bytes)
  return readOtlp(request, context, beyond)
}

/** A field of bytes. */
function delimited(tag: number, bytes: Uint8Array): Buffer {
  const length: number[] = []
  for (let left = bytes.length; ; left >>>= 7) {
    if (left < 0x80) return Buffer.concat([Buffer.from([tag, ...length, left]), bytes])
    length.push((left & 0x7f) | 0x80)
  }
}

describe('an export of OpenTelemetry', () => {
  it('says the same in JSON and in protobuf', () => {
    const sent = anOtlpExport([
      anOtlpSpan({
        id: 'a',
        kind: 2,
        attributes: { 'http.request.method': 'GET', ratio: 0.25, cold: false },
      }),
      anOtlpSpan({ id: 'b', parent: 'a', kind: 3, status: 2, attributes: { 'db.system': 'mysql', rows: 7 } }),
    ])
    const [one, other] = [readJson(sent), readProtobuf(protobufOf(sent)).fragments]
    assert.equal(one.length, 1)
    assert.deepEqual(other, one)
  })

  it('has names of its resource, and ops by what its attributes say', () => {
    const [fragment] = readJson(
      anOtlpExport(
        [
          anOtlpSpan({ id: 'a', kind: 2, attributes: { 'http.request.method': 'GET' } }),
          anOtlpSpan({ id: 'b', parent: 'a', kind: 3, attributes: { 'db.system.name': 'mysql' } }),
          anOtlpSpan({ id: 'c', parent: 'a', kind: 3, attributes: { 'http.request.method': 'GET' } }),
          anOtlpSpan({ id: 'd', parent: 'a', kind: 4, attributes: { 'messaging.system': 'kafka' } }),
          anOtlpSpan({ id: 'e', parent: 'a', kind: 3, attributes: { 'rpc.system': 'grpc' } }),
          anOtlpSpan({ id: 'f', parent: 'e' }),
        ],
        {
          ...{ 'service.name': 'prices', 'service.version': 'prices@3.1.0', 'host.name': 'prices-1' },
          ...{ 'deployment.environment.name': 'production', 'telemetry.sdk.language': 'nodejs' },
          ...{ 'telemetry.sdk.name': 'opentelemetry', 'process.command_args': '--password=hunter2secret' },
        },
      ),
    )
    assert.ok(fragment)
    const { release, environment, serverName, platform, sdk, tags, root, segmentId } = fragment
    assert.deepEqual([release, environment, serverName], ['prices@3.1.0', 'production', 'prices-1'])
    assert.deepEqual([platform, sdk, tags], ['node', 'opentelemetry', [['service.name', 'prices']]])
    assert.deepEqual([root, segmentId], [0, spanId('a')])
    assert.deepEqual(
      fragment.spans.map(({ op }) => op),
      ['http.server', 'db', 'http.client', 'queue.publish', 'rpc.client', 'default'],
    )
    const [segment, child] = fragment.spans
    assert.equal(segment?.attributes?.['resource.service.name'], 'prices')
    assert.equal(segment?.attributes?.['sentry.kind'], 'server')
    assert.equal(child?.attributes?.['resource.service.name'], undefined)
    assert.doesNotMatch(JSON.stringify(fragment), /hunter2secret/)
  })

  it('begins a segment where the parent is of another service', () => {
    const segmentsOf = (...spans: Parameters<typeof anOtlpSpan>[0][]) =>
      readJson(anOtlpExport(spans.map(anOtlpSpan))).map(({ segmentId, root }) => [segmentId, root])
    const remote = { id: 'a', parent: 'f', kind: 2 }
    assert.deepEqual(segmentsOf({ ...remote, flags: 0x301 }), [[spanId('a'), 0]])
    assert.deepEqual(segmentsOf({ ...remote, flags: 0x101 }), [[null, null]])
    assert.deepEqual(segmentsOf(remote), [[spanId('a'), 0]])
    assert.deepEqual(segmentsOf({ ...remote, kind: 1 }), [[null, null]])
    assert.deepEqual(segmentsOf({ id: 'f' }, remote), [[spanId('f'), 0]])
  })

  it('takes whole numbers as numbers and as texts, and keeps those that no double holds as texts', () => {
    const value = (intValue: unknown) => {
      const span = { ...anOtlpSpan({ id: 'a' }), attributes: [{ key: 'n', value: { intValue } }] }
      return readJson(anOtlpExport([span]))[0]?.spans[0]?.attributes?.n
    }
    assert.equal(value(7), 7)
    assert.equal(value('7'), 7)
    assert.equal(value('9007199254740993'), '9007199254740993')
    assert.equal(value('seven'), undefined)
  })

  it('takes status, its message, the last exception and links', () => {
    const span = {
      ...anOtlpSpan({ id: 'a', status: 2 }),
      status: { code: 2, message: 'no price' },
      events: [
        { name: 'exception', attributes: [{ key: 'exception.type', value: { stringValue: 'ValueError' } }] },
      ],
      links: [{ traceId: 'b'.repeat(32), spanId: spanId('c') }, { traceId: 'none' }],
    }
    const [read] = readJson(anOtlpExport([span]))[0]?.spans ?? []
    assert.equal(read?.status, 'error')
    assert.equal(read?.attributes?.['sentry.status.message'], 'no price')
    assert.equal(read?.attributes?.['exception.type'], 'ValueError')
    assert.deepEqual(read?.links, [{ trace_id: 'b'.repeat(32), span_id: spanId('c') }])
  })

  it('stands for as many as its sampler leaves out', () => {
    assert.equal(sampleRateOf('vendor=1,ot=th:c'), 0.25)
    assert.equal(sampleRateOf('ot=rv:123;th:8'), 0.5)
    assert.equal(sampleRateOf('ot=th:zz'), null)
    assert.equal(sampleRateOf(7), null)
    const span = { ...anOtlpSpan({ id: 'a' }), traceState: 'ot=th:c' }
    assert.equal(readJson(anOtlpExport([span]))[0]?.sampleRate, 0.25)
  })

  it('counts spans without ids and those beyond the bound', () => {
    const broken = readOtlp(
      anOtlpExport([{ ...anOtlpSpan({ id: 'a' }), spanId: '0000000000000000' }]),
      aSpansContext(),
    )
    assert.deepEqual(broken.fragments, [])
    assert.deepEqual(
      broken.refused.map(({ reason, quantity }) => [reason, quantity]),
      [['missing_ids', 1]],
    )
    const many = anOtlpExport(
      Array.from({ length: 10_003 }, (_, at) => ({
        ...anOtlpSpan({ id: 'a' }),
        spanId: (at + 1).toString(16).padStart(16, '0'),
      })),
    )
    for (const answer of [readOtlp(many, aSpansContext()), readProtobuf(protobufOf(many))]) {
      assert.equal(
        answer.fragments.reduce((sum, { spans }) => sum + spans.length, 0),
        10_000,
      )
      assert.deepEqual(
        answer.refused.map(({ reason, quantity }) => [reason, quantity]),
        [['too_large', 3]],
      )
    }
  })

  it('is read as the Python SDK writes it', () => {
    const { fragments, refused } = readProtobuf(PYTHON, aSpansContext({ receivedMs: RECORDED_MS }))
    assert.deepEqual(refused, [])
    assert.equal(fragments.length, 1)
    const [fragment] = fragments
    assert.deepEqual(
      [fragment?.platform, fragment?.release, fragment?.traceId, fragment?.segmentName],
      ['python', 'prices@3.1.0', TRACE, 'GET /prices/{sku}'],
    )
    const root = fragment?.spans[fragment.root ?? -1]
    assert.deepEqual([root?.op, root?.status, root?.parent_span_id], ['http.server', 'error', spanId('a')])
    assert.equal(root?.attributes?.big, '9007199254740993')
    assert.deepEqual(root?.attributes?.regions, ['eu', 'us'])
    assert.equal(root?.attributes?.['exception.type'], 'ValueError')
    assert.deepEqual(
      fragment?.spans.map(({ op, origin, parent_span_id }) => [op, origin, parent_span_id]),
      [
        ['db', 'prices.web', root?.span_id],
        ['http.server', 'prices.web', spanId('a')],
      ],
    )
    assert.deepEqual(fragment?.problems, [])
  })

  it('never throws, whatever the JSON is', () => {
    const key = fc.constantFrom(
      ...['resourceSpans', 'scopeSpans', 'spans', 'resource', 'scope', 'attributes', 'key', 'value'],
      ...['traceId', 'spanId', 'events', 'links', 'status', 'flags', '__proto__', 'arrayValue', 'values'],
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8 },
        fc.jsonValue(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(tree, (json) => {
        readOtlp(json, aSpansContext())
        readOtlp(anOtlpExport([json]), aSpansContext())
      }),
      { numRuns: 200 },
    )
  })

  it('reads any bytes or says that they are no message', () => {
    const check = (bytes: Uint8Array) => {
      try {
        readProtobuf(bytes)
      } catch (cause) {
        assert.equal((cause as Error).name, 'ProtobufError') // asserted by name
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => check(bytes)),
      { numRuns: 200 },
    )
    fc.assert(
      fc.property(fc.nat(PYTHON.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Uint8Array.from(PYTHON)
        bytes[at] = byte
        check(bytes)
        check(bytes.subarray(0, at))
      }),
      { numRuns: 300 },
    )
  })

  it('is no message where it has more fields than are read, wherever they are', () => {
    const empties = Buffer.alloc(2 * (max('otlpFieldsMax') + 1), Buffer.from([0x4a, 0x00]))
    const inSpan = delimited(0x0a, delimited(0x12, delimited(0x12, empties)))
    for (const bytes of [Buffer.alloc(empties.length, Buffer.from([0x0a, 0x00])), inSpan])
      assert.throws(() => readProtobuf(bytes), { name: 'ProtobufError' })
    assert.equal(countOtlp('traces', inSpan, { contentType: 'application/x-protobuf', fieldsMax: 3 }), 1)
    assert.equal(countOtlp('traces', inSpan, { contentType: 'application/x-protobuf', fieldsMax: 2 }), null)
  })

  it('counts its spans for quotas before it is read', () => {
    const sent = anOtlpExport([anOtlpSpan({ id: 'a' }), anOtlpSpan({ id: 'b', name: '"startTimeUnixNano"' })])
    const json = Buffer.from(JSON.stringify(sent))
    assert.equal(countOtlp('traces', json, { contentType: 'application/json' }), 2)
    assert.equal(
      countOtlp('traces', Buffer.concat([Buffer.from('\r\n '), json]), { contentType: 'application/json' }),
      2,
    )
    assert.equal(countOtlp('traces', protobufOf(sent), { contentType: 'application/x-protobuf' }), 2)
    assert.equal(countOtlp('traces', Buffer.from([0xff]), { contentType: 'application/x-protobuf' }), null)
    for (const text of ['', ' ', '[]', 'null', '{"resourceSpans":[']) {
      assert.equal(countOtlp('traces', Buffer.from(text), { contentType: 'application/json' }), null, text)
    }
  })
})
