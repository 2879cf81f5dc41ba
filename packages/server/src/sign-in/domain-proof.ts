/** Whether an email domain is an organisation's: its DNS holds a text that the organisation was given. */
import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import { max } from '#limits/limits.ts'

/** The texts of a name; none where it has none. Throws when DNS does not answer. */
export type TextLookup = (name: string) => Promise<readonly string[]>

/** Returns the name of a domain's record: below the domain, so that it is in nobody's way. */
export function recordName(domain: string): string {
  return `_errata.${domainToASCII(domain) || domain}`
}

export function recordText(token: string): string {
  return `errata-domain=${token}`
}

export function isProvedBy(texts: readonly string[], token: string): boolean {
  return texts.some((text) => text.trim() === recordText(token))
}

/** `servers` empty: those of the machine. */
export function createTextLookup(servers: readonly string[]): TextLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: max('domainLookupMs'), tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (cause) {
      if (isAbsent(cause)) return []
      throw cause
    }
  }
}

function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOTFOUND' || cause.code === 'ENODATA')
}
