/** Public address of this installation: decided here alone, and read by everything that leads to it. */

/** A key's public half and its project, as a DSN names them. */
interface DsnKey {
  readonly public: string
  readonly projectId: number
}

/**
 * The address that `--url` set; without it the one that setup was done with, or an operator wrote since; before that
 * this machine at its port, which is certain once the server listens.
 */
export class PublicAddress {
  /** `--url` set it: no other address is used, by people or in links. */
  readonly isFixed: boolean
  #isKept = false
  #onKept: (url: string) => void = () => {}
  #parts: Parts

  constructor({ url, port }: { readonly url: string | null; readonly port: number }) {
    this.isFixed = url !== null
    this.#parts = addressParts(url ?? localAddress(port))
  }

  /** The server listens at this port, which may be another than the one it was asked for. */
  bound(port: number): void {
    if (!this.isFixed && !this.#isKept) this.#parts = addressParts(localAddress(port))
  }

  /** Sets the address that the control store keeps, read by `readOrigin`; `null` if it keeps none. */
  kept(origin: string | null): void {
    if (this.isFixed || origin === null) return
    this.#isKept = true
    this.#parts = addressParts(origin)
    this.#onKept(this.url)
  }

  /** Calls `listener` with each address that is kept from now on, for a thread that has a copy. */
  onKept(listener: (url: string) => void): void {
    this.#onKept = listener
  }

  /**
   * Notes the address at which the server of this data listens, for a program beside it that was given none.
   */
  noted({ url, isFixed }: { readonly url: string; readonly isFixed: boolean }): void {
    if (!this.isFixed && (isFixed || !this.#isKept)) this.#parts = addressParts(url)
  }

  /** Nobody uses this installation over plain http. */
  get isHttpsOnly(): boolean {
    return this.isFixed && this.#parts.url.startsWith('https:')
  }

  /** Without trailing slash. */
  get url(): string {
    return this.#parts.url
  }

  get origin(): string {
    return this.#parts.origin
  }

  get hostname(): string {
    return this.#parts.hostname
  }

  /** Path that comes before every path of ours, such as `/errata`; empty where there is none. */
  get basePath(): string {
    return this.#parts.basePath
  }

  /** `path` begins with a slash. */
  link(path: string): string {
    return `${this.#parts.url}${path}`
  }

  /** `http://KEY@host[:port][/path]/PROJECT` */
  dsn({ public: key, projectId }: DsnKey): string {
    return `${this.#parts.url.replace('://', `://${key}@`)}/${projectId}`
  }
}

/** Read once: every request asks for some of it. */
interface Parts {
  readonly url: string
  readonly origin: string
  readonly hostname: string
  readonly basePath: string
}

function addressParts(text: string): Parts {
  const { origin, hostname, pathname } = new URL(text)
  const basePath = pathname.replace(/\/+$/, '')
  return { url: `${origin}${basePath}`, origin, hostname, basePath }
}

/** `http(s)://host[:port]`, as browsers write it; `null` for what has another scheme, a path, or no sound host. */
export function readOrigin(text: string): string | null {
  if (text.length > ORIGIN_CHARS_MAX || !ORIGIN.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}

const ORIGIN_CHARS_MAX = 300
// Letters outside of ASCII arrive from browsers as punycode. Nothing that a reader could take for a path, a user or a port.
const ORIGIN = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

function localAddress(port: number): string {
  return `http://localhost:${port}`
}

/** Path of our own relay for the browsers of a project's app. */
export function relayPath(organisation: string, project: string): string {
  return `/monitoring?${new URLSearchParams({ o: organisation, p: project })}`
}
