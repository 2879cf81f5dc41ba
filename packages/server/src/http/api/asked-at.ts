/** The address that a client used: without `--url` any that reaches Errata is right. */
import { type PublicAddress, readOrigin } from '#base/public-address.ts'

/**
 * Without trailing slash. Host and scheme are what the client or its proxy says: good for what this client is answered,
 * which nobody keeps. Where the host is that of the public address, so is the scheme.
 */
export function askedAt(headers: Headers, publicAddress: PublicAddress): string {
  if (publicAddress.isFixed) return publicAddress.url
  // Proxies that write their own Host say there what they were asked for.
  const host = firstOfList(headers.get('x-forwarded-host')) || (headers.get('host') ?? '')
  if (host === new URL(publicAddress.url).host) return publicAddress.url
  const scheme = firstOfList(headers.get('x-forwarded-proto')) === 'https' ? 'https' : 'http'
  return readOrigin(`${scheme}://${host}`) ?? publicAddress.url
}

/** Returns what the first proxy was told, of what each of several says. */
function firstOfList(value: string | null): string {
  return (value?.split(',')[0] ?? '').trim()
}
