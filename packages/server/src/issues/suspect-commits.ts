/** Which commits may have caused an issue: those that touched a file of its stack. Pure. */
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'
import { releasesBefore, type TimedRelease } from '#model/release-order.ts'
import type { StepBudget } from '#model/step-budget.ts'
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
  const at = releases.find((each) => each.version === version)
  if (at === undefined) return []
  const versions = [at.version]
  for (const before of releasesBefore(releases, at)) {
    if (versions.length === max('releasesComparedMax') || before.eventCount > 0) break
    versions.push(before.version)
  }
  return versions
}

/** `c41f9e2 by Rosa Kim` */
export function suspectWords({ commit: { id, member, authorName, authorEmail } }: SuspectCommit): string {
  const author = member?.name || authorName || authorEmail
  return author === null ? id.slice(0, 7) : `${id.slice(0, 7)} by ${author}`
}

/** Commit with the files it touched. */
export interface TouchingCommit {
  readonly id: string
  readonly atMs: number | null
  readonly paths: readonly string[]
}

export interface FoundSuspects<Suspect> {
  /** Newest first; of equals in the order of the tool. A commit without a time is the oldest. */
  readonly suspects: readonly Suspect[]
  /** There were more files of commits than are looked through. */
  readonly isCut: boolean
}

/** Commits are asked one by one, until there were as many files as the budget has. */
export function touchingCommits<Of extends TouchingCommit>(
  files: readonly string[],
  commits: Iterable<Of>,
  budget: StepBudget,
): FoundSuspects<{ readonly commit: Of; readonly path: string }> {
  const wanted = new WantedFiles(files)
  const found = new Map<string, { readonly commit: Of; readonly path: string }>()
  for (const commit of commits) {
    if (!budget.take(1 + commit.paths.length)) break
    const path = found.has(commit.id) ? null : wanted.nearest(commit.paths)
    if (path !== null) found.set(commit.id, { commit, path })
  }
  const suspects = [...found.values()].sort((a, b) => (b.commit.atMs ?? 0) - (a.commit.atMs ?? 0))
  return { suspects: suspects.slice(0, max('suspectCommitsMax')), isCut: budget.isSpent }
}

interface Step {
  readonly next: Map<string, Step>
  /** Place in the list of the file that ends here; of equals the first. */
  own: number
  /** The least of those that go through here. */
  least: number
}

/** Files of a stack by their segments, the last first: a path walks them once, however many there are. */
class WantedFiles {
  readonly #root: Step = emptyStep()

  constructor(files: readonly string[]) {
    for (const [place, file] of files.slice(0, max('suspectStackFilesMax')).entries()) {
      let step = this.#root
      for (const segment of segmentsFromEnd(file)) {
        const next = step.next.get(segment) ?? emptyStep()
        step.next.set(segment, next)
        next.least = Math.min(next.least, place)
        step = next
      }
      step.own = Math.min(step.own, place)
    }
  }

  /** The path that is the file nearest to the failure, as the repository calls it. */
  nearest(paths: readonly string[]): string | null {
    let [least, found]: [number, string | null] = [Number.POSITIVE_INFINITY, null]
    for (const path of paths) {
      const place = this.#placeOf(path)
      if (place < least) [least, found] = [place, path]
    }
    return found
  }

  /**
   * Returns how well a path ends with all of another. A bare file name counts only for another one, since
   * every folder has an `index.ts`.
   */
  #placeOf(path: string): number {
    let [step, depth, least] = [this.#root, 0, Number.POSITIVE_INFINITY]
    let alone = Number.POSITIVE_INFINITY
    for (const segment of segmentsFromEnd(path)) {
      const next = step.next.get(segment)
      if (next === undefined) return least
      step = next
      depth++
      if (depth === 1) alone = step.own
      else least = Math.min(least, step.own)
    }
    if (depth === 1) return alone
    return depth === 0 ? least : Math.min(least, step.least)
  }
}

function emptyStep(): Step {
  return { next: new Map(), own: Number.POSITIVE_INFINITY, least: Number.POSITIVE_INFINITY }
}

/** Builds prefix paths with what the repository does not know (`webpack://app/./`, `../../`), and query strings. */
function* segmentsFromEnd(path: string): Generator<string> {
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:\/{2,3}/i.exec(path)?.[0].length ?? 0
  const query = path.slice(scheme).search(/[?#]/)
  let end = query === -1 ? path.length : scheme + query
  while (end > scheme) {
    const slash = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1), scheme - 1)
    const segment = path.slice(slash + 1, end)
    if (segment !== '' && segment !== '.' && segment !== '..') yield segment
    end = slash
  }
}
