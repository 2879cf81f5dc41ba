import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressMatcher, isAddressRange } from './address-ranges.ts'

describe('address ranges', () => {
  const table: readonly [range: string, address: string, isMet: boolean][] = [
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['10.0.0.0/8', '10.255.3.4', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['2001:db8::/32', '2001:DB8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['10.0.0.0/8', 'ten', false],
    ['10.0.0.0/8', '', false],
  ]
  for (const [range, address, isMet] of table) {
    it(`${range} ${isMet ? 'holds' : 'does not hold'} ${address || 'nothing'}`, () => {
      assert.equal(addressMatcher([range])(address), isMet)
    })
  }

  it('are told from what is none', () => {
    for (const text of [
      '10.0.0.0/33',
      '2001:db8::/129',
      '10.0.0',
      '010.0.0.1',
      'localhost',
      '',
      '::1%eth0',
      '10.0.0.0/-1',
      '*',
    ])
      assert.equal(isAddressRange(text), false, text)
    for (const text of ['10.0.0.0/0', ' 192.0.2.7 ', '::/0', '::ffff:10.0.0.1'])
      assert.ok(isAddressRange(text), text)
  })

  it('that are none match nothing', () => {
    assert.equal(addressMatcher(['what?', '10.0.0.0/99'])('10.0.0.1'), false)
  })
})
