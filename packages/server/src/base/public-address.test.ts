import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PublicAddress, relayPath } from './public-address.ts'

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
