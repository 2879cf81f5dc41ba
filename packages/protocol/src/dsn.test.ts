import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { categoryOf } from './categories.ts'
import { envelopeUrl, formatDsn, parseDsn } from './dsn.ts'
import { formatRateLimits, retryAfterSeconds } from './rate-limits.ts'

const ROWS: readonly (readonly [text: string, expected: string | null])[] = [
  ['https://k@h.example:8443/a/b/42', 'https://k@h.example:8443/a/b/42'],
  ['https://k:secret@o1.ingest.example/42', 'https://k@o1.ingest.example/42'],
  ['http://k@[::1]:9000/42', 'http://k@[::1]:9000/42'],
  ['https://k@h:443/42', 'https://k@h/42'],
  ['https://k@h/42abc', 'https://k@h/42'],
  ['http://k@h/42/', 'http://k@h/42'],
  ['http://k.flag@h/42', 'http://k@h/42'],
  ['ftp://k@h/42', null],
  ['http://h/42', null],
  ['http://k@h/', null],
  ['http://k@h/abc', null],
  ['http://k@h/42?x=1', null],
  ['http://k@h/42#x', null],
  ['http://k@good@evil/1', null],
  ['http://k@h/a%2f..%2fb/1', null],
  ['', null],
]

describe('parseDsn', () => {
  for (const [text, expected] of ROWS) {
    it(`reads ${text || 'nothing'}`, () => {
      const dsn = parseDsn(text)
      assert.equal(dsn === null ? null : formatDsn(dsn), expected)
    })
  }

  it('names the envelope endpoint below the path', () => {
    const dsn = parseDsn('https://k@h.example:8443/a/b/42')
    assert.ok(dsn)
    assert.equal(envelopeUrl(dsn), 'https://h.example:8443/a/b/api/42/envelope/')
  })
})

describe('categoryOf', () => {
  it('counts containers by what they say they hold', () => {
    assert.deepEqual(categoryOf('span', { item_count: 12 }), { category: 'span', quantity: 12 })
    assert.deepEqual(categoryOf('log', {}), { category: 'log_item', quantity: 1 })
    assert.deepEqual(categoryOf('span', { item_count: -3 }), { category: 'span', quantity: 1 })
    assert.deepEqual(categoryOf('something new', { item_count: 7 }), { category: 'default', quantity: 1 })
  })

  it('knows no type that is only the name of a property of every object', () => {
    for (const type of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.deepEqual(categoryOf(type, {}), { category: 'default', quantity: 1 }, type)
    }
  })
})

describe('formatRateLimits', () => {
  it('writes whole seconds, categories and scope', () => {
    const limits = [
      { retryAfterSeconds: 59.2, categories: ['error'], scope: 'key', reason: 'key_limit' },
      { retryAfterSeconds: 1e9, categories: [], scope: 'project', reason: 'project_limit' },
    ] as const
    assert.equal(formatRateLimits(limits), '60:error:key:key_limit, 86400::project:project_limit')
    assert.equal(retryAfterSeconds(limits), 86_400)
    assert.equal(formatRateLimits([]), null)
  })
})
