/**
 * Who the client is, behind proxies that are trusted and nobody else: anyone can write a header. docs/wire.md, section
 * "Client address".
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export interface ClientAddresses {
  /** The socket's other end; `null` when it is gone. */
  peer(request: IncomingMessage): string | null
  /**
   * The client of a page or API request, for sign-in limits and the audit log: from X-Forwarded-For alone, which a
   * proxy appends to; other headers would pass through an ordinary proxy as the client wrote them.
   */
  client(request: IncomingMessage): string | null
  /** The client of an ingest request: all headers of the wire are looked at. */
  sender(request: IncomingMessage): string | null
  /** What a trusted proxy says the sender is; `null` where none says anything: the peer is then only a relay. */
  relayedSender(request: IncomingMessage): string | null
}

/** In this order. Each names one client; X-Forwarded-For, which comes last, is a chain. */
const SENDER_HEADERS = ['cf-connecting-ip', 'x-vercel-forwarded-for', 'x-sentry-forwarded-for'] as const
const CHAIN_HEADER = 'x-forwarded-for'
const CHAIN_MAX = 50

/** `trusted`: addresses or CIDR ranges, v4 or v6. */
export function createClientAddresses(trusted: readonly string[]): ClientAddresses {
  const proxies = blockList(trusted)
  const isProxy = (address: string): boolean => isIP(address) !== 0 && proxies.check(address, family(address))
  const peer = (request: IncomingMessage): string | null => plainAddress(request.socket.remoteAddress)
  const isBehindProxy = (request: IncomingMessage): boolean => {
    const address = peer(request)
    return address !== null && isProxy(address)
  }
  const relayedSender = (request: IncomingMessage): string | null => {
    if (!isBehindProxy(request)) return null
    return namedSender(request.headers) ?? chainClient(request.headers, isProxy)
  }
  return {
    peer,
    client: (request) =>
      isBehindProxy(request) ? (chainClient(request.headers, isProxy) ?? peer(request)) : peer(request),
    sender: (request) => (isBehindProxy(request) ? (relayedSender(request) ?? peer(request)) : peer(request)),
    relayedSender,
  }
}

function namedSender(headers: IncomingHttpHeaders): string | null {
  for (const name of SENDER_HEADERS) {
    const value = headers[name]
    const address = typeof value === 'string' ? plainAddress(value.split(',', 1)[0]) : null
    if (address !== null) return address
  }
  return null
}

/** The rightmost address of the chain that is no trusted proxy: what stands left of it anybody may have written. */
function chainClient(headers: IncomingHttpHeaders, isProxy: (address: string) => boolean): string | null {
  const value = headers[CHAIN_HEADER]
  if (typeof value !== 'string') return null
  let last: string | null = null
  for (const part of value.split(',').slice(-CHAIN_MAX).reverse()) {
    const address = plainAddress(part)
    if (address === null) return last
    last = address
    if (!isProxy(address)) return address
  }
  return last
}

/** An address without port, brackets, zone and `::ffff:`; `null` for anything else. */
export function plainAddress(text: string | undefined): string | null {
  if (text === undefined) return null
  let address = text.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1]
  if (bracketed !== undefined) address = bracketed
  else if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(':'))
  address = (address.split('%', 1)[0] ?? address).toLowerCase()
  const mapped = /^::ffff:([\d.]+)$/.exec(address)?.[1]
  const plain = mapped ?? address
  return isIP(plain) === 0 ? null : plain
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [text, bits] = entry.split('/', 2)
    const address = plainAddress(text)
    if (address === null) throw new TypeError(`trusted proxy "${entry}" is no address or CIDR range`)
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return list
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
