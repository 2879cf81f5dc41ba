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

function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesWild(pattern, path, { any: ANY_DEPTH, isOne: matchesSegment })
}

/** `*` is any text, `?` any one sign. */
function matchesSegment(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text
  return matchesWild(pattern, text, { any: '*', isOne: isSign })
}

function isSign(wanted: string, sign: string): boolean {
  return wanted === '?' || wanted === sign
}

/**
 * Of segments as of signs: `any` stands for any number of them, all else for one. After an `any` the shortest way on is tried
 * first, and only the last one is gone back to: at most the length of one times that of the other.
 */
function matchesWild(
  pattern: ArrayLike<string>,
  text: ArrayLike<string>,
  { any, isOne }: { readonly any: string; readonly isOne: (wanted: string, one: string) => boolean },
): boolean {
  let [at, from] = [0, 0]
  let retry: { pattern: number; text: number } | null = null
  while (at < text.length) {
    const wanted = pattern[from]
    if (wanted === any) {
      retry = { pattern: from + 1, text: at }
      from++
    } else if (wanted !== undefined && isOne(wanted, text[at] ?? '')) {
      at++
      from++
    } else if (retry !== null) {
      retry = { pattern: retry.pattern, text: retry.text + 1 }
      at = retry.text
      from = retry.pattern
    } else return false
  }
  while (pattern[from] === any) from++
  return from === pattern.length
}
