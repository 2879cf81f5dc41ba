/** Resource that agents ask, as OAuth names it. */
import type { PublicAddress } from '#base/public-address.ts'

/** Below the address of Errata. */
export const AGENT_PATH = '/mcp'

/** Whether `resource` is this Errata for agents. Without `--url` any address that reaches it is right. */
export function isAgentResource({ isFixed, origin, basePath }: PublicAddress, resource: string): boolean {
  const url = URL.canParse(resource) ? new URL(resource) : null
  if (url === null || url.search !== '' || url.hash !== '' || !/^https?:$/.test(url.protocol)) return false
  return url.pathname.replace(/\/$/, '') === `${basePath}${AGENT_PATH}` && (!isFixed || url.origin === origin)
}

/**
 * Returns the issuer as the agent found it: the address where it asked for a resource, if that reaches
 * Errata.
 */
export function agentIssuer(publicAddress: PublicAddress, resource: string | null): string {
  if (publicAddress.isFixed || resource === null || !isAgentResource(publicAddress, resource))
    return publicAddress.url
  return `${new URL(resource).origin}${publicAddress.basePath}`
}
