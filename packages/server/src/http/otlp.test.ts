import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { OTLP_TRACES, readEnvelope } from '@errata/protocol'
import { SAMPLE_SHOP, SHOP_KEY } from '#accept/sample-directory.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { anOtlpExport, anOtlpSpan, protobufOf } from '#testing/builders/otlp.ts'
import { shortOutcome } from '#testing/worlds/accept.ts'
import { TestServer } from '#testing/worlds/server.ts'

const EXPORT = anOtlpExport([anOtlpSpan({ id: 'a' }), anOtlpSpan({ id: 'b', parent: 'a' })])
const JSON_BODY = Buffer.from(JSON.stringify(EXPORT))
const PROTOBUF_BODY = protobufOf(EXPORT)
const PATH = `/api/${SAMPLE_SHOP}/integration/otlp/v1/traces`
const AUTH = { 'x-sentry-auth': `sentry sentry_key=${SHOP_KEY}` }
const JSON_TYPE = { 'content-type': 'application/json' }
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' }

let server: TestServer
beforeEach(async () => {
  server = await TestServer.open()
  await server.start()
})
afterEach(() => server.close())

function post(body: Uint8Array, headers: Record<string, string>, path = PATH): Promise<Response> {
  return server.post(Buffer.from(body), headers, server.address(path))
}

/** Returns what the journal holds of the one request. */
function journaled() {
  const [record, ...others] = server.ingest.envelopes()
  assert.ok(record !== undefined && others.length === 0)
  const answer = readEnvelope(record.body)
  assert.ok(answer.ok)
  const [item] = answer.envelope.items
  assert.ok(item !== undefined && answer.envelope.items.length === 1)
  return { ...item, payload: Buffer.from(record.body.subarray(item.start, item.end)) }
}

describe('traces of OpenTelemetry', () => {
  it('are taken as JSON, and answered as JSON', async () => {
    const answer = await post(JSON_BODY, { ...AUTH, 'content-type': 'application/json; charset=utf-8' })
    assert.deepEqual([answer.status, await answer.text()], [200, '{}'])
    const { type, header, payload } = journaled()
    assert.deepEqual([type, header.content_type, header.item_count], [OTLP_TRACES, 'application/json', 2])
    assert.deepEqual(payload, JSON_BODY)
  })

  it('are taken as protobuf, gzipped and in chunks, and answered as protobuf', async () => {
    const body = gzipSync(PROTOBUF_BODY)
    const headers = { ...AUTH, ...PROTOBUF_TYPE, 'content-encoding': 'gzip' }
    const { status, type, text } = await new Promise<{ status: number; type: string; text: string }>(
      (resolve, reject) => {
        const sent = httpRequest(server.address(PATH), { method: 'POST', headers }, (answer) => {
          let said = ''
          answer.on('data', (chunk) => {
            said += String(chunk)
          })
          const { statusCode = 0, headers: got } = answer
          answer.on('end', () => resolve({ status: statusCode, type: got['content-type'] ?? '', text: said }))
        })
        sent.on('error', reject)
        sent.write(body.subarray(0, 10))
        sent.end(body.subarray(10))
      },
    )
    assert.deepEqual([status, type, text], [200, 'application/x-protobuf', ''])
    assert.deepEqual(journaled().payload, PROTOBUF_BODY)
  })

  for (const path of [
    `${PATH}/`,
    `/api/${SAMPLE_SHOP}/otlp/v1/traces`,
    `/api/${SAMPLE_SHOP}/otlp/v1/traces/`,
  ]) {
    it(`are taken at ${path} with the key in the query`, async () => {
      const answer = await post(JSON_BODY, JSON_TYPE, `${path}?sentry_key=${SHOP_KEY}`)
      assert.equal(answer.status, 200)
      assert.equal(journaled().type, OTLP_TRACES)
    })
  }

  it('may be none at all', async () => {
    const answer = await post(Buffer.alloc(0), { ...AUTH, ...PROTOBUF_TYPE })
    assert.equal(answer.status, 200)
    assert.deepEqual(server.ingest.envelopes(), [])
  })

  it('need a key, a form that is taken, and an address', async () => {
    assert.equal((await post(JSON_BODY, JSON_TYPE)).status, 401)
    const unknown = { ...JSON_TYPE, 'x-sentry-auth': `sentry sentry_key=${'0'.repeat(32)}` }
    assert.equal((await post(JSON_BODY, unknown)).status, 403)
    assert.equal((await post(JSON_BODY, { ...AUTH, 'content-type': 'text/plain' })).status, 415)
    const envelope = { ...AUTH, 'content-type': 'application/x-sentry-envelope' }
    assert.equal((await post(JSON_BODY, envelope)).status, 415)
    assert.equal(
      (await post(JSON_BODY, { ...AUTH, ...JSON_TYPE }, PATH.replace('traces', 'nothing'))).status,
      404,
    )
    assert.deepEqual(server.ingest.envelopes(), [])
    const outcomes = (await server.ingest.outcomes()).map(shortOutcome)
    assert.ok(outcomes.includes(`${SAMPLE_SHOP} invalid media_type span 2`), outcomes.join('\n'))
  })

  for (const [form, headers, reason, whole] of [
    ['protobuf', PROTOBUF_TYPE, 'invalid_protobuf', PROTOBUF_BODY],
    ['JSON', JSON_TYPE, 'invalid_json', JSON_BODY],
  ] as const) {
    it(`are refused and counted where they are no ${form}`, async () => {
      for (const body of [Buffer.from('\xff\xfe nothing', 'latin1'), whole.subarray(0, -1)]) {
        const answer = await post(body, { ...AUTH, ...headers })
        assert.equal(answer.status, 400)
        assert.match(await answer.text(), /invalid OTLP message/)
      }
      assert.deepEqual(server.ingest.envelopes(), [])
      const outcomes = (await server.ingest.outcomes()).map(shortOutcome)
      assert.deepEqual(outcomes, [`${SAMPLE_SHOP} invalid ${reason} span 2`])
      assert.equal((await post(whole, { ...AUTH, ...headers })).status, 200)
    })
  }

  it('are refused where they are large, or much for their size', async () => {
    const ofEmpties = (bytes: number) => gzipSync(Buffer.alloc(bytes, Buffer.from([0x0a, 0x00])))
    const headers = { ...AUTH, ...PROTOBUF_TYPE, 'content-encoding': 'gzip' }
    assert.equal((await post(ofEmpties(max('otlpBytesMax') + 2), headers)).status, 413)
    assert.equal((await post(ofEmpties(2 * max('otlpFieldsCountedMax') + 2), headers)).status, 400)
    const span = JSON.stringify(EXPORT).slice(0, -1)
    const largest = Buffer.from(`${span}${' '.repeat(max('otlpBytesMax') - span.length - 1)}}`)
    assert.equal((await post(gzipSync(largest), { ...headers, ...JSON_TYPE })).status, 200)
    assert.equal(journaled().payload.length, largest.length)
  })

  it('are limited by what they hold', async () => {
    const options = { ...PROJECT_OPTIONS_DEFAULT, rateLimit: { count: 3, window: 3_600 } }
    await server.start({ shop: { options } })
    assert.equal((await post(JSON_BODY, { ...AUTH, ...JSON_TYPE })).status, 200)
    assert.equal((await post(PROTOBUF_BODY, { ...AUTH, ...PROTOBUF_TYPE })).status, 200)
    const limited = await post(PROTOBUF_BODY, { ...AUTH, ...PROTOBUF_TYPE })
    assert.equal(limited.status, 429)
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    assert.match(limited.headers.get('x-sentry-rate-limits') ?? '', /project/)
    const outcomes = (await server.ingest.outcomes()).map(shortOutcome)
    assert.equal(outcomes.length, 1)
    assert.match(outcomes[0] ?? '', /rate_limited .* span 2$/)
  })
})
