import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { createClientAddresses, plainAddress } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', '192.168.1.1', 'fd00::/8', '::1']

/** Builds the part of a request that an address is read from. */
function from(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage // the rest is not looked at
}

describe('the client address', () => {
  const rows: readonly [
    name: string,
    request: IncomingMessage,
    client: string | null,
    sender: string | null,
    relayed: string | null,
  ][] = [
    ['of a direct connection', from('203.0.113.9'), '203.0.113.9', '203.0.113.9', null],
    ['loses ::ffff:', from('::ffff:203.0.113.9'), '203.0.113.9', '203.0.113.9', null],
    [
      'is not what a stranger claims',
      from('203.0.113.9', {
        'x-forwarded-for': '1.1.1.1',
        'cf-connecting-ip': '2.2.2.2',
        'x-sentry-forwarded-for': '3.3.3.3',
      }),
      '203.0.113.9',
      '203.0.113.9',
      null,
    ],
    [
      'is what a trusted proxy says',
      from('10.1.2.3', { 'x-forwarded-for': '198.51.100.4' }),
      '198.51.100.4',
      '198.51.100.4',
      '198.51.100.4',
    ],
    [
      'is the rightmost of the chain that is no proxy',
      from('::ffff:10.1.2.3', { 'x-forwarded-for': '6.6.6.6, 198.51.100.4, 192.168.1.1, 10.9.9.9' }),
      '198.51.100.4',
      '198.51.100.4',
      '198.51.100.4',
    ],
    [
      'is the leftmost where all are proxies',
      from('10.1.2.3', { 'x-forwarded-for': '10.0.0.7, 10.0.0.8' }),
      '10.0.0.7',
      '10.0.0.7',
      '10.0.0.7',
    ],
    [
      'stops at what is no address',
      from('10.1.2.3', { 'x-forwarded-for': '6.6.6.6, unknown, 10.0.0.8' }),
      '10.0.0.8',
      '10.0.0.8',
      '10.0.0.8',
    ],
    [
      'is not what a client wrote past a proxy that writes X-Forwarded-For',
      from('10.1.2.3', {
        'cf-connecting-ip': '2.2.2.2',
        'x-vercel-forwarded-for': '2.2.2.2',
        'x-sentry-forwarded-for': '2.2.2.2',
        forwarded: 'for=2.2.2.2',
        'x-forwarded-for': '198.51.100.4',
      }),
      '198.51.100.4',
      '198.51.100.4',
      '198.51.100.4',
    ],
    [
      'of a tunnelled envelope is what the tunnel says',
      from('::1', { 'x-sentry-forwarded-for': '2001:DB8::7' }),
      '::1',
      '2001:db8::7',
      '2001:db8::7',
    ],
    [
      'behind a silent proxy is the proxy, and unknown for a relay',
      from('10.1.2.3'),
      '10.1.2.3',
      '10.1.2.3',
      null,
    ],
    [
      'skips empty and broken headers',
      from('10.1.2.3', {
        'cf-connecting-ip': '',
        'x-vercel-forwarded-for': 'x',
        'x-forwarded-for': '198.51.100.4:4711',
      }),
      '198.51.100.4',
      '198.51.100.4',
      '198.51.100.4',
    ],
    [
      'may be version 6 with a port',
      from('fd00::5', { 'x-forwarded-for': '[2001:db8::9]:443' }),
      '2001:db8::9',
      '2001:db8::9',
      '2001:db8::9',
    ],
  ]
  for (const [name, request, client, sender, relayed] of rows) {
    it(name, () => {
      const addresses = createClientAddresses(PROXIES)
      assert.equal(addresses.client(request), client)
      assert.equal(addresses.sender(request), sender)
      assert.equal(addresses.relayedSender(request), relayed)
    })
  }

  const named: readonly [header: string, headers: Record<string, string>, expected: string][] = [
    ['cf-connecting-ip', { 'cf-connecting-ip': '2.2.2.2', 'x-forwarded-for': '6.6.6.6' }, '2.2.2.2'],
    ['cf-connecting-ip', { 'x-forwarded-for': '6.6.6.6' }, '10.1.2.3'],
    ['cf-connecting-ip', { 'cf-connecting-ip': 'nobody', 'x-sentry-forwarded-for': '6.6.6.6' }, '10.1.2.3'],
    [
      'forwarded',
      { forwarded: 'for=6.6.6.6, For="198.51.100.4:4711";proto=https, for=10.9.9.9' },
      '198.51.100.4',
    ],
    ['forwarded', { forwarded: 'proto=https;for="[2001:db8::9]:443"' }, '2001:db8::9'],
    ['forwarded', { forwarded: 'for=6.6.6.6, for=_hidden', 'x-forwarded-for': '6.6.6.6' }, '10.1.2.3'],
  ]
  for (const [header, headers, expected] of named) {
    it(`is in ${header} alone where the proxies write that: ${JSON.stringify(headers)}`, () => {
      const addresses = createClientAddresses(PROXIES, header)
      const request = from('10.1.2.3', headers)
      assert.equal(addresses.sender(request), expected)
      assert.equal(addresses.client(request), expected)
      assert.equal(addresses.sender(from('203.0.113.9', headers)), '203.0.113.9')
    })
  }

  it('trusts nobody by default', () => {
    const addresses = createClientAddresses([])
    assert.equal(addresses.sender(from('127.0.0.1', { 'x-forwarded-for': '1.1.1.1' })), '127.0.0.1')
  })

  it('reads addresses and nothing else', () => {
    assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1')
    for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', '<script>', '1.2.3.4/8']) {
      assert.equal(plainAddress(text), null)
    }
  })
})
