import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKey, networkKey } from './address-key.ts'

const ADDRESSES: readonly [address: string | null, own: string, network: string][] = [
  ['192.0.2.77', '192.0.2.77', '192.0.2'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
  ['2001:0DB8:0001::', '2001:db8:1:0', '2001:db8:1'],
  ['::1', '0:0:0:0', '0:0:0'],
  [null, 'unknown', 'unknown'],
  ['no address', 'no address', 'no address'],
]
for (const [address, own, network] of ADDRESSES)
  test(`${address} counts as ${own}, in the network ${network}`, () => {
    assert.deepEqual([addressKey(address), networkKey(address)], [own, network])
  })
