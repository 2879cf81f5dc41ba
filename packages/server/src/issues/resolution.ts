/**
 * Resolved in a release rather than now: then it is the order of releases that decides what brings the issue back, not
 * time. A client that was never updated still sends the old failure, and that is no news.
 */
import { ok, type Result, refuse } from '#base/result.ts'
import { compareReleases, latestRelease, type TimedRelease } from '#model/release-order.ts'
import type { ResolvedIn, ResolveIn } from '#ports/issues.ts'

/** Releases known in an issue's project: what is asked for needs one of the two. */
export interface KnownReleases {
  readonly releases: readonly TimedRelease[]
  /** The first release of the project that has the commit; `null`: none has it yet. */
  readonly withCommit: TimedRelease | null
}

/** Returns the resolution as the issue keeps it; `null` for resolved now. */
export function resolutionOf(ask: ResolveIn | null, known: KnownReleases): Result<ResolvedIn | null> {
  if (ask === null) return ok(null)
  if (ask.how === 'commit') {
    const release = known.withCommit
    if (release === null) return ok({ how: 'commit', commit: ask.commit })
    return ok({ how: 'release', release: release.version, atMs: release.atMs, commit: ask.commit })
  }
  const { releases } = known
  const isNamed = ask.how === 'release' && ask.release !== 'latest'
  const release = isNamed ? releases.find(({ version }) => version === ask.release) : latestRelease(releases)
  if (release === undefined || release === null) return refuseRelease(ask)
  return ok({ how: ask.how, release: release.version, atMs: release.atMs })
}

function refuseRelease(ask: ResolveIn) {
  const message =
    ask.how === 'release' && ask.release !== 'latest'
      ? 'The project has no release of this name.'
      : 'The project has no release yet.'
  return refuse('invalid_input', message, { release: [message] })
}

/**
 * Whether an event of this release says that the failure is not gone. Without a release nothing says it is old. `releasedMs`: when
 * releases were released, or made; one that is not known counts as released when the event came.
 */
export function bringsBack(
  resolvedIn: ResolvedIn | null,
  event: { readonly release: string | null; readonly receivedMs: number },
  releasedMs: ReadonlyMap<string, number>,
): boolean {
  if (resolvedIn === null || event.release === null) return true
  // Nobody runs the commit yet.
  if (resolvedIn.how === 'commit') return false
  const at = { version: event.release, atMs: releasedMs.get(event.release) ?? event.receivedMs }
  const order = compareReleases(at, { version: resolvedIn.release, atMs: resolvedIn.atMs })
  return resolvedIn.how === 'next' ? order > 0 : order > 0 || event.release === resolvedIn.release
}

/** An issue that waited for the commit is resolved in the release that brings it. */
export function withRelease(
  resolvedIn: ResolvedIn | null,
  release: TimedRelease,
  commits: ReadonlySet<string>,
): ResolvedIn | null {
  if (resolvedIn?.how !== 'commit' || !commits.has(resolvedIn.commit)) return null
  return { how: 'release', release: release.version, atMs: release.atMs, commit: resolvedIn.commit }
}

/** Returns the record of the resolution. */
export function resolutionDetail(resolvedIn: ResolvedIn | null): Readonly<Record<string, string>> {
  if (resolvedIn === null) return {}
  if (resolvedIn.how === 'commit') return { in: 'commit', commit: resolvedIn.commit }
  const { how, release, commit } = resolvedIn
  return { in: how, release, ...(commit === undefined ? {} : { commit }) }
}
