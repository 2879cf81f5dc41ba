/** Paths against the patterns of `CODEOWNERS`, which are those of gitignore. Pure, and without backtracking over paths. */
/** More than any repository has; what lies deeper belongs to nobody. */
const SEGMENTS_MAX = 32
const ANY_DEPTH = '**'

/** A pattern that is not anchored may begin at any folder, and one that names a folder holds all below it. */
export function matchesPathPattern(pattern: string, path: string): boolean {
  return matchesPath(segmentsOfPattern(pattern), segmentsOfPath(path))
}

/** The same for what was taken apart before. */
export function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length > 0 && path.length <= SEGMENTS_MAX && matchesSegments(pattern, path)
}

export function segmentsOfPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** As a list of segments from the root on, in which `**` stands for any number of folders. */
export function segmentsOfPattern(pattern: string): readonly string[] {
  const isFolder = pattern.endsWith('/')
  const plain = pattern.replace(/^\/+|\/+$/g, '')
  if (plain === '') return pattern === '/' ? [ANY_DEPTH] : []
  const isAnchored = pattern.startsWith('/') || plain.includes('/')
  const segments = segmentsOfPath(plain)
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
    } else if (wanted !== undefined && matchesSegment(wanted, path[at] ?? '')) {
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

/** `*` is any text, `?` any one sign. The last star alone is gone back to: at most signs × signs, of bounded lengths. */
function matchesSegment(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text
  let [at, from] = [0, 0]
  let retry: { pattern: number; text: number } | null = null
  while (at < text.length) {
    const wanted = pattern[from]
    if (wanted === '*') {
      retry = { pattern: from + 1, text: at }
      from++
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      at++
      from++
    } else if (retry !== null) {
      retry = { pattern: retry.pattern, text: retry.text + 1 }
      at = retry.text
      from = retry.pattern
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}
