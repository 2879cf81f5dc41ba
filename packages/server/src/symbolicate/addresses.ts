/** Under which addresses the file that a frame names may have been uploaded. docs/wire.md, section "Source maps". */
import { decodedAddress, framePath } from './paths.ts'

/** Ends of a path that are tried where a server names its files by where they were installed. */
const ENDS_MAX = 12

/**
 * The likeliest first: the whole address, then without query, without host, then ever shorter ends of the path. Each
 * also without the percent signs of browsers: tools name files as they lie on disk, `~/app/[id]/page.js`.
 */
export function addressesOf(path: string): readonly string[] {
  const sent = spelledAddresses(framePath(path))
  const decoded = sent.map(decodedAddress)
  return [...new Set([...sent, ...decoded])]
}

function spelledAddresses(path: string): readonly string[] {
  const whole = path.replace(/#.*$/, '')
  const plain = whole.replace(/\?.*$/, '')
  const below = (text: string) => text.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replaceAll('\\', '/')
  const found = [whole, plain, `~${withSlash(below(whole))}`, `~${withSlash(below(plain))}`]
  const isInstalled = /^(?:\/|[A-Za-z]:[\\/]|file:)/.test(path)
  if (isInstalled) found.push(...ends(below(plain.replace(/^[A-Za-z]:/, ''))))
  return found
}

/** At least a folder and a file: names of files alone are the same in many builds. */
function ends(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '')
  const count = Math.min(ENDS_MAX, Math.max(0, parts.length - 2))
  return Array.from({ length: count }, (_, at) => `~/${parts.slice(at + 1).join('/')}`)
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}
