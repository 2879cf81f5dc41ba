import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ParsedResponse, ResponseParser } from './response-parser.ts'

/** Parses the text in pieces of `size` bytes. */
function parsed(text: string, size = text.length, ended = false): readonly ParsedResponse[] {
  const found: ParsedResponse[] = []
  const parser = new ResponseParser((response) => found.push(response))
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
  if (ended) parser.end()
  return found
}

const OK = { status: 200, closes: false, retryAfterSeconds: null }
const CASES: readonly (readonly [name: string, text: string, found: readonly ParsedResponse[]])[] = [
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', [OK]],
  ['an empty body', 'HTTP/1.1 429 Too Many\r\ncontent-length: 0\r\n\r\n', [{ ...OK, status: 429 }]],
  [
    'a refusal that says when to ask again',
    'HTTP/1.1 503 Busy\r\nretry-after:  5\r\nContent-Length: 1\r\n\r\nx',
    [{ ...OK, status: 503, retryAfterSeconds: 5 }],
  ],
  [
    'a refusal that names a date',
    'HTTP/1.1 429 Too Many\r\nRetry-After: Sat, 21 Nov 2026 18:03:00 GMT\r\nContent-Length: 0\r\n\r\n',
    [{ ...OK, status: 429 }],
  ],
  ['no body', 'HTTP/1.1 204 No Content\r\nX: y\r\n\r\n', [{ ...OK, status: 204 }]],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n',
    [OK],
  ],
  [
    'chunks with a trailer',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nExpires: never\r\n\r\n',
    [OK],
  ],
  [
    'Connection: close',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    [{ ...OK, closes: true }],
  ],
  [
    'an answer after 100 Continue',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    [OK],
  ],
  [
    'several answers',
    `${'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'.repeat(2)}HTTP/1.1 503 Busy\r\nContent-Length: 1\r\n\r\nx`,
    [OK, OK, { ...OK, status: 503 }],
  ],
]

describe('the parser of answers', () => {
  for (const [name, text, found] of CASES) {
    it(`reads ${name}, in one piece and in pieces of every size`, () => {
      for (let size = 1; size <= text.length; size++)
        assert.deepEqual(parsed(text, size), found, `pieces of ${size}`)
    })
  }

  it('reads a body that lasts until the connection ends', () => {
    const text = 'HTTP/1.1 200 OK\r\nServer: old\r\n\r\nall of this'
    assert.deepEqual(parsed(text), [])
    assert.deepEqual(parsed(text, 3, true), [{ ...OK, closes: true }])
  })

  it('does not take the end of a connection for the end of a body that has a length', () => {
    assert.deepEqual(parsed('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', 4, true), [])
  })

  it('refuses what is no answer, and heads and chunk lines that do not end', () => {
    assert.throws(() => parsed('SSH-2.0-OpenSSH\r\n\r\n'), /no HTTP answer/)
    assert.throws(() => parsed(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(70_000)}`), /does not end/)
    assert.throws(
      () => parsed(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(2_000)}`),
      /does not end/,
    )
    assert.throws(
      () => parsed('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      /no chunk size/,
    )
  })
})
