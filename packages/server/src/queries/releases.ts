/** Releases: lists, one of them, and what of it is compared with the one before. */

import { type FoundSuspects, ownFiles, type SuspectCommit } from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import { environmentsByName } from '#model/environments.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { releasesBefore } from '#model/release-order.ts'
import type { Bundle, ReleaseArtifacts } from '#ports/artifacts.ts'
import type { Activity, Issue } from '#ports/issues.ts'
import type { Release, ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { ReadAnswers } from './read-answers.ts'
import { type ReleaseFigures, releaseFigures } from './release-figures.ts'
import type { ReleaseAtAge, SlowerQuestion, SlowerRoutes } from './release-slower.ts'
import {
  type ReleaseHead,
  type ReleaseView,
  type ReleaseViewParts,
  releaseBundles,
  releaseHead,
  releaseView,
  type TrendedIssues,
  timedRelease,
  timesBeside,
  trendedIssues,
} from './release-view.ts'

type Read = 'releases' | 'release' | 'releaseTimes' | 'releasesLetGo' | 'commits' | 'deploys' | 'flagChanges'

interface ReleaseQueries extends Pick<ReleasesRead, Read> {
  /** Names of environments that releases ran in, at most `facetValuesMax`: in their order, without hidden ones. */
  releaseEnvironments(scope: ReadScope): Promise<readonly string[]>
  /** Returns uploads by release; releases without any are left out. */
  releaseArtifacts(scope: ReadScope, versions: readonly string[]): Promise<readonly ReleaseArtifacts[]>
  /** Issues that are resolved in it, or in a commit of it. Newest first. */
  releaseResolved(scope: ReadScope, version: string): Promise<readonly Issue[]>
  /** The newest earlier one that has commits. */
  releaseBefore(scope: ReadScope, version: string): Promise<Release | null>
  releaseView(scope: ReadScope, version: string): Promise<ReleaseView | null>
  /** Returns the head of every page of a release; each page reads its own rest. */
  releaseHead(scope: ReadScope, version: string, against?: string | null): Promise<ReleaseHead | null>
  trendedIssues(scope: ReadScope, version: string): Promise<TrendedIssues>
  releaseBundles(scope: ReadScope, version: string): Promise<readonly Bundle[]>
  /** Routes that got slower or fail more than with the release before, both at the same age. `null`: no such release. */
  slowerRoutes(scope: ReadScope, asked: SlowerQuestion): Promise<SlowerRoutes | null>
  /** Compares its requests with those of the one before, both at the same age. `null` where one of them has none. */
  releaseAtAge(scope: ReadScope, version: string): Promise<ReleaseAtAge | null>
  /** Other figures beside those of the release that it is compared with. `null`: there is none. */
  releaseFigures(scope: ReadScope, version: string, against?: string | null): Promise<ReleaseFigures | null>
  /** Commits that touched a file of the event's stack, in the release that the issue began or last came back in. */
  suspectCommits(scope: ReadScope, asked: SuspectQuestion): Promise<FoundSuspects<SuspectCommit>>
}

export interface SuspectQuestion {
  readonly issue: Issue
  /** Newest first, as the issue's page shows it. */
  readonly activity: readonly Activity[]
  readonly event: NormalizedEvent
}

export function releaseQueries(
  parts: ReleaseViewParts & { readonly answers: Pick<ReadAnswers, 'slowerRoutes' | 'releaseAtAge'> },
): ReleaseQueries {
  const { releases, artifacts, issues } = parts
  return {
    releaseEnvironments: (scope) => shownEnvironments(parts, scope),
    releaseArtifacts: (scope, versions) => artifacts.ofReleases(scope, versions),
    releaseResolved: async (scope, version) => {
      const { resolved } = await releases.releaseIssues(scope, version, max('issuesPerChangeMax'))
      return issues.issuesByRefs(scope, resolved.map(String))
    },
    releases: (scope, filter, page) => releases.releases(scope, filter, page),
    release: (scope, version) => releases.release(scope, version),
    releaseTimes: (scope, projects) => releases.releaseTimes(scope, projects),
    releasesLetGo: (scope, projects, limit) => releases.releasesLetGo(scope, projects, limit),
    commits: (scope, version) => releases.commits(scope, version),
    deploys: (scope, version) => releases.deploys(scope, version),
    flagChanges: (scope, asked) => releases.flagChanges(scope, asked),
    releaseBefore: (scope, version) => withCommitsBefore(releases, scope, version),
    suspectCommits: (scope, asked) => suspects(releases, scope, asked),
    releaseView: (scope, version) => releaseView(parts, scope, version),
    releaseHead: (scope, version, against) => releaseHead(parts, scope, version, against),
    trendedIssues: (scope, version) => trendedIssues(parts, scope, version),
    releaseBundles: (scope, version) => releaseBundles(parts, scope, version),
    releaseFigures: (scope, version, against) => releaseFigures(parts, scope, version, against),
    slowerRoutes: (scope, asked) => parts.answers.slowerRoutes(scope, asked),
    releaseAtAge: (scope, version) => parts.answers.releaseAtAge(scope, version),
  }
}

/**
 * Returns environments as menus show them. Names known from releases only stand last: their events are gone.
 */
async function shownEnvironments(
  { releases, projects }: Pick<ReleaseViewParts, 'releases' | 'projects'>,
  scope: ReadScope,
): Promise<readonly string[]> {
  const [names, known] = await Promise.all([
    releases.releaseEnvironments(scope, max('facetValuesMax')),
    projects.environments(scope, { projects: null, of: 'events and deploys' }),
  ])
  const unplaced = new Set(names)
  const inOrder = environmentsByName(known).filter(({ name }) => unplaced.delete(name))
  return [...inOrder.filter(({ isHidden }) => !isHidden).map(({ name }) => name), ...unplaced]
}

async function withCommitsBefore(
  releases: ReleasesRead,
  scope: ReadScope,
  version: string,
): Promise<Release | null> {
  const release = await releases.release(scope, version)
  if (release === null) return null
  const times = await timesBeside(releases, scope, release)
  let looked = 0
  for (const before of releasesBefore(times, timedRelease(release))) {
    if (looked++ === max('releasesComparedMax')) break
    const found = await releases.release(scope, before.version)
    if (found !== null && found.commitCount > 0) return found
  }
  return null
}

const NO_SUSPECTS: FoundSuspects<SuspectCommit> = { suspects: [], isCut: false }

async function suspects(
  releases: ReleasesRead,
  scope: ReadScope,
  { issue, activity, event }: SuspectQuestion,
): Promise<FoundSuspects<SuspectCommit>> {
  const files = ownFiles(event)
  const back = activity.find(({ kind }) => kind === 'regressed')?.detail.release
  const version = typeof back === 'string' ? back : issue.firstRelease
  if (version === null || files.length === 0) return NO_SUSPECTS
  const versions = await releases.versionsThatBrought(scope, issue.projectId, version)
  if (versions.length === 0) return NO_SUSPECTS
  return releases.suspects(scope, { versions, files: files.slice(0, max('suspectStackFilesMax')) })
}
