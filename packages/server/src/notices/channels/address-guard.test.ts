import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isOwnAddress, isPublicAddress, machineAddresses } from './address-guard.ts'
import { readWebhookUrl } from './webhook/webhook-url.ts'

const REFUSED = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.9',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
  '1.2.3',
]
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
]
const PUBLIC_V6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1']

describe('addresses a webhook may call', () => {
  it('refuses everything that is not plainly of the public Internet', () => {
    for (const address of REFUSED) assert.equal(isPublicAddress(address), false, address)
  })

  it('allows what is', () => {
    for (const address of [...PUBLIC, ...PUBLIC_V6]) assert.equal(isPublicAddress(address), true, address)
  })

  it('refuses every IPv4 address in IPv6 clothes', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::']) {
          assert.equal(isPublicAddress(`${prefix}${v4}`), false)
        }
      }),
    )
  })
})

describe('addresses of this machine', () => {
  it('are found however they are spelt', () => {
    const own = ['1.1.1.1', '2606:4700::1', 'fe80::1', 'no address']
    for (const address of ['1.1.1.1', '2606:4700::1', '2606:4700:0:0:0:0:0:1', '2606:4700:0::0001']) {
      assert.equal(isOwnAddress(address, own), true, address)
    }
    for (const address of ['1.1.1.2', '2606:4700::2', 'no address', '']) {
      assert.equal(isOwnAddress(address, own), false, address)
    }
  })

  it('are those of its interfaces', () => {
    assert.ok(isOwnAddress('127.0.0.1', machineAddresses()))
  })
})

describe('addresses of webhooks', () => {
  const ruleOf = (text: string, privateTargets = false) => {
    const read = readWebhookUrl(text, privateTargets)
    return read.ok ? null : read.rule
  }

  it('takes http and https, any port, and drops the fragment', () => {
    for (const text of [
      'https://hooks.example.com/a?b=c',
      'http://hooks.example.com:8080/',
      'https://1.1.1.1/',
    ]) {
      assert.equal(ruleOf(text), null, text)
    }
    const read = readWebhookUrl('https://hooks.example.com/a#b', false)
    assert.equal(read.ok && read.url.href, 'https://hooks.example.com/a')
  })

  it('refuses other protocols, user names and what is no address', () => {
    for (const text of [
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'hooks.example.com',
      '',
      'https://user@example.com/',
      'https://:secret@example.com/',
      `https://example.com/${'a'.repeat(2_000)}`,
    ]) {
      assert.notEqual(ruleOf(text), null, text)
    }
  })

  it('refuses private addresses however they are spelt, unless the operator allows them', () => {
    for (const text of [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://017700000001/',
      'http://[::1]/',
      'http://[::ffff:7f00:1]/',
      'http://[fd00::1]:8080/',
      'http://localhost:9000/',
      'http://a.localhost/',
      'http://LOCALHOST./',
      'http://169.254.169.254/latest/meta-data',
    ]) {
      assert.match(ruleOf(text) ?? '', /private network/, text)
      assert.equal(ruleOf(text, true), null, text)
    }
  })
})
