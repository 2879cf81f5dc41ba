/** What a team writes down for its relay: read and refused once, when the relay is made. */
import { type Dsn, parseDsn } from '@errata/protocol'
import type { LossReason } from './losses.ts'
import type { RelayRefusal } from './refusals.ts'
import { ownPath, tunnelPaths } from './tunnel-paths.ts'

export interface RelayOptions {
  /**
   * The DSN whose envelopes are relayed, or several; those of other DSNs are refused. Without any, as where a variable
   * is not set, the relay answers 404.
   */
  readonly dsn: string | undefined | readonly (string | undefined)[]
  /** Where the relay answers; `/monitoring`. The paths that `tunnel: true` makes of the DSNs belong to it too. */
  readonly path?: string
  /** Where the app is mounted, such as `/shop`; the relay's paths are below it. */
  readonly basePath?: string
  /**
   * The app's own origins, such as `https://shop.example`. Needed where a proxy changes `Host` and sends no
   * `X-Forwarded-Host`, for browsers that do not send `Sec-Fetch-Site`.
   */
  readonly origins?: readonly string[]
  /** Proxies in front of the app that append to `X-Forwarded-For`: 0 where the app sees its clients itself, else 1. */
  readonly trustedHops?: number
  /** Header in which the platform, and nobody else, writes the client's address: `cf-connecting-ip`. */
  readonly clientAddressHeader?: string
  /** Largest envelope in bytes, as it is sent; 20 MiB. */
  readonly bodyBytesMax?: number
  /** Until Errata has answered; 3 s. Then the envelope is kept for later. */
  readonly timeoutMs?: number
  /** Bytes of envelopes that wait in memory while a DSN's host cannot be reached; 8 MiB. 0 keeps none. */
  readonly bufferBytesMax?: number
  /** Called with why a request was refused. */
  readonly onRefused?: (refusal: RelayRefusal) => void
  /** Called with what was lost because Errata could not be reached. It is also reported to Errata, once it can be. */
  readonly onDropped?: (drop: RelayDrop) => void
  readonly fetch?: typeof fetch
}

/** An envelope that was lost on its way. */
export interface RelayDrop {
  readonly reason: LossReason
  readonly bytes: number
}

/** Options with their defaults. */
export interface RelaySettings {
  readonly dsns: readonly Dsn[]
  readonly paths: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
  readonly trustedHops: number | null
  readonly clientAddressHeader: string | null
  readonly bodyBytesMax: number
  readonly timeoutMs: number
  readonly bufferBytesMax: number
  readonly onRefused: (refusal: RelayRefusal) => void
  readonly onDropped: (drop: RelayDrop) => void
  readonly fetch: typeof fetch
}

const BODY_BYTES_MAX = 20 * 1024 * 1024
const BUFFER_BYTES_MAX = 8 * 1024 * 1024
const TIMEOUT_MS = 3_000

/** @throws TypeError for what cannot be meant: a mistake that is found at start, not by the first browser. */
export function readOptions(options: RelayOptions): RelaySettings {
  const texts = [options.dsn]
    .flat()
    .filter((text) => text !== undefined)
    .filter((text) => text !== '')
  const own = ownPath(options.path ?? '/monitoring')
  const base = options.basePath === undefined ? '' : ownPath(options.basePath)
  return {
    dsns: texts.map(readDsn),
    paths: new Set([own, ...texts.flatMap(tunnelPaths)].map((path) => `${base}${path}`)),
    origins: new Set((options.origins ?? []).map(readOrigin)),
    trustedHops: options.trustedHops === undefined ? null : readCount('trustedHops', options.trustedHops),
    clientAddressHeader: options.clientAddressHeader?.toLowerCase() ?? null,
    bodyBytesMax: readCount('bodyBytesMax', options.bodyBytesMax ?? BODY_BYTES_MAX),
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? TIMEOUT_MS),
    bufferBytesMax: readCount('bufferBytesMax', options.bufferBytesMax ?? BUFFER_BYTES_MAX),
    onRefused: guarded(options.onRefused),
    onDropped: guarded(options.onDropped),
    // Asked at each call: SDKs and frameworks put their own in its place after start.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  }
}

function readDsn(text: string): Dsn {
  const dsn = parseDsn(text)
  if (dsn === null) throw new TypeError('relay: `dsn` is not a DSN')
  return dsn
}

function readOrigin(text: string): string {
  if (!URL.canParse(text)) throw new TypeError(`relay: \`origins\` has no origin in ${JSON.stringify(text)}`)
  return new URL(text).origin
}

function readCount(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`relay: \`${name}\` is not a count`)
  return value
}

/** What the app does with a notice is no reason to answer a browser otherwise, or to end the process. */
function guarded<T>(listener: ((notice: T) => void) | undefined): (notice: T) => void {
  return (notice) => {
    try {
      listener?.(notice)
    } catch (cause) {
      console.error('relay: a callback failed', cause)
    }
  }
}
