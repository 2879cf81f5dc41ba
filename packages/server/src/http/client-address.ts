/**
 * Finds the client's address behind trusted proxies only, from the one header that they write: anyone can
 * send any header, and a proxy passes on what it does not know. docs/wire.md, section "Client address".
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { max } from '#limits/limits.ts'
import { hopOf } from './hop.ts'

export interface ClientAddresses {
  /** The socket's other end; `null` when it is gone. */
  peer(request: IncomingMessage): string | null
  /** The client of a page or API request, for sign-in limits and the audit log. */
  client(request: IncomingMessage): string | null
  /** The client of an ingest request. */
  sender(request: IncomingMessage): string | null
  /** Whether whoever is at an address may speak for others: a trusted proxy, or a program on this machine. */
  isProxy(address: string): boolean
  /** True where any header says that somebody passed the request on for another, trusted or not. */
  isPassedOn(request: IncomingMessage): boolean
  /** Returns the sender that a trusted proxy states; `null` if none does: the peer is then only a relay. */
  relayedSender(request: IncomingMessage): string | null
}

const CHAIN_HEADER = 'x-forwarded-for'
/**
 * Header of the relay package in a customer's app, which is trusted like a proxy. It counts only if the
 * proxies' header is absent: a proxy between would have written that one, and would pass this one on from
 * anybody.
 */
const TUNNEL_HEADER = 'x-sentry-forwarded-for'
const STANDARD_HEADER = 'forwarded'
/** Headers in which proxies state whom they speak for, beside the one in the settings. */
const PROXY_HEADERS = [
  ...[CHAIN_HEADER, STANDARD_HEADER, TUNNEL_HEADER],
  ...['x-real-ip', 'via', 'x-forwarded-host'],
] as const
const CHAIN_MAX = 50
/** A proxy on this machine is one whether or not somebody said so. */
const LOOPBACK = readBlockList(['127.0.0.0/8', '::1'])

interface Peer {
  readonly address: string | null
  readonly isProxy: boolean
}

/**
 * Makes what finds a client's address behind trusted proxies. `trusted`: addresses or CIDR ranges, v4 or v6. `header`:
 * where they write the client's address. X-Forwarded-For and Forwarded are chains that each proxy appends to; any
 * other names one client. `isInner`: of requests that threads pass on.
 */
export function createClientAddresses(
  trusted: readonly string[],
  header: string | null = CHAIN_HEADER,
  isInner = false,
): ClientAddresses {
  const proxies = readBlockList(trusted)
  const isProxy = (address: string): boolean => isIP(address) !== 0 && proxies.check(address, family(address))
  const named = header ?? CHAIN_HEADER
  const read = senderReader(named, isProxy)
  const peerOf = rememberingPeers(isProxy, isInner)
  const behindProxy = (request: IncomingMessage): string | null =>
    peerOf(request).isProxy ? read(request.headers) : null
  const client = (request: IncomingMessage): string | null => behindProxy(request) ?? peerOf(request).address
  const relayedSender = (request: IncomingMessage): string | null => {
    if (!peerOf(request).isProxy) return null
    const { headers } = request
    return headers[named] === undefined ? oneAddress(headers[TUNNEL_HEADER]) : read(headers)
  }
  return {
    peer: (request) => peerOf(request).address,
    client,
    sender: (request) => relayedSender(request) ?? peerOf(request).address,
    isProxy: (address) => {
      const plain = plainAddress(address)
      return plain !== null && (LOOPBACK.check(plain, family(plain)) || isProxy(plain))
    },
    isPassedOn: ({ headers }) => [named, ...PROXY_HEADERS].some((name) => headers[name] !== undefined),
    relayedSender,
  }
}

/** Sockets come from few addresses: each is looked up once. */
function rememberingPeers(
  isProxy: (address: string) => boolean,
  isInner: boolean,
): (request: IncomingMessage) => Peer {
  const known = new Map<string, Peer>()
  return (request) => {
    // Behind a thread that accepts, the socket's other end is that thread.
    const remoteAddress = (isInner ? hopOf(request)?.peer : request.socket.remoteAddress) ?? ''
    const found = known.get(remoteAddress)
    if (found !== undefined) return found
    const address = plainAddress(remoteAddress)
    const peer = { address, isProxy: address !== null && isProxy(address) }
    if (known.size >= max('peersRememberedMax')) known.clear()
    known.set(remoteAddress, peer)
    return peer
  }
}

function senderReader(
  header: string,
  isProxy: (address: string) => boolean,
): (headers: IncomingHttpHeaders) => string | null {
  if (header === CHAIN_HEADER) return (headers) => chainClient(headers[CHAIN_HEADER], isProxy)
  if (header === STANDARD_HEADER) return (headers) => chainClient(forwardedChain(headers.forwarded), isProxy)
  return (headers) => oneAddress(headers[header])
}

function oneAddress(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? plainAddress(value.split(',', 1)[0]) : null
}

/** The `for=` of each element of a Forwarded header (RFC 7239), as a chain; what has none is no address. */
function forwardedChain(value: string | undefined): string | undefined {
  return value
    ?.split(',')
    .slice(-CHAIN_MAX)
    .map((element) => /(?:^|;)\s*for=(?:"([^"]*)"|([^;\s]*))/i.exec(element))
    .map((match) => match?.[1] ?? match?.[2] ?? 'unknown')
    .join(',')
}

/** The rightmost address of the chain that is no trusted proxy: what stands left of it anybody may have written. */
function chainClient(
  value: string | string[] | undefined,
  isProxy: (address: string) => boolean,
): string | null {
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

function readBlockList(entries: readonly string[]): BlockList {
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
