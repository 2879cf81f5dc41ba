/** Addresses as texts: IPv6 can be spelled in many ways, and people are found by one. */
import { isIP } from 'node:net'

/**
 * Returns an address as RFC 5952 writes it; an IPv4 address in IPv6 spelling becomes IPv4. `null` for other
 * text.
 */
export function canonicalIp(text: string): string | null {
  const version = isIP(text)
  if (version === 4) return text
  // A zone is of the machine that wrote it.
  if (version === 0 || text.includes('%')) return null
  const plain = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain)
  if (mapped === null) return plain
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** How programs write a canonical address: itself, all eight groups, and those with every zero; lower case. */
export function spellingsOfIp(canonical: string): readonly string[] {
  if (isIP(canonical) !== 6) return [canonical, `::ffff:${canonical}`]
  const [before = '', after] = canonical.split('::')
  const [head, tail] = [splitGroups(before), splitGroups(after ?? '')]
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const groups = [...head, ...zeros, ...tail]
  return [canonical, groups.join(':'), groups.map((group) => group.padStart(4, '0')).join(':')]
}

function splitGroups(text: string): readonly string[] {
  return text === '' ? [] : text.split(':')
}
