/** Keys for counting by address. */
import { isIPv4, isIPv6 } from 'node:net'

const UNKNOWN = 'unknown'

/**
 * Returns the key of an address. One household or server is given a whole /64 of IPv6, which counts as one
 * address.
 */
export function addressKey(address: string | null): string {
  // Asked of every request: the pattern behind `isIPv6` is long, and one of IPv4 goes through all of it.
  if (address === null || !address.includes(':') || !isIPv6(address)) return address ?? UNKNOWN
  return expandGroups(address, 4)
}

/** The neighbourhood of an address: what one provider gives to one customer, /24 of IPv4 and /48 of IPv6. */
export function networkKey(address: string | null): string {
  if (address !== null && isIPv4(address)) return address.slice(0, address.lastIndexOf('.'))
  return address !== null && isIPv6(address) ? expandGroups(address, 3) : (address ?? UNKNOWN)
}

/** The first groups of an IPv6 address, whatever it leaves out. */
function expandGroups(address: string, count: number): string {
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head.split(':').filter((part) => part !== '')
  const right = tail.split(':').filter((part) => part !== '')
  const gap = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0
  return [...left, ...Array<string>(gap).fill('0'), ...right]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
