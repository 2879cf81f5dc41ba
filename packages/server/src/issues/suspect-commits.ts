/** Which commits may have caused an issue: those that touched a file of its stack. Pure. */
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'
import { releaseBefore, type TimedRelease } from '#model/release-order.ts'
import type { ReleasedCommit } from '#ports/releases.ts'

export interface SuspectCommit {
  readonly commit: ReleasedCommit
  /** The file of the stack nearest to the failure that it touched, as the repository calls it. */
  readonly path: string
}

/** Files of the code that is the app's own, nearest to the failure first; each once. */
export function ownFiles(event: NormalizedEvent): readonly string[] {
  const frames = mainException(event)?.stacktrace?.frames ?? []
  const files = frames
    .filter(({ in_app }) => in_app === true)
    .map(({ filename, abs_path }) => filename ?? abs_path ?? '')
    .filter((file) => file !== '')
  return [...new Set(files.reverse())]
}

/**
 * The release, and those before it that nobody is known to have run: what they brought came with it. The last release
 * with events did not have the issue.
 */
export function versionsThatBrought(
  releases: readonly (TimedRelease & { readonly eventCount: number })[],
  version: string,
): readonly string[] {
  const versions: string[] = []
  let at = releases.find((each) => each.version === version) ?? null
  while (at !== null && versions.length < max('releasesComparedMax')) {
    versions.push(at.version)
    at = releaseBefore(releases, at)
    if (at !== null && at.eventCount > 0) break
  }
  return versions
}

/** `c41f9e2 by Rosa Kim` */
export function suspectWords({ commit: { id, member, authorName, authorEmail } }: SuspectCommit): string {
  const author = member?.name || authorName || authorEmail
  return author === null ? id.slice(0, 7) : `${id.slice(0, 7)} by ${author}`
}

/** Newest first; of equals in the order of the tool. A commit without a time is the oldest. */
export function suspectCommits(
  files: readonly string[],
  commits: readonly ReleasedCommit[],
): readonly SuspectCommit[] {
  const wanted = files.map(segmentsOf)
  const suspects = new Map<string, SuspectCommit>()
  for (const commit of commits) {
    const path = touched(wanted, commit)
    if (path !== null && !suspects.has(commit.id)) suspects.set(commit.id, { commit, path })
  }
  return [...suspects.values()].sort((a, b) => (b.commit.atMs ?? 0) - (a.commit.atMs ?? 0))
}

function touched(files: readonly (readonly string[])[], { files: changed }: ReleasedCommit): string | null {
  const paths = changed.map(({ path }) => ({ path, segments: segmentsOf(path) }))
  for (const file of files) {
    const found = paths.find(({ segments }) => isSameFile(file, segments))
    if (found !== undefined) return found.path
  }
  return null
}

/** Builds prefix paths with what the repository does not know (`webpack://app/./`, `../../`), and query strings. */
function segmentsOf(path: string): readonly string[] {
  const plain = path.replace(/^[a-z][a-z0-9+.-]*:\/{2,3}/i, '').replace(/[?#].*$/, '')
  return plain.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** One path ends with all of the other. A bare file name is too little: every folder has an `index.ts`. */
function isSameFile(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length)
  if (length === 0 || (length === 1 && a.length !== b.length)) return false
  return a.slice(-length).join('/') === b.slice(-length).join('/')
}
