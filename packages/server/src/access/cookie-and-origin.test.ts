import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom } from '#base/random.ts'
import { sessionCookie } from './cookie.ts'
import { checkOrigin } from './origin.ts'
import { isTokenShaped, newOrgToken, newPersonalToken, sameSecret, secretHash } from './secrets.ts'

describe('the session cookie', () => {
  it('is bound to this host over https', () => {
    const cookie = sessionCookie('https://errata.example.com')
    assert.equal(
      cookie.set('abc', 60),
      '__Host-errata=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    )
    assert.equal(cookie.clear(), '__Host-errata=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
    assert.equal(cookie.read('a=b; __Host-errata=abc; errata=planted'), 'abc')
  })

  it('works over plain http without the prefix', () => {
    const cookie = sessionCookie('http://localhost:9000')
    assert.equal(cookie.set('abc', 60), 'errata=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
    assert.equal(cookie.read('errata=abc'), 'abc')
  })

  it('is not read when it is absent, given twice or no secret of ours', () => {
    const cookie = sessionCookie('http://localhost:9000')
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
      assert.equal(checkOrigin({ method, origin, secFetchSite, ownOrigin }), isBelieved)
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
