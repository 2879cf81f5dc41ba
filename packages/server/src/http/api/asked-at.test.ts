import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PublicAddress } from '#base/public-address.ts'
import { askedAt } from './asked-at.ts'

const open = () => new PublicAddress({ url: null, port: 9_000 })
const at = (headers: Readonly<Record<string, string>>, address = open()) =>
  askedAt(new Headers(headers), address)

describe('the address that a tool asked at', () => {
  it('is any that reaches Errata, unless one is fixed', () => {
    for (const host of ['127.0.0.1:9000', 'localhost:9000', '192.0.2.7:9000', '[fd00::2]:9000', 'errata.lan'])
      assert.equal(at({ host }), `http://${host}`)
    const fixed = new PublicAddress({ url: 'https://errata.example.com/below', port: 9_000 })
    assert.equal(at({ host: '127.0.0.1:9000' }, fixed), 'https://errata.example.com/below')
  })

  it('has the scheme of the address that was kept, or that a proxy names', () => {
    const kept = open()
    kept.kept('https://errata.example.com')
    assert.equal(at({ host: 'errata.example.com' }, kept), 'https://errata.example.com')
    assert.equal(at({ host: '10.0.0.1:9000' }, kept), 'http://10.0.0.1:9000')
    const behind = { host: 'errata.example.com', 'x-forwarded-proto': 'https, http' }
    assert.equal(at(behind), 'https://errata.example.com')
    const own = { ...behind, host: 'localhost:9000', 'x-forwarded-host': 'errata.lan, inner' }
    assert.equal(at(own), 'https://errata.lan')
    assert.equal(at({ ...own, 'x-forwarded-host': 'a b' }), 'http://localhost:9000')
    assert.equal(at({ ...behind, 'x-forwarded-proto': 'javascript' }), 'http://errata.example.com')
  })

  it('is Errata’s own where the client names no sound host', () => {
    for (const host of ['', 'a b', 'user@evil', 'x/../y', 'a'.repeat(400)])
      assert.equal(at({ host }), 'http://localhost:9000')
  })
})
