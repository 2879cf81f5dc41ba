/** Patterns of `CODEOWNERS`, which are those of gitignore, taken apart. Pure. */

/** More than any repository has; what lies deeper belongs to nobody. */
export const SEGMENTS_MAX = 32
/** Any number of folders. */
export const ANY_DEPTH = '**'

export function segmentsOfPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/**
 * Splits a pattern into segments from the root, in which `**` stands for any number of folders. An unanchored
 * pattern may begin at any folder, and one that names a folder matches everything below it.
 */
export function segmentsOfPattern(pattern: string): readonly string[] {
  const isFolder = pattern.endsWith('/')
  const segments = segmentsOfPath(pattern)
  const plain = segments.join('/')
  if (plain === '') return pattern === '/' ? [ANY_DEPTH] : []
  const isAnchored = pattern.startsWith('/') || plain.includes('/')
  // `docs/*` is what lies in the folder itself; `docs`, `docs/` and `docs/**` are all below it.
  const isShallow = segments.at(-1) === '*' && !isFolder
  const below = isShallow || segments.at(-1) === ANY_DEPTH ? [] : [ANY_DEPTH]
  const all = [...(isAnchored ? [] : [ANY_DEPTH]), ...segments, ...below]
  return all.filter((one, at) => one !== ANY_DEPTH || all[at - 1] !== ANY_DEPTH).slice(0, SEGMENTS_MAX)
}
