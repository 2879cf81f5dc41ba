/** Where people and SDKs reach this installation: decided here alone, and read by everything that leads to it. */

/** A key's public half and its project, as a DSN names them. */
interface DsnKey {
  readonly public: string
  readonly projectId: number
}

/** The address that was set; without one this machine at its port, which is certain once the server listens. */
export class PublicAddress {
  readonly #isSet: boolean
  #parts: Parts

  constructor({ url, port }: { readonly url: string | null; readonly port: number }) {
    this.#isSet = url !== null
    this.#parts = partsOf(url ?? localAddress(port))
  }

  /** The server listens at this port, which may be another than the one it was asked for. */
  bound(port: number): void {
    if (!this.#isSet) this.#parts = partsOf(localAddress(port))
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

function partsOf(text: string): Parts {
  const { origin, hostname, pathname } = new URL(text)
  const basePath = pathname.replace(/\/+$/, '')
  return { url: `${origin}${basePath}`, origin, hostname, basePath }
}

function localAddress(port: number): string {
  return `http://localhost:${port}`
}

/** Path of our own relay for the browsers of a project's app. */
export function relayPath(organisation: string, project: string): string {
  return `/monitoring?${new URLSearchParams({ o: organisation, p: project })}`
}
