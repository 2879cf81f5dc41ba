/** Client addresses: kept, shortened to their network, or dropped, wherever an event holds them. */
import { isIP } from 'node:net'
import { isObject } from '#base/json.ts'
import type { NormalizedEvent } from '#model/event.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { FILTERED } from './filtered.ts'

const NAMES: ReadonlySet<string> = new Set(
  `ip ipaddress ipaddr clientip clientaddress clientipaddress remoteaddr remoteip remoteaddress remotehost netpeerip
  netsockpeeraddr networkpeeraddress httpclientip clientsocketaddress xforwardedfor xrealip forwarded forwardedfor
  cfconnectingip cfconnectingipv6 trueclientip flyclientip fastlyclientip xclientip xclusterclientip xoriginalforwardedfor
  xazureclientip xenvoyexternaladdress sourceip useripaddress userip httpxforwardedfor httpxrealip
  httpcfconnectingip httpforwarded httptrueclientip`.split(/\s+/),
)
const ADDRESSES_MAX = 20
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}/gi
const TEXT_CHARS = 1_024

/** True for a key that holds the address of a client: `X-Forwarded-For`, `client.address`, `REMOTE_ADDR`. */
export function namesAddress(key: string): boolean {
  return key.length <= 40 && NAMES.has(key.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

/**
 * Reduces an address to what may stay: `203.0.113.0` of a v4 one, three groups of a v6 one; nothing when
 * dropped.
 */
export function reduceAddress(address: string, policy: ScrubOptions['clientAddress']): string {
  if (policy === 'keep') return address
  if (policy === 'drop') return FILTERED
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return reduceAddress(mapped, policy)
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0`
  return isIP(address) === 6 ? `${networkOf(address)}::` : FILTERED
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - left.length - (tail === '' ? 0 : tail.split(':').length)
  const groups = [...left, ...new Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')]
  const kept = groups.slice(0, 3).map((group) => group || '0')
  while (kept.length > 1 && /^0+$/.test(kept.at(-1) ?? '')) kept.pop()
  return kept.join(':')
}

/** Addresses within a text such as `203.0.113.7, 10.0.0.1` or `for="[2001:db8::1]:4711"`. */
export function addressesIn(text: string): string[] {
  const found = text.slice(0, TEXT_CHARS).match(ADDRESS) ?? []
  return found.filter((one) => isIP(one) !== 0)
}

/** Every client address that the event names, with what replaces it; the longest first. */
export function addressReplacements(
  event: NormalizedEvent,
  clientAddress: string | null,
  policy: ScrubOptions['clientAddress'],
): [address: string, replacement: string][] {
  if (policy === 'keep') return []
  const found = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value !== 'string') return
    for (const address of addressesIn(value)) {
      if (found.size < ADDRESSES_MAX && reduceAddress(address, policy) !== address) found.add(address)
    }
  }
  add(event.user?.ip_address)
  add(clientAddress)
  for (const [name, value] of event.request?.headers ?? []) if (namesAddress(name)) add(value)
  for (const bag of [
    event.request?.env,
    event.user?.data,
    event.extra,
    ...Object.values(event.contexts ?? {}),
  ]) {
    if (!isObject(bag)) continue
    for (const key of Object.keys(bag)) if (namesAddress(key)) add(bag[key])
  }
  return [...found]
    .toSorted((a, b) => b.length - a.length)
    .map((address) => [address, reduceAddress(address, policy)])
}
