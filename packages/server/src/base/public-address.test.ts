import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PublicAddress, readOrigin, relayPath } from './public-address.ts'

const KEY = { public: 'abc', projectId: 7 }

describe('the public address', () => {
  it('is this machine at the port that is bound, where none was set', () => {
    const address = new PublicAddress({ url: null, port: 9_000 })
    assert.equal(address.url, 'http://localhost:9000')
    address.bound(9_001)
    assert.deepEqual(
      [address.url, address.origin, address.basePath, address.hostname],
      ['http://localhost:9001', 'http://localhost:9001', '', 'localhost'],
    )
    assert.equal(address.dsn(KEY), 'http://abc@localhost:9001/7')
  })

  it('stays what was set, whatever port is bound', () => {
    const address = new PublicAddress({ url: 'https://errata.example.com:8443', port: 9_000 })
    address.bound(9_001)
    assert.equal(address.url, 'https://errata.example.com:8443')
    assert.equal(address.hostname, 'errata.example.com')
    assert.equal(address.dsn(KEY), 'https://abc@errata.example.com:8443/7')
  })

  it('is what setup kept, whatever port is bound, unless one was set', () => {
    const address = new PublicAddress({ url: null, port: 9_000 })
    address.kept(null)
    assert.equal(address.url, 'http://localhost:9000')
    address.kept('https://errata.example.com')
    address.bound(9_001)
    assert.equal(address.url, 'https://errata.example.com')
    assert.deepEqual([address.isFixed, address.isHttpsOnly], [false, false])
    const fixed = new PublicAddress({ url: 'https://set.example.com', port: 0 })
    fixed.kept('https://errata.example.com')
    assert.equal(fixed.url, 'https://set.example.com')
    assert.deepEqual([fixed.isFixed, fixed.isHttpsOnly], [true, true])
  })

  it('keeps its path before every link and in every DSN', () => {
    for (const url of ['https://example.com/tools/errata', 'https://example.com/tools/errata/']) {
      const address = new PublicAddress({ url, port: 0 })
      assert.equal(address.basePath, '/tools/errata')
      assert.equal(address.origin, 'https://example.com')
      assert.equal(address.link('/join/x'), 'https://example.com/tools/errata/join/x')
      assert.equal(address.dsn(KEY), 'https://abc@example.com/tools/errata/7')
    }
  })

  it('has a relay for the browsers of each project', () => {
    assert.equal(relayPath('acme', 'shop & co'), '/monitoring?o=acme&p=shop+%26+co')
  })
})

describe('an origin', () => {
  it('is read as browsers write it', () => {
    const read: readonly [string, string][] = [
      ['http://192.168.1.5:9000', 'http://192.168.1.5:9000'],
      ['https://Errata.Example.com:443', 'https://errata.example.com'],
      ['http://[::1]:9000', 'http://[::1]:9000'],
      ['http://my_box', 'http://my_box'],
    ]
    for (const [text, origin] of read) assert.equal(readOrigin(text), origin)
  })

  it('is not read from what names no sound host', () => {
    const hostile = [
      ...[
        '',
        'null',
        'errata.example.com',
        'javascript:alert(1)',
        'ftp://a',
        'http://',
        'http:a',
        'http:///a',
      ],
      ...['http://a/b', 'http://a/', 'http://a?b', 'http://a#b', 'http://a\\b', 'http://u@a', 'http://u:p@a'],
      ...[
        'http://a b',
        'http://a\nb',
        'http://a\u0000',
        'http://<b>',
        'http://a:99999',
        'http://a:',
        'http://a:9:9',
      ],
      ...[
        'http://[::1',
        'http://[1.2.3]',
        'http://-a',
        'http://a.',
        'http://ä.example',
        'http://1.2.3.999',
        `http://${'a'.repeat(300)}`,
      ],
    ]
    for (const text of hostile) assert.equal(readOrigin(text), null, JSON.stringify(text))
  })
})
