import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { max } from '#limits/limits.ts'
import { compressAnswer, preferredCoding } from './compress.ts'

function asked(headers: Readonly<Record<string, string>>, method = 'GET'): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.method = method
  Object.assign(request.headers, headers)
  return request
}

const LONG = 'an answer that says the same again. '.repeat(100)
const html = (text = LONG, more: Readonly<Record<string, string>> = {}) =>
  new Response(text, {
    status: 203,
    headers: { 'content-type': 'text/html; charset=utf-8', vary: 'Cookie', ...more },
  })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('an answer', () => {
  it('is compressed as the client likes it, and says so', async () => {
    const undo = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const coding of ['br', 'gzip'] as const) {
      const answer = await compressAnswer(html(), asked({ 'accept-encoding': coding }))
      assert.equal(answer.status, 203)
      assert.equal(answer.headers.get('content-encoding'), coding)
      assert.equal(answer.headers.get('vary'), 'Cookie, Accept-Encoding')
      const bytes = await bytesOf(answer)
      assert.equal(answer.headers.get('content-length'), String(bytes.length))
      assert.ok(bytes.length < LONG.length / 5)
      assert.equal(undo[coding](bytes).toString(), LONG)
    }
  })

  const plain: readonly (readonly [string, Response, IncomingMessage])[] = [
    ['a client that takes none', html(), asked({})],
    ['a short answer', html('x'.repeat(max('compressedBytesMin') - 1)), asked({ 'accept-encoding': 'br' })],
    ['what is shown once: a POST', html(), asked({ 'accept-encoding': 'br' }, 'POST')],
    ['another site', html(), asked({ 'accept-encoding': 'br', 'sec-fetch-site': 'cross-site' })],
    ['a sister site', html(), asked({ 'accept-encoding': 'br', 'sec-fetch-site': 'same-site' })],
  ]
  for (const [name, given, request] of plain) {
    it(`is sent as it is for ${name}, and says that others may differ`, async () => {
      const text = await given.clone().text()
      const answer = await compressAnswer(given, request)
      assert.equal(answer.headers.get('content-encoding'), null)
      assert.equal(answer.headers.get('vary'), 'Cookie, Accept-Encoding')
      assert.equal(await answer.text(), text)
    })
  }

  it('is left alone where it is no text, compressed already, or nothing', async () => {
    const request = asked({ 'accept-encoding': 'br' })
    for (const given of [
      html(LONG, { 'content-type': 'application/octet-stream' }),
      html(LONG, { 'content-encoding': 'gzip' }),
      new Response(null, { status: 303 }),
    ])
      assert.equal(await compressAnswer(given, request), given)
  })

  it('goes out compressed to pages of its own site and to addresses that were typed', async () => {
    for (const from of ['same-origin', 'none']) {
      const answer = await compressAnswer(
        html(),
        asked({ 'accept-encoding': 'gzip', 'sec-fetch-site': from }),
      )
      assert.equal(answer.headers.get('content-encoding'), 'gzip')
    }
  })
})

describe('the coding', () => {
  const cases: readonly (readonly [string | undefined, string | null])[] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=x', null],
    ['deflate', null],
    ['', null],
    [undefined, null],
  ]
  for (const [accepted, coding] of cases)
    it(`for "${accepted}" is ${coding}`, () => assert.equal(preferredCoding(accepted), coding))
})
