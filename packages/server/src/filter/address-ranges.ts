/** Client addresses and CIDR ranges: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net'

interface Range {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly prefix: number
}

const BITS: Readonly<Record<Range['family'], number>> = { ipv4: 32, ipv6: 128 }

/** True if `text` is an address or a range of one; names and zones (`fe80::1%eth0`) are none. */
export function isAddressRange(text: string): boolean {
  return rangeOf(text) !== null
}

/** Tells whether an address is in one of the ranges. Texts that are no range match nothing. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const known = ranges.map(rangeOf).filter((range) => range !== null)
  if (known.length === 0) return () => false
  const list = new BlockList()
  for (const { address, family, prefix } of known) list.addSubnet(address, prefix, family)
  return (address) => {
    const family = familyOrNull(address)
    return family !== null && list.check(address, family)
  }
}

function rangeOf(text: string): Range | null {
  const match = /^([0-9a-f:.]{2,45})(?:\/(\d{1,3}))?$/i.exec(text.trim())
  const address = match?.[1] ?? ''
  const family = familyOrNull(address)
  if (family === null) return null
  const prefix = match?.[2] === undefined ? BITS[family] : Number(match[2])
  return prefix <= BITS[family] ? { address, family, prefix } : null
}

function familyOrNull(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 && !address.includes('%') ? 'ipv6' : null
}
