/** Releases: lists, one of them, and what of it is compared with the one before. */

import { ownFiles, type SuspectCommit, suspectCommits } from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { releaseBefore, type TimedRelease } from '#model/release-order.ts'
import type { Activity, Issue, IssuesRead } from '#ports/issues.ts'
import type { Deploy, Release, ReleasedCommit, ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface ReleaseQueries
  extends Pick<ReleasesRead, 'releases' | 'release' | 'releaseTimes' | 'commits' | 'deploys'> {
  /** The newest earlier one that has commits. */
  releaseBefore(scope: ReadScope, version: string): Promise<Release | null>
  releaseView(scope: ReadScope, version: string): Promise<ReleaseView | null>
  /** Commits that touched a file of the event's stack, in the release that the issue began or last came back in. */
  suspectCommits(scope: ReadScope, asked: SuspectQuestion): Promise<readonly SuspectCommit[]>
}

export interface ReleaseView {
  readonly release: Release
  /** In the order of releases; `null` for the first. */
  readonly before: Release | null
  /** Newest first, and not more than are shown. */
  readonly issues: Readonly<Record<'begun' | 'regressed' | 'resolved', readonly Issue[]>>
  readonly commits: readonly ReleasedCommit[]
  readonly deploys: readonly Deploy[]
}

export interface SuspectQuestion {
  readonly issue: Issue
  /** Newest first, as the issue's page shows it. */
  readonly activity: readonly Activity[]
  readonly event: NormalizedEvent
}

interface ReleaseParts {
  readonly releases: ReleasesRead
  readonly issues: Pick<IssuesRead, 'issuesByRefs'>
}

export function releaseQueries(parts: ReleaseParts): ReleaseQueries {
  const { releases } = parts
  return {
    releases: (scope, filter, page) => releases.releases(scope, filter, page),
    release: (scope, version) => releases.release(scope, version),
    releaseTimes: (scope, projects) => releases.releaseTimes(scope, projects),
    commits: (scope, version) => releases.commits(scope, version),
    deploys: (scope, version) => releases.deploys(scope, version),
    releaseBefore: (scope, version) => withCommitsBefore(releases, scope, version),
    suspectCommits: (scope, asked) => suspects(releases, scope, asked),
    releaseView: (scope, version) => releaseView(parts, scope, version),
  }
}

/** Of the releases that share a project with it. */
async function earlier(releases: ReleasesRead, scope: ReadScope, release: Release) {
  const projects = release.projects.map(({ projectId }) => projectId)
  const times = await releases.releaseTimes(scope, projects)
  return (of: TimedRelease) => releaseBefore(times, of)
}

function timed({ version, releasedMs, createdMs }: Release): TimedRelease {
  return { version, atMs: releasedMs ?? createdMs }
}

async function withCommitsBefore(
  releases: ReleasesRead,
  scope: ReadScope,
  version: string,
): Promise<Release | null> {
  const release = await releases.release(scope, version)
  if (release === null) return null
  const before = await earlier(releases, scope, release)
  let at = before(timed(release))
  for (let looked = 0; at !== null && looked < max('releasesComparedMax'); looked++) {
    const found = await releases.release(scope, at.version)
    if (found !== null && found.commitCount > 0) return found
    at = before(at)
  }
  return null
}

/**
 * Of the release, and of those before it that nobody is known to have run: what they brought came with it. The last
 * release with events did not have the issue.
 */
async function suspects(
  releases: ReleasesRead,
  scope: ReadScope,
  { issue, activity, event }: SuspectQuestion,
): Promise<readonly SuspectCommit[]> {
  const files = ownFiles(event)
  const back = activity.find(({ kind }) => kind === 'regressed')?.detail.release
  const version = typeof back === 'string' ? back : issue.firstRelease
  if (version === null || files.length === 0) return []
  const times = await releases.releaseTimes(scope, [issue.projectId])
  const versions: string[] = []
  let at = times.find((each) => each.version === version) ?? null
  while (at !== null && versions.length < max('releasesComparedMax')) {
    versions.push(at.version)
    at = releaseBefore(times, at)
    const before = at === null ? null : await releases.release(scope, at.version)
    const seen = before?.projects.find(({ projectId }) => projectId === issue.projectId)
    if ((seen?.eventCount ?? 0) > 0) break
  }
  const commits = await releases.commitsOfReleases(scope, versions)
  return suspectCommits(files, commits).slice(0, max('suspectCommitsMax'))
}

async function releaseView(
  { releases, issues }: ReleaseParts,
  scope: ReadScope,
  version: string,
): Promise<ReleaseView | null> {
  const release = await releases.release(scope, version)
  if (release === null) return null
  const before = (await earlier(releases, scope, release))(timed(release))
  const [ids, commits, deploys, released] = await Promise.all([
    releases.releaseIssues(scope, version, max('releaseIssuesShownMax')),
    releases.commits(scope, version),
    releases.deploys(scope, version),
    before === null ? null : releases.release(scope, before.version),
  ])
  const read = (list: readonly number[]) => issues.issuesByRefs(scope, list.map(String))
  const [begun, regressed, resolved] = await Promise.all([
    read(ids.begun),
    read(ids.regressed),
    read(ids.resolved),
  ])
  return { release, before: released, issues: { begun, regressed, resolved }, commits, deploys }
}
