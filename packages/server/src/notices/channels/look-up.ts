/**
 * Looks host names up for calls. The system's own look-up knows `/etc/hosts` and the like, but holds a thread of the pool
 * that files are written with for as long as a name server is silent: so few names hang there at once, each once, and
 * what comes beyond asks the name servers itself, which holds nothing.
 */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { max } from '#limits/limits.ts'
import type { Resolve } from './checked-addresses.ts'

const NAME_SERVER = { timeout: 2_000, tries: 2 } as const

export function createLookUp(
  system: Resolve = (host) => lookup(host, { all: true }),
  direct: Resolve = askNameServers,
): Resolve {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>()
  return (host) => {
    const known = underWay.get(host)
    if (known !== undefined) return known
    if (underWay.size >= max('lookUpsAtOnceMax')) return direct(host)
    const asked = system(host).finally(() => underWay.delete(host))
    underWay.set(host, asked)
    return asked
  }
}

async function askNameServers(host: string): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver(NAME_SERVER)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const of = (family: 4 | 6, found: PromiseSettledResult<readonly string[]>) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  const addresses = [...of(4, four), ...of(6, six)]
  if (addresses.length > 0 || four.status === 'fulfilled') return addresses
  const isUnknown = four.reason instanceof Error && 'code' in four.reason && four.reason.code === 'ENOTFOUND'
  throw Object.assign(new Error('no address'), { code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN' })
}
