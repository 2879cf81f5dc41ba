/** Options of a team's relay. They are installed as types only, so they name no other package's. */
import type { RelayRefusal } from './refusals.ts'

export interface RelayOptions {
  /**
   * The DSN whose envelopes are relayed, or several; those of other DSNs are refused. Without any, as where a variable
   * is not set, the relay answers 404.
   */
  readonly dsn: string | undefined | readonly (string | undefined)[]
  /**
   * Path of the relay; default `/monitoring`. The paths that `tunnel: true` makes of the DSNs belong to it
   * too.
   */
  readonly path?: string
  /** Path where the app is mounted, such as `/shop`; the relay's paths are below it. */
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

/** Reasons in client reports. `queue_overflow`: the buffer was full, or an envelope waited too long. */
export type LossReason = 'queue_overflow' | 'network_error'
