import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isEnvelopeType, isOwnPage } from './own-page.ts'

const shop = { origin: 'https://shop.example', host: 'shop.example' }

describe('who may use the relay', () => {
  const cases: readonly [name: string, headers: Record<string, string>, isOwn: boolean][] = [
    ['a page of the origin, as its browser says', { ...shop, 'sec-fetch-site': 'same-origin' }, true],
    [
      'the same behind a proxy that changes the host',
      { origin: 'https://shop.example', host: '10.0.0.7:3000', 'sec-fetch-site': 'same-origin' },
      true,
    ],
    ['a page of another site, whatever host it claims', { ...shop, 'sec-fetch-site': 'cross-site' }, false],
    ['a page of a sister site', { ...shop, 'sec-fetch-site': 'same-site' }, false],
    ['an older browser’s page of the host', shop, true],
    [
      'an older browser’s page behind a proxy that passes the host on',
      { ...shop, host: 'app:3000', 'x-forwarded-host': 'shop.example' },
      true,
    ],
    ['an older browser’s page of another host', { ...shop, host: 'app:3000' }, false],
    ['the same at an origin that is named', { origin: 'https://www.shop.example', host: 'app:3000' }, true],
    ['another port of the host', { origin: 'https://shop.example:8443', host: 'shop.example' }, false],
    ['a sandboxed page', { origin: 'null', host: 'shop.example' }, false],
    ['what is no browser', { host: 'shop.example' }, true],
  ]
  for (const [name, headers, isOwn] of cases) {
    it(`${isOwn ? 'is' : 'is not'} ${name}`, () => {
      assert.equal(
        isOwnPage((header) => headers[header] ?? null, new Set(['https://www.shop.example'])),
        isOwn,
      )
    })
  }
})

describe('the content type of an envelope', () => {
  it('is what SDKs send, or none', () => {
    for (const type of [
      null,
      '',
      'text/plain;charset=UTF-8',
      'Text/Plain',
      'application/x-sentry-envelope',
      'application/octet-stream',
      'application/json',
    ]) {
      assert.ok(isEnvelopeType(type), String(type))
    }
  })

  it('is none that a form sends', () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/html',
    ]) {
      assert.ok(!isEnvelopeType(type), type)
    }
  })
})
