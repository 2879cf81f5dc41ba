/** Releases of an organisation: what tools say of them, and what events do. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { RecentEvents } from '#model/recent-events.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { ReleaseQuestion } from '#model/release-question.ts'
import type { ValueOfProject } from '#model/tag-condition.ts'
import type { FlagsRead } from './flags.ts'
import type { ReadScope } from './scope.ts'

/** A release as one project has it. */
export interface ReleaseOfProject extends TimedRelease {
  readonly projectId: ProjectId
  readonly eventCount: number
  /** `null` while no event has named it. */
  readonly recent: RecentEvents | null
}

export interface ReleasesAsked {
  /** `null`: of the whole scope. */
  readonly projects: readonly ProjectId[] | null
  readonly questions: readonly ReleaseQuestion[]
  readonly nowMs: number
}

/** `null`: names that say it all themselves. */
export type MeantReleases = readonly ValueOfProject[] | null

export interface SuggestedReleases {
  /** `name` is the whole of it. */
  readonly part: 'name' | 'version' | 'package' | 'build' | 'stage'
  readonly prefix: string
  /** Names that have the prefix anywhere are meant too, after those that begin with it. */
  readonly within?: boolean
  readonly nowMs: number
  readonly limit: number
}

export interface ReleaseSuggestion {
  readonly text: string
  /** Events; `null`: not counted. */
  readonly count: number | null
}

export interface LatestRelease {
  readonly projectId: ProjectId
  readonly version: string
  readonly atMs: number
}

export type ReleaseStatus = 'open' | 'archived'

/** A release in one project. */
export interface ReleaseInProject {
  readonly projectId: ProjectId
  readonly slug: string
  readonly name: string
  /** First time stated by an event of the release; `null` while it has none. */
  readonly firstEventMs: number | null
  readonly lastEventMs: number | null
  readonly eventCount: number
  /** Issues whose first event was of this release. */
  readonly newIssues: number
}

export interface Release {
  readonly id: number
  /** Unique within the organisation. */
  readonly version: string
  readonly status: ReleaseStatus
  /** Version control ref, such as a branch. */
  readonly ref: string | null
  readonly url: string | null
  readonly createdMs: number
  readonly startedMs: number | null
  /** `null`: not finalised. */
  readonly releasedMs: number | null
  /** Projects of the release that the viewer may read, at least one, by slug. */
  readonly projects: readonly ReleaseInProject[]
  readonly commitCount: number
  readonly lastCommit: ReleaseCommit | null
  readonly deployCount: number
  readonly lastDeploy: Deploy | null
  /** Issues that came back with it, and those that are resolved in it. */
  readonly regressedIssues: number
  readonly resolvedIssues: number
  /** Authors of its commits, newest first, at most `releaseAuthorsShownMax`. */
  readonly authors: readonly ReleaseAuthor[]
  /** That events named, most events first; deploys name theirs themselves. */
  readonly environments: readonly { readonly name: string; readonly eventCount: number }[]
}

export interface ReleaseAuthor {
  readonly name: string | null
  readonly email: string | null
  readonly member: ReleasedCommit['member']
}

export interface ReleaseCommit {
  /** Commit id of version control. */
  readonly id: string
  readonly repository: string | null
  /** `null` where a tool named the commit alone. */
  readonly message: string | null
  readonly authorName: string | null
  readonly authorEmail: string | null
  readonly atMs: number | null
  /** Files that it touched; empty where the tool did not say. */
  readonly files: readonly CommitFile[]
}

export interface CommitFile {
  readonly path: string
  /** Added, modified, deleted. */
  readonly type: 'A' | 'M' | 'D'
}

export interface ReleasedCommit extends ReleaseCommit {
  readonly release: string
  /** The member with the author's address. */
  readonly member: { readonly userId: UserId; readonly name: string; readonly email: string } | null
}

export interface Deploy {
  readonly id: number
  readonly environment: string
  readonly name: string | null
  readonly url: string | null
  readonly startedMs: number | null
  readonly finishedMs: number
}

export interface ReleaseFilter {
  /** `null`: of the whole scope. */
  readonly projects: readonly ProjectId[] | null
  readonly status: ReleaseStatus | null
  /**
   * Text in its name, ignoring case, or the beginning of one of its commits (`commitBeginning`); empty for
   * all.
   */
  readonly text: string
  /** Deployed to one of them, or named with one by an event; empty for all. */
  readonly environments: readonly string[]
  readonly sort: ReleaseSort
}

/**
 * `date`: the newest first, by the time of release, or of making where nobody said. `semver`: by version within a
 * project and package, as `orderReleases` says. `new` and `events`: most of them first.
 */
export const RELEASE_SORTS = ['date', 'semver', 'new', 'events'] as const
export type ReleaseSort = (typeof RELEASE_SORTS)[number]

export interface ReleasePage {
  readonly rows: readonly Release[]
  readonly total: number
  /** Place of the first of them among all. */
  readonly offset: number
  /** Id by which a later page begins behind this one; `null` for an empty page. */
  readonly lastId: number | null
}

/** Issues of a release, each list newest first and within the limit. */
export interface ReleaseIssues {
  readonly begun: readonly IssueId[]
  readonly regressed: readonly IssueId[]
  readonly resolved: readonly IssueId[]
}

/** Reads answer only what the scope holds: a release of other projects alone is not there. */
export interface ReleasesRead extends FlagsRead {
  releases(
    scope: ReadScope,
    filter: ReleaseFilter,
    /** Begins behind the release `after`; where that is gone, at its place, one before `offset`. */
    page: { readonly offset: number; readonly limit: number; readonly after?: number | null },
  ): Promise<ReleasePage>
  release(scope: ReadScope, version: string): Promise<Release | null>
  /** Projects whose oldest releases made room for newer ones, those that lost most first; `total`: of how many projects. */
  releasesLetGo(
    scope: ReadScope,
    projects: readonly ProjectId[] | null,
    limit: number,
  ): Promise<{
    readonly rows: readonly {
      readonly projectId: ProjectId
      readonly count: number
      readonly lastMs: number
    }[]
    readonly total: number
  }>
  /** All of them, newest first, for orders and searches. At most `releasesPerOrgMax`. */
  releaseTimes(scope: ReadScope, projects: readonly ProjectId[] | null): Promise<readonly TimedRelease[]>
  /**
   * Returns the releases that each search term means. Answered where the names are stored: they are hostile,
   * and thousands. `too many` beyond `releasesMeantMax` together.
   */
  releasesMeant(scope: ReadScope, asked: ReleasesAsked): Promise<readonly MeantReleases[] | 'too many'>
  /** Returns completions of a term, newest first. */
  suggestedReleases(scope: ReadScope, asked: SuggestedReleases): Promise<readonly ReleaseSuggestion[]>
  /** Returns the latest release of each project that has one (`latestRelease`). */
  latestReleases(scope: ReadScope, projects: readonly ProjectId[] | null): Promise<readonly LatestRelease[]>
  /** By `versionsThatBrought`. */
  versionsThatBrought(scope: ReadScope, project: ProjectId, version: string): Promise<readonly string[]>
  /** Returns commits as the build tool sent them, newest first; empty for an unknown release. */
  commits(scope: ReadScope, version: string): Promise<readonly ReleasedCommit[]>
  /**
   * Commits of the releases, at most `releasesComparedMax`, that touched one of the files: newest first, each with the
   * file that stands first in the list. `isCut`: the releases have more files than are looked through.
   */
  suspects(
    scope: ReadScope,
    asked: { readonly versions: readonly string[]; readonly files: readonly string[] },
  ): Promise<{
    readonly suspects: readonly { readonly commit: ReleasedCommit; readonly path: string }[]
    readonly isCut: boolean
  }>
  /** Returns the revision at which the release's stack paths can be linked; `null` for an unknown release. */
  revision(scope: ReadScope, version: string): Promise<ReleaseRevision | null>
  /** That deploys or events of releases named, in alphabetical order. */
  releaseEnvironments(scope: ReadScope, limit: number): Promise<readonly string[]>
  /** Newest first. */
  deploys(scope: ReadScope, version: string): Promise<readonly Deploy[]>
  releaseIssues(scope: ReadScope, version: string, limit: number): Promise<ReleaseIssues>
  /** Issues that began with the release, and that came back with it, before that time. */
  releaseIssueCounts(
    scope: ReadScope,
    version: string,
    untilMs: number,
  ): Promise<Readonly<Record<'begun' | 'regressed', number>>>
}

export interface ReleaseRevision {
  /** Ref as the build tool sent it: a branch, tag or commit. */
  readonly ref: string | null
  /** The newest commit of each repository. */
  readonly heads: readonly { readonly repository: string | null; readonly commit: string }[]
}

export interface ReleasePlace {
  readonly orgId: OrgId
  /** Readable projects of whoever asks. */
  readonly readable: readonly ProjectId[]
  readonly version: string
}

/** Changes a release; a field that is left out stays. */
export interface ReleaseChange {
  /** Added to those that it has. */
  readonly projects?: readonly ProjectId[]
  readonly startedMs?: number
  readonly releasedMs?: number
  readonly ref?: string | null
  readonly url?: string | null
  readonly status?: ReleaseStatus
}
