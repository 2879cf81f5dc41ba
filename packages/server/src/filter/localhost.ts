/**
 * Whether an event comes from the machine of the one who writes the app: a page or a request of `localhost`,
 * `*.localhost`, 127.0.0.0/8, `::1` or `0.0.0.0`. An event that names no page (a script, a queue worker) is never
 * taken for one: `server_name` says `localhost` in many containers that serve the world.
 */
import type { NormalizedEvent } from '#model/event.ts'
import { addressMatcher } from './address-ranges.ts'

const isLoopback = addressMatcher(['127.0.0.0/8', '::1', '0.0.0.0'])

/** Describes the local host of the page or request; `null` if it is not local. */
export function localHostOf({ request }: NormalizedEvent): string | null {
  if (request === undefined) return null
  const header = (name: string) => request.headers?.find(([key]) => key === name)?.[1]
  // A proxy before the app: what it was asked for counts, not how it reaches the app.
  const forwarded = header('X-Forwarded-Host')
  if (forwarded !== undefined) return localName(hostOf(`http://${forwarded.split(',')[0]?.trim()}`))
  const ofPage = hostOf(request.url)
  const host = header('Host')
  return localName(ofPage ?? (host === undefined ? null : hostOf(`http://${host}`)))
}

function hostOf(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  const { hostname } = new URL(url)
  return hostname === '' ? null : hostname
}

function localName(host: string | null): string | null {
  if (host === null) return null
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  if (name === 'localhost') return 'localhost'
  if (name.endsWith('.localhost')) return '*.localhost'
  const address = name.startsWith('[') ? name.slice(1, -1) : name
  return isLoopback(address) ? 'a loopback address' : null
}
