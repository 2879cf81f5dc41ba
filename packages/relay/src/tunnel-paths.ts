/** Paths of a relay. docs/wire.md, section "Relay". */
import { formatDsn, parseDsn } from '@errata/protocol'

/** A path with a slash before it and none behind. */
export function ownPath(text: string): string {
  const bare = text.replace(/^\.?\/+/, '').replace(/\/+$/, '')
  return bare === '' ? '' : `/${bare}`
}

/** The path of an address, or of a whole URL, without its query and without a slash at its end. */
export function pathOf(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : (address.split(/[?#]/, 1)[0] ?? '')
  return path.replace(/\/$/, '')
}

/** Paths that an SDK with `tunnel: true` makes of a DSN: it takes the text as written, so both spellings count. */
export function tunnelPaths(text: string): readonly string[] {
  const dsn = parseDsn(text)
  if (dsn === null) return []
  return [formatDsn(dsn), asWritten(text)].map((spelt) => `/${fnv1a(spelt).toString(36)}`)
}

/** Without a secret and without what stands behind the project's number; host and port stay as they are. */
function asWritten(text: string): string {
  return text.replace(/^(\w+:\/\/\w+):\w*@/, '$1@').replace(/(\/\d+)[^/]*$/, '$1')
}

/** FNV-1a over UTF-16 units, 32 bit. */
function fnv1a(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return hash >>> 0
}
