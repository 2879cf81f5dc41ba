/**
 * Which of two releases is the later one. Versions of one package are compared as semantic versions say, where both
 * can be read as such; everything else by time. Comparing is meant for two releases: a list that mixes both ways has no
 * one order, so that "latest" and "before" are functions of their own.
 */

/** `web@1.4.0-rc.1+1287`: the package, its version and the build. */
export interface ReleaseParts {
  /** `null` where the name has none. */
  readonly package: string | null
  /** Version as written, without package and build. */
  readonly version: string
  readonly build: string | null
  /** `null` where the version is no semantic one, such as a commit's hash. */
  readonly numbers: readonly number[] | null
  readonly prerelease: readonly string[]
}

/** A release and when it was released, or made where nobody said. */
export interface TimedRelease {
  readonly version: string
  readonly atMs: number
  /** True if somebody archived it: it is ignored wherever the latest release is asked for. */
  readonly isArchived?: boolean
  /** True if a deploy was told of; left out where that was not asked. */
  readonly isDeployed?: boolean
}

// At least one dot: a bare number is a build, a date or a part of a hash.
const SEMANTIC = /^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]{1,100}))?$/

export function parseRelease(name: string): ReleaseParts {
  const at = name.lastIndexOf('@')
  const [packageName, rest] = at > 0 ? [name.slice(0, at), name.slice(at + 1)] : [null, name]
  const plus = rest.indexOf('+')
  const [version, build] = plus > 0 ? [rest.slice(0, plus), rest.slice(plus + 1)] : [rest, null]
  const match = SEMANTIC.exec(version)
  const numbers = match === null ? null : [1, 2, 3, 4].map((group) => Number(match[group] ?? 0))
  return { package: packageName, version, build, numbers, prerelease: match?.[5]?.split('.') ?? [] }
}

const HASH = /^[0-9a-f]{32,64}$/
const HASH_SHOWN = 12

/** Shortens a release as people say it: the version without its package; the beginning of a commit's hash. */
export function shortRelease(name: string): string {
  const { version, build } = parseRelease(name)
  if (HASH.test(version)) return version.slice(0, HASH_SHOWN)
  if (version === '') return name
  return build === null || build === '' || HASH.test(build) ? version : `${version} (${build})`
}

/** Negative: `a` is the earlier one. */
export function compareReleases(a: TimedRelease, b: TimedRelease): number {
  return compareVersions(a.version, b.version) ?? a.atMs - b.atMs
}

/** `null`: the names alone do not tell, or tell that they are alike. */
function compareVersions(a: string, b: string): number | null {
  if (a === b) return 0
  const [one, other] = [parseRelease(a), parseRelease(b)]
  if (one.package !== other.package || one.numbers === null || other.numbers === null) return null
  return compareParts(one, other) || null
}

/** `1.2`, `2`, `web@1.2.0-rc.1`; `null` for what is no version. */
export function readVersion(text: string): ReleaseParts | null {
  const parts = parseRelease(/^(?:.*@)?v?\d{1,9}$/s.test(text) ? `${text}.0` : text)
  return parts.numbers === null ? null : parts
}

/** Compares two versions of one package. */
export function compareParts(a: ReleaseParts, b: ReleaseParts): number {
  return (
    compareEach(a.numbers ?? [], b.numbers ?? [], (one, other) => one - other) ||
    comparePrereleases(a.prerelease, b.prerelease) ||
    compareBuilds(a.build, b.build)
  )
}

/** Compares pre-releases, which come before their version. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  return compareEach(a, b, compareIdentifiers) || a.length - b.length
}

function compareEach<T>(a: readonly T[], b: readonly T[], compare: (one: T, other: T) => number): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]
    const order = other === undefined ? 0 : compare(one, other)
    if (order !== 0) return order
  }
  return 0
}

const NUMBER = /^\d{1,15}$/

/** Numbers come before words. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [NUMBER.test(a), NUMBER.test(b)]
  if (isNumber && isOtherNumber) return Number(a) - Number(b)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Builds are numbers that count up; of anything else (a hash) nothing follows. */
function compareBuilds(a: string | null, b: string | null): number {
  return NUMBER.test(a ?? '') && NUMBER.test(b ?? '') ? Number(a) - Number(b) : 0
}

/** Release taken apart once, for many comparisons: names come from clients, and there are thousands. */
export interface ReadOnce<T extends TimedRelease> {
  readonly release: T
  readonly parts: ReleaseParts
}

export function readOnce<T extends TimedRelease>(releases: readonly T[]): readonly ReadOnce<T>[] {
  return releases.map((release) => ({ release, parts: parseRelease(release.version) }))
}

/** Compares as `compareReleases` does. */
export function compareRead(a: ReadOnce<TimedRelease>, b: ReadOnce<TimedRelease>): number {
  if (a.release.version === b.release.version) return 0
  const isComparable =
    a.parts.package === b.parts.package && a.parts.numbers !== null && b.parts.numbers !== null
  return (isComparable ? compareParts(a.parts, b.parts) : 0) || compareTimes(a, b)
}

function compareTimes(a: ReadOnce<TimedRelease>, b: ReadOnce<TimedRelease>): number {
  return a.release.atMs - b.release.atMs
}

/**
 * The newest by time says which package; of its versions the greatest is the latest. Ignored are archived ones, and one
 * that nobody deployed and that lies absurdly far ahead, such as the `999.9.9` of a modified app: with it as the latest,
 * what is resolved in the next release would never come back.
 */
export function latestRelease<T extends TimedRelease>(all: readonly T[]): T | null {
  const read = readOnce(all)
  const far = farAhead(read)
  const releases = read.filter((one) => one.release.isArchived !== true && !far.has(one))
  const newest = greatestOf(releases, compareTimes)
  if (newest === null) return null
  const { package: of, numbers } = newest.parts
  if (numbers === null) return newest.release
  return greatestOf(releases.filter(isOfName(of)), compareRead)?.release ?? null
}

/** Majors between a version and the one below it that no team skips. */
const FAR_AHEAD = 100
const YEARS = { first: 1990, last: 2100 }

/** Each is held against the one before it in order: against all others, thousands of names would take minutes. */
function farAhead<T extends TimedRelease>(all: readonly ReadOnce<T>[]): ReadonlySet<ReadOnce<T>> {
  const far = new Set<ReadOnce<T>>()
  if (!all.some(mayBeFarAhead)) return far
  const versions = all.filter(({ parts }) => parts.numbers !== null)
  for (const own of Map.groupBy(versions, ({ parts }) => parts.package).values()) {
    let before: ReadOnce<T> | null = null
    let last: ReadOnce<T> | null = null
    for (const one of own.sort(compareRead)) {
      if (last !== null && compareRead(last, one) < 0) before = last
      last = one
      if (before !== null && mayBeFarAhead(one) && majorNumber(one) - majorNumber(before) >= FAR_AHEAD)
        far.add(one)
    }
  }
  return far
}

/** A year is no such: versions by date begin somewhere. */
function mayBeFarAhead(one: ReadOnce<TimedRelease>): boolean {
  const major = majorNumber(one)
  if (one.release.isDeployed !== false || major < FAR_AHEAD) return false
  return major < YEARS.first || major > YEARS.last
}

function majorNumber({ parts }: ReadOnce<TimedRelease>): number {
  return parts.numbers?.[0] ?? 0
}

/** Release in a list; `place` is the project it stands with. */
export interface PlacedRelease extends TimedRelease {
  readonly place: number
}

/**
 * Orders a list: projects by their newest release, packages likewise; in a package versions first, greatest
 * first, then other names, newest first.
 */
export function orderReleases<T extends PlacedRelease>(releases: readonly T[]): readonly T[] {
  const newestFirst = readOnce(releases).toSorted((a, b) => compareTimes(b, a))
  return partition(newestFirst, ({ release }) => release.place)
    .flatMap((ofProject) => partition(ofProject, ({ parts }) => parts.package))
    .flatMap((all) => {
      const [versions, others] = [all.filter(isVersion), all.filter((each) => !isVersion(each))]
      return [...versions.sort((a, b) => compareRead(b, a)), ...others]
    })
    .map(({ release }) => release)
}

function partition<T>(all: readonly T[], key: (one: T) => unknown): readonly (readonly T[])[] {
  return [...Map.groupBy(all, key).values()]
}

function isVersion({ parts }: ReadOnce<TimedRelease>): boolean {
  return parts.numbers !== null
}

/** The one right after, by the same order as `releaseBefore`. */
export function releaseAfter<T extends TimedRelease>(releases: readonly T[], of: TimedRelease): T | null {
  const at = { release: of, parts: parseRelease(of.version) }
  const others = readOnce(releases).filter(({ release }) => release.version !== of.version)
  if (at.parts.numbers !== null) {
    const later = others.filter(isOfName(at.parts.package)).filter((each) => compareRead(each, at) > 0)
    return greatestOf(later, (a, b) => compareRead(b, a))?.release ?? null
  }
  const newer = others.filter(({ release }) => release.atMs > of.atMs)
  return greatestOf(newer, (a, b) => compareTimes(b, a))?.release ?? null
}

/** The one right before: the greatest earlier version of its package; of what is no version, the newest that is older. */
export function releaseBefore<T extends TimedRelease>(releases: readonly T[], of: TimedRelease): T | null {
  return releasesBefore(releases, of).next().value ?? null
}

/** The one right before, the one before that, and so on. */
export function* releasesBefore<T extends TimedRelease>(
  releases: readonly T[],
  of: TimedRelease,
): Generator<T, undefined> {
  const all = readOnce(releases)
  let at: ReadOnce<TimedRelease> = { release: of, parts: parseRelease(of.version) }
  for (;;) {
    const before = beforeOf(all, at)
    if (before === null) return undefined
    yield before.release
    at = before
  }
}

function beforeOf<T extends TimedRelease>(
  all: readonly ReadOnce<T>[],
  at: ReadOnce<TimedRelease>,
): ReadOnce<T> | null {
  const others = all.filter(({ release }) => release.version !== at.release.version)
  if (at.parts.numbers === null)
    return greatestOf(
      others.filter((each) => compareTimes(each, at) < 0),
      compareTimes,
    )
  const earlier = others.filter(isOfName(at.parts.package)).filter((each) => compareRead(each, at) < 0)
  return greatestOf(earlier, compareRead)
}

function isOfName(name: string | null): (one: ReadOnce<TimedRelease>) => boolean {
  return ({ parts }) => parts.numbers !== null && parts.package === name
}

function greatestOf<T>(all: readonly T[], compare: (a: T, b: T) => number): T | null {
  let best: T | null = null
  for (const each of all) if (best === null || compare(each, best) > 0) best = each
  return best
}

/** Returns the place behind the row `after` in a list; where that is gone, its place, one before `offset`. */
export function placeBehind(rows: readonly { readonly id: number }[], after: number, offset: number): number {
  const at = rows.findIndex(({ id }) => id === after)
  return at < 0 ? Math.max(0, offset - 1) : at + 1
}
