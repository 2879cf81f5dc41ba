const HASH = /^[0-9a-f]{32,64}$/
const HASH_SHOWN = 12
const CHARS_SHOWN = 24

/**
 * `2026.11.20-2` of `shop@2026.11.20-2`, `1.4.0 (1287)` of `shop@1.4.0+1287`: what tells the releases of one project
 * apart. Of a commit's hash the beginning; a build that is one says nothing more. Shortened.
 */
export function versionOf(release: string): string {
  const named = release.slice(release.lastIndexOf('@') + 1)
  const whole = named === '' ? release : named
  const plus = whole.indexOf('+')
  const [version, build] = plus > 0 ? [whole.slice(0, plus), whole.slice(plus + 1)] : [whole, '']
  if (HASH.test(version)) return version.slice(0, HASH_SHOWN)
  const shown = build === '' || HASH.test(build) ? version : `${version} (${build})`
  return shown.slice(0, CHARS_SHOWN)
}

/** Returns versions as `versionOf` does, and the package behind those that two of `releases` share. */
export function distinctVersion(release: string, releases: readonly string[]): string {
  const version = versionOf(release)
  const isShared = releases.some((other) => other !== release && versionOf(other) === version)
  return isShared ? `${version} ${packageOf(release)}`.trimEnd() : version
}

const COMMIT_CHARS = 7

/** A commit's id as people write it. */
export function commitText(id: string): string {
  return id.slice(0, COMMIT_CHARS)
}

/** Describes the time of a release nobody deployed: who released it, or what made it known. */
export function releaseBeginning(release: {
  readonly releasedMs: number | null
  readonly ofAll: { readonly firstEventMs: number | null }
}): 'released' | 'first seen' | 'created' {
  if (release.releasedMs !== null) return 'released'
  return release.ofAll.firstEventMs !== null ? 'first seen' : 'created'
}

/** Returns the package of a release's name. `shop` of `shop@1.4.0`; empty where the name has none. */
export function packageOf(release: string): string {
  return release.slice(0, Math.max(0, release.lastIndexOf('@')))
}

const HOUR_MS = 3_600_000
const HOURS_SHOWN_MAX = 72

/** `33 h`, `5 d`: how old releases are when they are compared. Hours tell the young ones apart. */
export function releaseAgeText(ms: number): string {
  const hours = Math.round(ms / HOUR_MS)
  return hours <= HOURS_SHOWN_MAX ? `${hours} h` : `${Math.floor(hours / 24)} d`
}
