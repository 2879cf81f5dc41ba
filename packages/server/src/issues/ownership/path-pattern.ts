/** Paths against the patterns of `CODEOWNERS`, which are those of gitignore. Pure, and without backtracking over paths. */
import { matchesPattern } from '#model/text-pattern.ts'

/** More than any repository has; what lies deeper belongs to nobody. */
const SEGMENTS_MAX = 32
const ANY_DEPTH = '**'

/** A pattern that is not anchored may begin at any folder, and one that names a folder holds all below it. */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const wanted = segmentsOfPattern(pattern)
  const segments = path.split('/').filter((segment) => segment !== '')
  if (wanted.length === 0 || segments.length > SEGMENTS_MAX) return false
  return matchesSegments(wanted, segments)
}

/** As a list of segments from the root on, in which `**` stands for any number of folders. */
function segmentsOfPattern(pattern: string): readonly string[] {
  const isFolder = pattern.endsWith('/')
  const plain = pattern.replace(/^\/+|\/+$/g, '')
  if (plain === '') return pattern === '/' ? [ANY_DEPTH] : []
  const isAnchored = pattern.startsWith('/') || plain.includes('/')
  const segments = plain.split('/').filter((segment) => segment !== '')
  // `docs/*` is what lies in the folder itself; `docs`, `docs/` and `docs/**` are all below it.
  const isShallow = segments.at(-1) === '*' && !isFolder
  const below = isShallow || segments.at(-1) === ANY_DEPTH ? [] : [ANY_DEPTH]
  return [...(isAnchored ? [] : [ANY_DEPTH]), ...segments, ...below].slice(0, SEGMENTS_MAX)
}

/**
 * As one matches `*` in a text, with segments for letters: after a `**` the shortest way on is tried first, and only the
 * last `**` is gone back to. At most segments × segments.
 */
function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let [at, from] = [0, 0]
  let retry: { pattern: number; path: number } | null = null
  while (at < path.length) {
    const wanted = pattern[from]
    if (wanted === ANY_DEPTH) {
      retry = { pattern: from + 1, path: at }
      from++
    } else if (wanted !== undefined && matchesPattern(wanted, path[at] ?? '')) {
      at++
      from++
    } else if (retry !== null) {
      retry = { pattern: retry.pattern, path: retry.path + 1 }
      at = retry.path
      from = retry.pattern
    } else return false
  }
  return pattern.slice(from).every((segment) => segment === ANY_DEPTH)
}
