import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { safeHref } from './safe-href.ts'

describe('an address of a payload as a link', () => {
  test('http and https are links', () => {
    assert.equal(safeHref('https://shop.example/orders?id=1#x'), 'https://shop.example/orders?id=1#x')
    assert.equal(safeHref('HTTP://shop.example'), 'http://shop.example/')
  })

  test('nothing else is, however it is written', () => {
    for (const text of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://shop.example/1',
      '//shop.example',
      '/orders',
      'https:',
      'https://',
      'http:// space.example',
      '',
      null,
      undefined,
      `https://shop.example/${'x'.repeat(9_000)}`,
    ]) {
      assert.equal(safeHref(text), undefined, String(text).slice(0, 60))
    }
  })

  test('whatever comes, a link is http or https', () => {
    const scheme = fc.constantFrom(
      'javascript:',
      'data:',
      'http://',
      'https://',
      '\thttps://',
      'jav\tascript:',
    )
    fc.assert(
      fc.property(scheme, fc.string(), (start, rest) => {
        const href = safeHref(start + rest)
        assert.ok(href === undefined || /^https?:\/\//.test(href), href)
      }),
    )
  })
})
