import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAllowedOrigin, readAllowedDomains } from './allowed-domains.ts'

/** Entries, the pages each lets in and those it does not. */
const ROWS: readonly (readonly [entry: string, allowed: readonly string[], refused: readonly string[]])[] = [
  ['*', ['https://any.example', 'capacitor://localhost', 'null'], []],
  [
    'example.com',
    ['https://example.com', 'http://example.com', 'http://example.com:3000'],
    ['https://app.example.com', 'https://notexample.com', 'https://example.com.evil.test', 'null'],
  ],
  [' Example.COM ', ['https://example.com'], ['https://example.org']],
  ['example.com:8443', ['https://example.com:8443', 'http://example.com:8443'], ['https://example.com']],
  ['example.com:443', ['https://example.com'], ['http://example.com', 'https://example.com:8443']],
  ['example.com:80', ['http://example.com'], ['https://example.com']],
  [
    '*.example.com',
    ['https://app.example.com', 'http://a.b.example.com:3000', 'https://example.com'],
    ['https://notexample.com', 'https://example.com.evil.test'],
  ],
  [
    '*.example.com:8443',
    ['https://app.example.com:8443', 'https://example.com:8443'],
    ['https://app.example.com', 'https://app.example.com:8444'],
  ],
  [
    'https://example.com',
    ['https://example.com', 'https://example.com/cart?x=1'],
    ['http://example.com', 'https://example.com:8443', 'https://app.example.com'],
  ],
  ['https://example.com:443', ['https://example.com'], ['http://example.com', 'http://example.com:443']],
  ['http://example.com', ['http://example.com'], ['https://example.com', 'http://example.com:3000']],
  ['https://example.com:8443', ['https://example.com:8443'], ['https://example.com']],
  [
    'https://*.example.com',
    ['https://app.example.com', 'https://example.com'],
    ['http://app.example.com', 'https://app.example.com:8443', 'https://notexample.com'],
  ],
  [
    'https://*.example.com:8443',
    ['https://app.example.com:8443'],
    ['https://app.example.com', 'http://app.example.com:8443'],
  ],
  ['192.0.2.7:3000', ['http://192.0.2.7:3000'], ['http://192.0.2.7']],
]

describe('an allowed domain', () => {
  for (const [entry, allowed, refused] of ROWS) {
    it(`${entry} lets in what it names and nothing else`, () => {
      const domains = readAllowedDomains([entry])
      const isIn = (origin: string) => isAllowedOrigin({ origin, referer: null }, domains)
      assert.deepEqual(
        allowed.filter((origin) => !isIn(origin)),
        [],
      )
      assert.deepEqual(refused.filter(isIn), [])
    })
  }

  it('is one of a list', () => {
    const domains = readAllowedDomains(['a.example', '*.b.example'])
    const isIn = (origin: string) => isAllowedOrigin({ origin, referer: null }, domains)
    assert.deepEqual(['https://a.example', 'https://x.b.example', 'https://c.example'].map(isIn), [
      ...[true, true, false],
    ])
  })

  it('that nobody can read lets nobody in, while an empty list lets in everybody', () => {
    const page = { origin: 'https://a.example', referer: null }
    assert.equal(isAllowedOrigin(page, readAllowedDomains(['https://'])), false)
    assert.equal(isAllowedOrigin(page, readAllowedDomains([])), true)
  })
})
