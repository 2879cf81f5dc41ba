/** One release with all that its page shows, beside the one before it. */
import { max } from '#limits/limits.ts'
import { releaseAfter, releaseBefore, type TimedRelease } from '#model/release-order.ts'
import type { Artifacts, Bundle, ReleaseArtifacts } from '#ports/artifacts.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { Deploy, Release, ReleasedCommit, ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface ReleaseViewParts {
  readonly releases: ReleasesRead
  readonly issues: Pick<IssuesRead, 'issuesByRefs'>
  readonly projects: Pick<ProjectsRead, 'environments'>
  readonly artifacts: Pick<Artifacts, 'ofReleases' | 'bundles'>
  /** Issues that a search finds, whatever their state. */
  readonly issueTotal: (scope: ReadScope, query: string) => Promise<number>
}

export interface ReleaseView {
  readonly release: ComparedRelease
  /** In the order of releases; `null` for the first. */
  readonly before: ComparedRelease | null
  /** Name of the next one; `null` for the last. */
  readonly after: string | null
  /** Newest first, and not more than are shown. */
  readonly issues: Readonly<Record<'begun' | 'regressed' | 'resolved', readonly Issue[]>>
  readonly commits: readonly ReleasedCommit[]
  readonly deploys: readonly Deploy[]
  readonly artifacts: {
    /** `null`: nothing was uploaded for it. */
    readonly sum: ReleaseArtifacts | null
    /** Newest first, and not more than are shown. */
    readonly bundles: readonly Bundle[]
  }
}

/** With what is compared and counted for this page alone. */
export interface ComparedRelease extends Release {
  /** Issues with at least one event of it. */
  readonly issueCount: number
}

const BUNDLES_SHOWN = 20

export async function releaseView(
  parts: ReleaseViewParts,
  scope: ReadScope,
  version: string,
): Promise<ReleaseView | null> {
  const { releases, issues } = parts
  const release = await releases.release(scope, version)
  if (release === null) return null
  const times = await timesBeside(releases, scope, release)
  const before = releaseBefore(times, timed(release))
  const [ids, commits, deploys, artifacts, counted, earlier] = await Promise.all([
    releases.releaseIssues(scope, version, max('releaseIssuesShownMax')),
    releases.commits(scope, version),
    releases.deploys(scope, version),
    artifactsOf(parts, scope, version),
    compared(parts, scope, release),
    before === null ? null : releases.release(scope, before.version),
  ])
  const read = (list: readonly number[]) => issues.issuesByRefs(scope, list.map(String))
  const [begun, regressed, resolved] = await Promise.all([
    read(ids.begun),
    read(ids.regressed),
    read(ids.resolved),
  ])
  return {
    release: counted,
    before: earlier === null ? null : await compared(parts, scope, earlier),
    after: releaseAfter(times, timed(release))?.version ?? null,
    issues: { begun, regressed, resolved },
    ...{ commits, deploys, artifacts },
  }
}

/** Of the releases that share a project with it. */
export async function timesBeside(
  releases: Pick<ReleasesRead, 'releaseTimes'>,
  scope: ReadScope,
  release: Release,
): Promise<readonly TimedRelease[]> {
  const projects = release.projects.map(({ projectId }) => projectId)
  return releases.releaseTimes(scope, projects)
}

export function timed({ version, releasedMs, createdMs }: Release): TimedRelease {
  return { version, atMs: releasedMs ?? createdMs }
}

/** As the issue list counts them, which the page links to. */
async function compared(
  { issueTotal }: ReleaseViewParts,
  scope: ReadScope,
  release: Release,
): Promise<ComparedRelease> {
  return { ...release, issueCount: await issueTotal(scope, releaseSearch(release.version)) }
}

function releaseSearch(version: string): string {
  return `release:"${version.replaceAll('"', '\\"')}"`
}

async function artifactsOf(
  { artifacts }: ReleaseViewParts,
  scope: ReadScope,
  version: string,
): Promise<ReleaseView['artifacts']> {
  const filter = { project: null, release: version, text: '', beforeId: null, limit: BUNDLES_SHOWN }
  const [[sum = null], bundles] = await Promise.all([
    artifacts.ofReleases(scope, [version]),
    artifacts.bundles(scope, filter),
  ])
  return { sum, bundles }
}
