/**
 * Which addresses a webhook may call. Everything that is not plainly an address of the public Internet is refused:
 * of IPv6 only global unicast, so that mapped, translated (NAT64) and tunnelled forms of IPv4 cannot slip through.
 * Public addresses of this machine lead to it as 127.0.0.1 does, past whatever firewall is before it.
 */
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const PRIVATE_V4 = blockList('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, metadata services
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
])
const GLOBAL_V6 = blockList('ipv6', [['2000::', 3]])
const PRIVATE_V6 = blockList('ipv6', [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: holds an IPv4 address
  ['3fff::', 20], // documentation
])

/** True for an address of the public Internet; false for every other, and for what is no address at all. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false // a zone: link-local
  const family = isIP(address)
  if (family === 4) return !PRIVATE_V4.check(address, 'ipv4')
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !PRIVATE_V6.check(address, 'ipv6')
}

/** Addresses of this machine's interfaces, as they are now: they come and go while it runs. */
export function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
}

/** True if an address is one of `own`, however either is spelt. */
export function isOwnAddress(address: string, own: readonly string[]): boolean {
  const list = new BlockList()
  for (const one of own) if (isIP(one) !== 0) list.addAddress(one, familyOfAddress(one))
  return isIP(address) !== 0 && list.check(address, familyOfAddress(address))
}

function familyOfAddress(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

function blockList(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family)
  return list
}
