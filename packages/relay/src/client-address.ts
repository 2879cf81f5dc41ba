/** The browser's address, as the part of the chain says it that the app trusts. */

export interface AddressRules {
  /** Proxies in front of the app; `null`: none where the other end of the connection is known, else one. */
  readonly trustedHops: number | null
  readonly clientAddressHeader: string | null
}

export interface AddressFacts {
  /** The connection's other end; `undefined` where the framework does not tell. */
  readonly peer: string | null | undefined
  readonly header: (name: string) => string | null
}

const CHAIN_MAX = 50

/** `null` where nobody trusted says it. What a client wrote left of the trusted part is never taken. */
export function clientAddress(facts: AddressFacts, rules: AddressRules): string | null {
  const { peer, header } = facts
  if (rules.clientAddressHeader !== null) return plainAddress(header(rules.clientAddressHeader))
  const hops = rules.trustedHops ?? (peer === undefined ? 1 : 0)
  const forwarded = header('x-forwarded-for')?.split(',').slice(-CHAIN_MAX) ?? []
  const chain = [...forwarded, peer ?? null]
  return plainAddress(chain[Math.max(0, chain.length - 1 - hops)] ?? null)
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:)[0-9a-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?)$/i

/** Without port, brackets, zone and the prefix of a mapped address; `null` for what is no address. */
function plainAddress(text: string | null): string | null {
  const bare = (text ?? '')
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return ADDRESS.test(bare) ? bare : null
}
