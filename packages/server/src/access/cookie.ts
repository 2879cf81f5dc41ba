/** The session cookie: its name and attributes follow from the public address alone. */

interface SessionCookie {
  readonly name: string
  /** Value of Set-Cookie. */
  set(value: string, maxAgeSeconds: number): string
  /** Value of Set-Cookie that removes it. */
  clear(): string
  /** The cookie's value in a Cookie header; `null` when absent or given twice. */
  read(header: string | null): string | null
}

const VALUE = /^[A-Za-z0-9_-]{1,128}$/

/** `__Host-` ties the cookie to this host and to https; a plain-http installation cannot use it. */
export function sessionCookie(url: string): SessionCookie {
  const isSecure = url.startsWith('https:')
  const name = isSecure ? '__Host-errata' : 'errata'
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    name,
    set: (value, maxAgeSeconds) => `${name}=${value}; Max-Age=${maxAgeSeconds}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read(header) {
      const values = (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      const [value] = values
      // Two of them mean that another host or path planted one: neither is trusted.
      return values.length === 1 && value !== undefined && VALUE.test(value) ? value : null
    },
  }
}
