/** Chooses the releases that the overview tells of. */
import { packageOf } from '#parts/release-text.ts'

interface Candidate {
  readonly version: string
  /** Sessions of its last day. */
  readonly sessions: number
  readonly projects: readonly { readonly eventCount: number }[]
}

/**
 * Returns at most `limit` of `releases` (newest first): the newest of each package, the most used of these first, so that
 * three services deployed together do not hide the one that people see; then further ones by age.
 */
export function chosenReleases<T extends Candidate>(releases: readonly T[], limit: number): readonly T[] {
  const newest = new Map<string, T>()
  for (const release of releases) {
    const name = packageOf(release.version)
    if (!newest.has(name)) newest.set(name, release)
  }
  const first = [...newest.values()].sort(
    (a, b) =>
      b.sessions - a.sessions || eventsOf(b) - eventsOf(a) || releases.indexOf(a) - releases.indexOf(b),
  )
  const rest = releases.filter((release) => !first.includes(release))
  return [...first, ...rest].slice(0, limit)
}

function eventsOf({ projects }: Candidate): number {
  return projects.reduce((sum, { eventCount }) => sum + eventCount, 0)
}
