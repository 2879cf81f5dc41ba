/** Options, read and refused once, when a relay is made. */
import { type Dsn, parseDsn } from '@errata/protocol'
import type { RelayDrop, RelayOptions } from './options.ts'
import type { RelayRefusal } from './refusals.ts'
import { ownPath, tunnelPaths } from './tunnel-paths.ts'

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
    onRefused: guardListener(options.onRefused),
    onDropped: guardListener(options.onDropped),
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

/** Calls the app's listener; an error in it neither changes a browser's answer nor ends the process. */
function guardListener<T>(listener: ((notice: T) => void) | undefined): (notice: T) => void {
  return (notice) => {
    try {
      listener?.(notice)
    } catch (cause) {
      console.error('relay: a callback failed', cause)
    }
  }
}
