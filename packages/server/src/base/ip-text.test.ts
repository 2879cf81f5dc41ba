import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalIp, spellingsOfIp } from './ip-text.ts'

describe('the canonical text of an address', () => {
  for (const [sent, canonical] of [
    ['2a00:1450:4001:0:0:0:0:1', '2a00:1450:4001::1'],
    ['2A00:1450:4001:0000:0000:0000:0000:0001', '2a00:1450:4001::1'],
    ['::ffff:93.184.5.6', '93.184.5.6'],
    ['::FFFF:5db8:506', '93.184.5.6'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::', '::'],
    ['93.184.5.6', '93.184.5.6'],
    ['fe80::1%eth0', null],
    ['93.184.5', null],
    ['', null],
  ] as const) {
    it(`is ${canonical} for "${sent}"`, () => assert.equal(canonicalIp(sent), canonical))
  }

  it('is the same for every spelling, and its own', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.ipV4()), (address) => {
        const canonical = canonicalIp(address)
        assert.ok(canonical !== null)
        for (const spelled of spellingsOfIp(canonical)) assert.equal(canonicalIp(spelled), canonical)
      }),
    )
  })
})
