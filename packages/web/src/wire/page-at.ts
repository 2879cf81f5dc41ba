/** Which page an address belongs to. Shared by server and browser. */
import type { PageRoute } from './route.ts'

export interface Match<R> {
  readonly route: R
  readonly params: Readonly<Record<string, string | undefined>>
}

/**
 * The entry of a table whose pattern fits best: with the most parts spelt out, and of those the first. `null` when none
 * does. A pattern is parts such as `issues` and `:id`, or `*` for every address; case and a last slash do not matter.
 */
export function matchTable<R extends { readonly path: string }>(
  table: readonly R[],
  pathname: string,
): Match<R> | null {
  const parts = decodeParts(splitPath(pathname))
  let best: Match<R> | null = null
  let spelt = -1
  for (const route of table) {
    const found = route.path === '*' ? EVERYTHING : matchParts(splitPath(route.path), parts)
    if (found === null || found.spelt <= spelt) continue
    best = { route, params: found.params }
    spelt = found.spelt
  }
  return best
}

export function pageAt(pages: readonly PageRoute[], pathname: string): PageRoute | null {
  return matchTable(pages, pathname)?.route ?? null
}

/** The pattern in place of an address: what reports may name. */
export function matchedPattern(pages: readonly PageRoute[], pathname: string): string {
  return pageAt(pages, pathname)?.path ?? '*'
}

const EVERYTHING = { params: {}, spelt: -0.5 } as const

function matchParts(pattern: readonly string[], parts: readonly string[]) {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  let spelt = 0
  for (const [index, name] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (name.startsWith(':')) {
      if (part === '') return null
      params[name.slice(1)] = part
    } else if (name.toLowerCase() === part.toLowerCase()) spelt += 1
    else return null
  }
  return { params, spelt }
}

function splitPath(path: string): readonly string[] {
  return path.replace(/^\//, '').replace(/\/+$/, '').split('/')
}

/** An escaped slash does not part, and is one in what a parameter holds; an address that cannot be read stays as it is. */
function decodeParts(parts: readonly string[]): readonly string[] {
  try {
    return parts.map((part) => decodeURIComponent(part))
  } catch {
    return parts
  }
}
