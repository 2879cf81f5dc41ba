/** Rules of agents that people sign in by browser: where they may be sent back to, and what is kept of them. Pure. */
import { DAY_MS } from '#base/durations.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

/** A client is forgotten when it was registered before the one and nobody connected it, or connected before the other. */
export function forgottenClients(nowMs: number): {
  readonly registeredBefore: number
  readonly connectedBefore: number
} {
  return {
    registeredBefore: nowMs - max('agentClientUnusedMs'),
    connectedBefore: nowMs - max('agentClientIdleDays') * DAY_MS,
  }
}

/** All that are registered. */
export function refuseAgentClients(count: number): Refusal | null {
  if (count < max('agentClientsMax')) return null
  return refuse('too_many_attempts', 'Too many programs are registered here. Try again tomorrow.')
}

/** Returns how many clients that nobody connected are kept, the newest, so that one more finds room. */
export function waitingClientsKept(connected: number): number {
  return Math.max(0, max('agentClientsMax') - 1 - connected)
}

/** Refuses more connections than one person may have in the organisation. */
export function refuseAgentConnections(count: number): Refusal | null {
  const most = max('agentConnectionsPerPersonMax')
  if (count < most) return null
  return refuse('conflict', `A person has at most ${most} connected apps. Disconnect one first.`)
}

export const AGENT_REFUSALS = {
  noClient: () => refuse('not_found', 'This app isn’t registered any more. Connect it again.'),
  disconnected: () => refuse('not_found', 'The app was already disconnected.'),
} as const

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Schemes that a browser runs, reads or sends itself, and `http` to other machines. */
const NO_PROGRAM: ReadonlySet<string> = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'blob:', 'about:', 'file:', 'filesystem:', 'view-source:'],
  ...['http:', 'ws:', 'wss:', 'ftp:', 'mailto:', 'tel:', 'sms:'],
  ...['chrome:', 'edge:', 'brave:', 'opera:', 'resource:', 'moz-icon:'],
])
/**
 * Schemes that start any program, or a tool of the system: `intent:` of Android, `ms-msdt:`, `search-ms:`.
 */
const STARTS_ANYTHING = /^(?:intent|android-app|ms-[a-z-]+|search(?:-ms)?|shell|jar|ldap):$/

/** HTTPS, this device by HTTP, or a scheme of the program's own: what RFC 8252 has for programs. */
export function isRedirectUri(text: string): boolean {
  if (text.length > max('agentRedirectUriCharsMax') || !/^[\x21-\x7e]+$/.test(text) || text.includes('#'))
    return false
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:' || isLoopbackUrl(url)) return true
  if (STARTS_ANYTHING.test(url.protocol)) return false
  return !NO_PROGRAM.has(url.protocol) && (text.includes('://') || url.protocol.includes('.'))
}

function isLoopbackUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.has(hostname)
}

/** Character by character; on this device with any port (RFC 8252, section 7.3). */
export function isRegisteredUri(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true
  const wanted = withoutPort(given)
  return wanted !== null && registered.some((each) => withoutPort(each) === wanted)
}

/** `null` for what leads to another machine, or is no address of a redirect. */
function withoutPort(text: string): string | null {
  if (!isRedirectUri(text)) return null
  const url = new URL(text)
  if (!isLoopbackUrl(url)) return null
  url.port = ''
  return url.href
}

/** Describes where people are sent back to, for the page that asks them first. */
export function redirectPlace(uri: string): { readonly isDevice: boolean; readonly name: string } {
  const url = new URL(uri)
  if (url.protocol === 'https:') return { isDevice: false, name: url.host }
  return { isDevice: true, name: isLoopbackUrl(url) ? url.host : url.protocol.slice(0, -1) }
}

/** The address with the answer of a person, or with a refusal. */
export function answerAddress(uri: string, answer: Readonly<Record<string, string | null>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

/** Audit entries of connections. */
export const AGENT_NOTES = {
  connected: (name: string, scopes: readonly string[]) => ({
    action: 'app.connected',
    target: name,
    detail: { scopes: scopes.join(' ') },
  }),
  disconnected: (name: string) => ({ action: 'app.disconnected', target: name }),
  reused: (name: string) => ({
    action: 'app.disconnected',
    target: name,
    detail: { reason: 'a refresh token was used twice' },
  }),
} as const
