/**
 * The addresses of a name that people set: looked up once, judged, and called as judged, so that a name that changes
 * its mind between check and call gains nothing.
 */
import type { LookupAddress } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isOwnAddress, isPublicAddress, machineAddresses } from './address-guard.ts'

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export interface AddressSource {
  readonly resolve?: Resolve | undefined
  /** Addresses of this machine; asked at every call. */
  readonly ownAddresses?: (() => readonly string[]) | undefined
}

export interface CheckedAddresses {
  readonly addresses: readonly LookupAddress[]
  /** Every one is of the public Internet, and none of them this machine's. */
  readonly isOutside: boolean
}

/** Name or address of a URL, without the brackets of IPv6. */
export function urlHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Rejects with the look-up's own failure, or with the signal's reason. */
export async function checkedAddresses(
  url: URL,
  { resolve, ownAddresses = machineAddresses, signal }: AddressSource & { readonly signal: AbortSignal },
): Promise<CheckedAddresses> {
  const addresses = await withSignal(resolveAddresses(urlHost(url), resolve), signal)
  const own = ownAddresses()
  const isOutside = addresses.every(({ address }) => isPublicAddress(address) && !isOwnAddress(address, own))
  return { addresses, isOutside }
}

/** Answers what was checked, never asks again. */
export function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const wanted = addresses.filter(({ family }) => !options.family || family === options.family)
    const [first] = wanted
    if (first === undefined) callback(new Error('no address of this family'), '')
    else if (options.all === true) callback(null, [...wanted])
    else callback(null, first.address, first.family)
  }
}

async function resolveAddresses(
  host: string,
  resolve: Resolve = (name) => lookUp(name, { all: true }),
): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  return family === 0 ? resolve(host) : [{ address: host, family }]
}

/** A look-up cannot be stopped; it can be left. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
