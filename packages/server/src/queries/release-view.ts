/** Reads one release with everything its page shows, beside the one before. */

import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { releaseAfter, releaseBefore, type TimedRelease } from '#model/release-order.ts'
import type { Bundle, ReleaseArtifacts } from '#ports/artifacts.ts'
import type { Issue, IssuesRead, Series } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { Deploy, Release, ReleasedCommit, ReleasesRead } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SkewRead } from '#ports/skew.ts'

export interface ReleaseViewParts {
  readonly releases: ReleasesRead
  readonly issues: Pick<IssuesRead, 'issuesByRefs' | 'trend'>
  readonly projects: Pick<ProjectsRead, 'environments'>
  readonly artifacts: Pick<Artifacts, 'ofReleases' | 'bundles'>
  readonly requests: Pick<RequestsRead, 'routes' | 'vitalSpreads'>
  readonly skew: Pick<SkewRead, 'staleSums'>
  readonly clock: Clock
  /** Issues that a search finds, whatever their state. */
  readonly issueTotal: (scope: ReadScope, query: string) => Promise<number>
}

/** Head of every page of a release. */
export interface ReleaseHead {
  readonly release: Release
  /** Release before it in order; `null` for the first. */
  /** It is compared with: the one that was asked for, else the one before it. */
  readonly before: Release | null
  /** The release before it. */
  readonly previous: string | null
  /** Others that it may be compared with. */
  readonly others: readonly string[]
  /** Name of the next one; `null` for the last. */
  readonly after: string | null
  /** Newest first. */
  readonly deploys: readonly Deploy[]
  /** `null`: nothing was uploaded for it. */
  readonly uploads: ReleaseArtifacts | null
  /** So old the release is, up to two weeks, and what of its issues was there when each was as old. */
  readonly atAge: {
    readonly ageMs: number
    readonly own: IssueCounts
    readonly before: IssueCounts | null
  }
}

type IssueCounts = Readonly<Record<'begun' | 'regressed', number>>

/** Newest first, and not more than are shown. */
export type IssuesOfRelease = Readonly<Record<'begun' | 'regressed' | 'resolved', readonly Issue[]>>

/** With how often each came over a week, by its id. */
export interface TrendedIssues {
  readonly issues: IssuesOfRelease
  readonly trends: Readonly<Record<number, Series>>
}

export interface ReleaseView extends Pick<ReleaseHead, 'after' | 'deploys'> {
  readonly release: ComparedRelease
  readonly before: ComparedRelease | null
  readonly issues: IssuesOfRelease
  readonly commits: readonly ReleasedCommit[]
}

/** With what is compared and counted for this page alone. */
export interface ComparedRelease extends Release {
  /** Issues with at least one event of it. */
  readonly issueCount: number
}

const BUNDLES_SHOWN = 20

export async function releaseHead(
  parts: ReleaseViewParts,
  scope: ReadScope,
  version: string,
  against: string | null = null,
): Promise<ReleaseHead | null> {
  const { releases, artifacts, clock } = parts
  const release = await releases.release(scope, version)
  if (release === null) return null
  const times = await timesBeside(releases, scope, release)
  const previous = releaseBefore(times, timedRelease(release))
  const earlier = comparedWith(times, { version, against }) ?? previous
  const ageMs = ageOf(release, clock.now())
  const countsOf = (of: TimedRelease) => releases.releaseIssueCounts(scope, of.version, of.atMs + ageMs)
  const [before, deploys, [uploads = null], own, ofBefore] = await Promise.all([
    earlier === null ? null : releases.release(scope, earlier.version),
    releases.deploys(scope, version),
    artifacts.ofReleases(scope, [version]),
    countsOf(timedRelease(release)),
    earlier === null ? null : countsOf(earlier),
  ])
  const after = releaseAfter(times, timedRelease(release))?.version ?? null
  const beside = { previous: previous?.version ?? null, others: othersThan(times, version) }
  return { release, before, after, ...beside, deploys, uploads, atAge: { ageMs, own, before: ofBefore } }
}

const OTHERS_SHOWN = 20

/** Returns releases that it may be compared with, newest first. */
function othersThan(times: readonly TimedRelease[], version: string): readonly string[] {
  const others = times.filter((other) => other.version !== version)
  return [...others]
    .sort((one, other) => other.atMs - one.atMs)
    .slice(0, OTHERS_SHOWN)
    .map((other) => other.version)
}

/** Returns the release asked for, if it shares a project; else `null`. */
export function comparedWith(
  times: readonly TimedRelease[],
  { version, against }: { readonly version: string; readonly against: string | null },
): TimedRelease | null {
  return times.find((other) => other.version === against && other.version !== version) ?? null
}

/** Reads a release and the one that it is compared with, both there; `null` where one is not. */
export async function comparedReleases(
  releases: Pick<ReleasesRead, 'release' | 'releaseTimes'>,
  scope: ReadScope,
  { version, against }: { readonly version: string; readonly against: string | null },
): Promise<{ readonly release: Release; readonly before: TimedRelease } | null> {
  const release = await releases.release(scope, version)
  const before = release === null ? null : await comparedTo(releases, scope, { release, against })
  return release === null || before === null ? null : { release, before }
}

/** Returns the release that it is compared with: the one asked for, else the one before it; `null` for the first. */
async function comparedTo(
  releases: Pick<ReleasesRead, 'releaseTimes'>,
  scope: ReadScope,
  { release, against }: { readonly release: Release; readonly against: string | null },
): Promise<TimedRelease | null> {
  const times = await timesBeside(releases, scope, release)
  return (
    comparedWith(times, { version: release.version, against }) ?? releaseBefore(times, timedRelease(release))
  )
}

/** Whole hours, so that figures of requests have it as well. */
export function ageOf(release: Release, nowMs: number): number {
  const hours = Math.ceil((nowMs - timedRelease(release).atMs) / HOUR_MS)
  return Math.min(COMPARED_DAYS * DAY_MS, Math.max(1, hours) * HOUR_MS)
}

const COMPARED_DAYS = 14
const TREND_MS = 7 * DAY_MS
const TREND_STEP_MS = 6 * HOUR_MS

/** Lists that are shown, with the trend of each that has one. */
export async function trendedIssues(
  parts: ReleaseViewParts,
  scope: ReadScope,
  version: string,
): Promise<TrendedIssues> {
  const issues = await readIssuesOfRelease(parts, scope, version)
  const endMs = parts.clock.now()
  const range = { startMs: endMs - TREND_MS, endMs, stepMs: TREND_STEP_MS }
  const trends = [...issues.regressed, ...issues.begun].map(
    async ({ id }) => [id, await parts.issues.trend(scope, id, range)] as const,
  )
  return { issues, trends: Object.fromEntries(await Promise.all(trends)) }
}

async function readIssuesOfRelease(
  { releases, issues }: ReleaseViewParts,
  scope: ReadScope,
  version: string,
): Promise<IssuesOfRelease> {
  const ids = await releases.releaseIssues(scope, version, max('releaseIssuesShownMax'))
  const read = (list: readonly number[]) => issues.issuesByRefs(scope, list.map(String))
  const [begun, regressed, resolved] = await Promise.all([
    read(ids.begun),
    read(ids.regressed),
    read(ids.resolved),
  ])
  return { begun, regressed, resolved }
}

/** Reads the whole release at once. */
export async function releaseView(
  parts: ReleaseViewParts,
  scope: ReadScope,
  version: string,
): Promise<ReleaseView | null> {
  const head = await releaseHead(parts, scope, version)
  if (head === null) return null
  const { release, before, after, deploys } = head
  const [issues, commits, counted, earlier] = await Promise.all([
    readIssuesOfRelease(parts, scope, version),
    parts.releases.commits(scope, version),
    comparedRelease(parts, scope, release),
    before === null ? null : comparedRelease(parts, scope, before),
  ])
  return { release: counted, before: earlier, after, issues, commits, deploys }
}

/** Returns times of releases that share a project with it. */
export async function timesBeside(
  releases: Pick<ReleasesRead, 'releaseTimes'>,
  scope: ReadScope,
  release: Release,
): Promise<readonly TimedRelease[]> {
  const projects = release.projects.map(({ projectId }) => projectId)
  return releases.releaseTimes(scope, projects)
}

export function timedRelease({ version, releasedMs, createdMs }: Release): TimedRelease {
  return { version, atMs: releasedMs ?? createdMs }
}

/** Counts issues as the linked issue list does. */
async function comparedRelease(
  { issueTotal }: ReleaseViewParts,
  scope: ReadScope,
  release: Release,
): Promise<ComparedRelease> {
  return { ...release, issueCount: await issueTotal(scope, releaseSearch(release.version)) }
}

function releaseSearch(version: string): string {
  return `release:"${version.replaceAll(/["\\*]/g, '\\$&')}"`
}

/** Newest first, and not more than are shown. */
export async function releaseBundles(
  { artifacts }: Pick<ReleaseViewParts, 'artifacts'>,
  scope: ReadScope,
  version: string,
): Promise<readonly Bundle[]> {
  const filter = { project: null, release: version, text: '', beforeId: null, limit: BUNDLES_SHOWN }
  return artifacts.bundles(scope, filter)
}
