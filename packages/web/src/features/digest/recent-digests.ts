/** Digests that were looked up last, kept in this browser. */

export interface RecentDigest {
  readonly digest: string
  /** Title of what was found; empty if not seen. */
  readonly title: string
  readonly atMs: number
}

const NAME = 'errata.digests'
const KEPT_MAX = 6
const TITLE_CHARS_MAX = 120

/** Puts what was answered before the others, each once. */
export function keepDigests(answered: readonly RecentDigest[]): readonly RecentDigest[] {
  const others = recentDigests().filter(({ digest }) => answered.every((one) => one.digest !== digest))
  const shortened = answered.map((one) => ({ ...one, title: one.title.slice(0, TITLE_CHARS_MAX) }))
  const kept = [...shortened, ...others].slice(0, KEPT_MAX)
  try {
    localStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // As above: the answer itself does not need it.
  }
  return kept
}

/** Newest first. */
function recentDigests(): readonly RecentDigest[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, KEPT_MAX) : []
  } catch {
    // The browser keeps nothing for this page, or something else wrote there: then there are none.
    return []
  }
}

function isRecent(one: unknown): one is RecentDigest {
  return (
    typeof one === 'object' &&
    one !== null &&
    'digest' in one &&
    typeof one.digest === 'string' &&
    /^\d{1,20}$/.test(one.digest) &&
    'title' in one &&
    typeof one.title === 'string' &&
    'atMs' in one &&
    typeof one.atMs === 'number'
  )
}
