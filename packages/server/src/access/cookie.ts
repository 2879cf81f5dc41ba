/** The session cookie: its name and attributes follow from the address that people use. */
import type { PublicAddress } from '#base/public-address.ts'

interface SessionCookie {
  /** Value of Set-Cookie. */
  set(value: string, maxAgeSeconds: number): string
  /** Values of Set-Cookie that remove it. */
  clear(): readonly string[]
  /** The cookie's value in a Cookie header; `null` when absent or given twice. */
  read(header: string | null): string | null
}

const VALUE = /^[A-Za-z0-9_-]+$/
const SESSION: CookieKind = { plainName: 'errata', charsMax: 128 }
const FLOW: CookieKind = { plainName: 'errata-sign-in', charsMax: 3_000 }
const DEVICE: CookieKind = { plainName: 'errata-device', charsMax: 512 }

/**
 * One name where `--url` says the scheme. Without it people may use http and https: `used`, the origin that the browser
 * shows when it posts, chooses the name that is set, and of two that are sent the one that no other host can plant
 * counts.
 */
export function sessionCookie(address: CookieAddress, used: string | null): SessionCookie {
  return cookieAt(address, used, SESSION)
}

/** What a browser keeps of having signed in, whoever signs out of it (`known-device.ts`). */
export function deviceCookie(address: CookieAddress, used: string | null): SessionCookie {
  return cookieAt(address, used, DEVICE)
}

type CookieAddress = Pick<PublicAddress, 'isFixed' | 'url'>

function cookieAt(address: CookieAddress, used: string | null, kind: CookieKind): SessionCookie {
  if (address.isFixed) return cookieOf(address.url, kind)
  const [secure, plain] = [cookieOf('https:', kind), cookieOf('http:', kind)]
  return {
    set: used?.startsWith('https:') === true ? secure.set : plain.set,
    clear: () => [...secure.clear(), ...plain.clear()],
    read: (header) => secure.read(header) ?? plain.read(header),
  }
}

interface CookieKind {
  readonly plainName: string
  readonly charsMax: number
}

/** What a browser keeps while somebody is at their identity provider. */
export function flowCookie({ url }: Pick<PublicAddress, 'url'>): SessionCookie {
  return cookieOf(url, FLOW)
}

/** `__Host-` ties the cookie to this host and to https; a plain-http installation cannot use it. */
function cookieOf(url: string, { plainName, charsMax }: CookieKind): SessionCookie {
  const isSecure = url.startsWith('https:')
  const ownName = `${plainName}${pathMark(url)}`
  const name = isSecure ? `__Host-${ownName}` : ownName
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    set: (value, maxAgeSeconds) => `${name}=${value}; Max-Age=${maxAgeSeconds}${attributes}`,
    clear: () => [`${name}=; Max-Age=0${attributes}`],
    read(header) {
      const values = (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      const [value] = values
      // Two of them mean that another host or path planted one: neither is trusted.
      return values.length === 1 && value !== undefined && value.length <= charsMax && VALUE.test(value)
        ? value
        : null
    },
  }
}

/** Several installations below one host know their own: `__Host-` allows no path but `/`, so that the name says it. */
function pathMark(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '').replace(/^\/+|\/+$/g, '')
  return path === ''
    ? ''
    : `.${path.replaceAll(/[^A-Za-z0-9-]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}`)}`
}
