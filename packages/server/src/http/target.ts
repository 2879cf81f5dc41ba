/** The request target: path and query as sent, or nothing for what no honest client sends. */

export interface Target {
  /** Percent-encoded as sent, slashes collapsed, the public address's own path removed. Begins with `/`. */
  readonly path: string
  /** With its `?`; empty without a query. */
  readonly search: string
}

const ABSOLUTE = /^https?:\/\/[^/?]*/i
// Control characters, back slashes and fragments: legal nowhere in a target, and read differently by different readers.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0020\u007f\\#]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN_DECODED = /[\u0000-\u001f\u007f]/
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/

/**
 * Reads a request target in origin form or absolute form. `null` for any other, for bad percent-encoding, control
 * characters and dot segments. `prefix` is the path of the public address, without a trailing slash.
 */
export function readTarget(url: string | undefined, prefix: string): Target | null {
  if (url === undefined) return null
  const relative = url.startsWith('/') ? url : url.replace(ABSOLUTE, '')
  const query = relative.indexOf('?')
  const rawPath = query === -1 ? relative : relative.slice(0, query)
  const search = query === -1 ? '' : relative.slice(query)
  const isAbsolute = relative.length < url.length
  const path = rawPath === '' && isAbsolute ? '/' : rawPath
  if (!path.startsWith('/') || FORBIDDEN.test(path) || FORBIDDEN.test(search)) return null
  const decoded = decodePath(path)
  if (decoded === null || FORBIDDEN_DECODED.test(decoded) || DOT_SEGMENT.test(decoded)) return null
  return {
    path: pathWithoutPrefix(path.replace(/\/{2,}/g, '/'), prefix),
    search: search === '?' ? '' : search,
  }
}

/**
 * Reads the target of a page whose address cannot be decoded, or has control characters: each percent sign stands for
 * itself, so that the page can say what is missing. `null` where it is still none.
 */
export function readPageTarget(url: string | undefined, prefix: string): Target | null {
  const [path = '', ...query] = (url ?? '').split('?')
  return readTarget([path.replaceAll('%', '%25'), ...query].join('?'), prefix)
}

function decodePath(path: string): string | null {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return null // bad percent-encoding
  }
}

/** A proxy may pass the public path on or remove it: both arrive here. */
function pathWithoutPrefix(path: string, prefix: string): string {
  if (prefix === '') return path
  if (path === prefix) return '/'
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}
