import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom } from '#base/random.ts'
import { sessionCookie } from './cookie.ts'
import { checkOrigin, usedOrigin } from './origin.ts'
import { isTokenShaped, newOrgToken, newPersonalToken, sameSecret, secretHash } from './secrets.ts'

describe('the session cookie', () => {
  it('is bound to this host over https', () => {
    const cookie = sessionCookie(new PublicAddress({ url: 'https://errata.example.com', port: 0 }), null)
    assert.equal(
      cookie.set('abc', 60),
      '__Host-errata=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    )
    assert.deepEqual(cookie.clear(), ['__Host-errata=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure'])
    assert.equal(cookie.read('a=b; __Host-errata=abc; errata=planted'), 'abc')
  })

  it('works over plain http without the prefix', () => {
    const cookie = sessionCookie(new PublicAddress({ url: 'http://localhost:9000', port: 0 }), null)
    assert.equal(cookie.set('abc', 60), 'errata=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
    assert.equal(cookie.read('errata=abc'), 'abc')
  })

  it('is one for each installation below a host', () => {
    const at = (url: string) => sessionCookie(new PublicAddress({ url, port: 0 }), null)
    const [errata, staging] = [
      at('https://tools.example.com/errata'),
      at('https://tools.example.com/errata/staging'),
    ]
    const name = '__Host-errata.errata'
    assert.equal(errata.set('abc', 60), `${name}=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure`)
    const both = `__Host-errata=root; ${name}=abc; ${name}_2fstaging=def`
    assert.deepEqual([errata.read(both), staging.read(both)], ['abc', 'def'])
    assert.equal(at('https://tools.example.com').read(both), 'root')
  })

  it('goes by the scheme in the browser where no address was set', () => {
    const address = new PublicAddress({ url: null, port: 9_000 })
    assert.match(sessionCookie(address, 'https://a.example').set('abc', 60), /^__Host-errata=abc;.*; Secure$/)
    for (const used of ['http://192.0.2.1:9000', null])
      assert.equal(
        sessionCookie(address, used).set('abc', 60),
        'errata=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      )
    const cookie = sessionCookie(address, null)
    assert.equal(cookie.read('errata=abc'), 'abc')
    assert.equal(cookie.read('errata=planted; __Host-errata=abc'), 'abc')
    assert.equal(cookie.clear().length, 2)
  })

  it('is not read when it is absent, given twice or no secret of ours', () => {
    const cookie = sessionCookie(new PublicAddress({ url: 'http://localhost:9000', port: 0 }), null)
    for (const header of [
      null,
      '',
      'other=abc',
      'errata=a; errata=b',
      'errata=',
      'errata=a b',
      'errata="a"',
      `errata=${'a'.repeat(200)}`,
    ]) {
      assert.equal(cookie.read(header), null, String(header))
    }
  })
})

describe('the origin check', () => {
  const { origin: ownOrigin } = new PublicAddress({ url: 'https://errata.example.com/path', port: 0 })
  const here = 'https://errata.example.com'
  const table: readonly [method: string, origin: string | null, site: string | null, isBelieved: boolean][] =
    [
      ['GET', 'https://evil.example', 'cross-site', true],
      ['HEAD', null, null, true],
      ['POST', here, 'same-origin', true],
      ['POST', here, null, true],
      ['post', here, 'same-origin', true],
      ['POST', null, 'same-origin', true],
      ['POST', null, null, false],
      ['POST', null, 'none', false],
      ['POST', here, 'none', true],
      ['POST', here, 'same-site', false],
      ['POST', here, 'cross-site', false],
      ['POST', 'null', 'same-origin', false],
      ['POST', 'https://evil.example', 'same-origin', false],
      ['POST', 'https://evil.example', null, false],
      ['POST', 'http://errata.example.com', 'same-origin', false],
      ['POST', 'https://errata.example.com.evil.example', 'same-origin', false],
      ['DELETE', 'https://evil.example', 'cross-site', false],
      ['PUT', null, 'cross-site', false],
    ]
  for (const [method, origin, secFetchSite, isBelieved] of table) {
    it(`${isBelieved ? 'believes' : 'refuses'} ${method} from ${origin} (${secFetchSite})`, () => {
      assert.equal(checkOrigin({ method, origin, secFetchSite, ownOrigin, host: 'localhost' }), isBelieved)
    })
  }
})

describe('the origin check where no address was set', () => {
  const lan = 'http://192.168.1.5:9000'
  type Case = readonly [origin: string | null, site: string | null, host: string | null, used: string | null]
  const table: readonly Case[] = [
    [lan, null, '192.168.1.5:9000', lan],
    [lan, 'same-origin', '192.168.1.5:9000', lan],
    [lan, 'none', '192.168.1.5:9000', lan],
    ['https://a.example', null, 'a.example', 'https://a.example'],
    ['https://a.example', null, 'A.example:443', 'https://a.example'],
    // A proxy wrote its own Host; the browser knows better.
    ['https://a.example', 'same-origin', '127.0.0.1:9000', 'https://a.example'],
    [null, 'same-origin', 'localhost:9000', 'http://localhost:9000'],
    ['https://a.example', null, 'a.example:9000', null],
    ['http://evil.example', null, '192.168.1.5:9000', null],
    ['http://evil.example', 'cross-site', 'evil.example', null],
    ['http://evil.example', 'same-site', 'evil.example', null],
    ['null', 'same-origin', '192.168.1.5:9000', null],
    ['null', null, 'null', null],
    [null, null, '192.168.1.5:9000', null],
    [null, 'none', '192.168.1.5:9000', null],
    [null, 'same-origin', 'a.example/b', null],
    [null, 'same-origin', 'u@a.example', null],
    [null, 'same-origin', null, null],
    ['http://a<b', 'same-origin', 'a<b', null],
  ]
  for (const [origin, secFetchSite, host, used] of table) {
    it(`${used === null ? 'refuses' : 'believes'} ${origin} (${secFetchSite}) at ${host}`, () => {
      const headers = { origin, secFetchSite, host }
      assert.equal(usedOrigin(headers), used)
      assert.equal(checkOrigin({ ...headers, method: 'POST', ownOrigin: null }), used !== null)
      assert.equal(checkOrigin({ ...headers, method: 'GET', ownOrigin: null }), true)
    })
  }
})

describe('tokens', () => {
  it('of an organisation carry address and organisation in the form command-line tools read', () => {
    const token = newOrgToken(systemRandom, {
      url: 'https://errata.example.com',
      org: 'acme',
      nowMs: 1_795_262_340_500,
    })
    const [prefix, payload = '', secret] = token.split('_')
    assert.equal(prefix, 'sntrys')
    assert.deepEqual(JSON.parse(Buffer.from(payload, 'base64').toString()), {
      iat: 1_795_262_340.5,
      url: 'https://errata.example.com',
      region_url: 'https://errata.example.com',
      org: 'acme',
    })
    assert.match(secret ?? '', /^[A-Za-z0-9+/]{43}$/)
    assert.ok(isTokenShaped(token))
  })

  it('of a person are 64 hex characters', () => {
    const token = newPersonalToken(systemRandom)
    assert.match(token, /^sntryu_[0-9a-f]{64}$/)
    assert.ok(isTokenShaped(token))
    assert.ok(!isTokenShaped(token.slice(0, -1)))
    assert.ok(!isTokenShaped("' OR 1=1 --"))
  })

  it('are kept as their hash', () => {
    assert.equal(secretHash('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    assert.ok(sameSecret('abc', 'abc'))
    assert.ok(!sameSecret('abc', 'abcd'))
  })
})
