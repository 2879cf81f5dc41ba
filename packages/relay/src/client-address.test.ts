import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AddressRules, clientAddress } from './client-address.ts'

const NOBODY: AddressRules = { trustedHops: null, clientAddressHeader: null }

function read(
  peer: string | null | undefined,
  headers: Record<string, string>,
  rules: Partial<AddressRules> = {},
) {
  return clientAddress({ peer, header: (name) => headers[name] ?? null }, { ...NOBODY, ...rules })
}

describe('the client’s address', () => {
  const chain = { 'x-forwarded-for': '6.6.6.6, 198.51.100.4, 10.0.0.7' }
  const cases: readonly [name: string, found: string | null, expected: string | null][] = [
    ['is the connection’s where no proxy is trusted', read('203.0.113.9', chain), '203.0.113.9'],
    ['is what one trusted proxy appended', read('10.0.0.8', chain, { trustedHops: 1 }), '10.0.0.7'],
    ['is what the first of two appended', read('10.0.0.8', chain, { trustedHops: 2 }), '198.51.100.4'],
    [
      'is the first of all where more are trusted than there were',
      read('10.0.0.8', chain, { trustedHops: 9 }),
      '6.6.6.6',
    ],
    ['is the last of the chain where the connection is unknown', read(undefined, chain), '10.0.0.7'],
    ['is the one before it for two proxies', read(undefined, chain, { trustedHops: 2 }), '198.51.100.4'],
    [
      'is unknown where nothing is trusted and nothing known',
      read(undefined, chain, { trustedHops: 0 }),
      null,
    ],
    ['is unknown without a chain and a connection', read(undefined, {}), null],
    ['is unknown where the connection has gone', read(null, chain), null],
    [
      'is what the platform’s header says',
      read(
        '10.0.0.8',
        { ...chain, 'cf-connecting-ip': '2001:db8::1' },
        { clientAddressHeader: 'cf-connecting-ip' },
      ),
      '2001:db8::1',
    ],
    [
      'is unknown without the platform’s header',
      read('10.0.0.8', chain, { clientAddressHeader: 'cf-connecting-ip' }),
      null,
    ],
    ['is read without a port', read(undefined, { 'x-forwarded-for': '198.51.100.4:55123' }), '198.51.100.4'],
    ['is read without brackets', read(undefined, { 'x-forwarded-for': '[2001:db8::1]:443' }), '2001:db8::1'],
    ['is read without a zone', read('fe80::1%eth0', {}), 'fe80::1'],
    ['is read without the prefix of a mapped address', read('::ffff:198.51.100.4', {}), '198.51.100.4'],
    ['is no name', read(undefined, { 'x-forwarded-for': 'unknown' }), null],
  ]
  for (const [name, found, expected] of cases) it(name, () => assert.equal(found, expected))

  it('is an address or nothing, whatever is sent, and never longer than one', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 4 }), (sent, trustedHops) => {
        const found = read('10.0.0.8', { 'x-forwarded-for': sent }, { trustedHops })
        assert.ok(found === null || /^[0-9a-f:.]{2,45}$/i.test(found), found ?? '')
      }),
    )
  })

  it('does not depend on what a client writes left of the trusted part', () => {
    fc.assert(
      fc.property(fc.array(fc.string().map((text) => text.replaceAll(',', ''))), (claims) => {
        const header = [...claims, '198.51.100.4'].join(', ')
        assert.equal(read('10.0.0.8', { 'x-forwarded-for': header }, { trustedHops: 1 }), '198.51.100.4')
      }),
    )
  })
})
