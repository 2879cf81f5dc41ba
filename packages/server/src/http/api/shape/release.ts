/** Releases as JSON, in the words of the tools that read them. docs/wire.md, section "Releases". */
import type { ProjectId } from '#base/ids.ts'
import { parseRelease, shortRelease } from '#model/release-order.ts'
import type { CommitFile, Deploy, Release, ReleaseAuthor, ReleaseCommit } from '#ports/releases.ts'
import { AUTHOR, COMMIT, DEPLOY_SCHEMA } from '../answers/release.ts'
import { picks } from '../pick.ts'
import { type HealthShape, NO_HEALTH } from './release-health.ts'
import { isoTimeText, isoTimeTextOrNull } from './times.ts'

export function releaseShape(release: Release, health: ReadonlyMap<ProjectId, HealthShape> | null = null) {
  const { version, projects, lastCommit, lastDeploy } = release
  const parts = parseRelease(version)
  const times = (of: 'firstEventMs' | 'lastEventMs') =>
    projects.map((each) => each[of]).filter((ms) => ms !== null)
  const [first, last] = [times('firstEventMs'), times('lastEventMs')]
  return {
    ...{ id: String(release.id), version },
    shortVersion: shortRelease(version),
    versionInfo: {
      ...{ package: parts.package, version: { raw: parts.version }, buildHash: parts.build },
      description: shortRelease(version),
    },
    ...{ status: release.status, ref: release.ref, url: release.url },
    dateCreated: isoTimeText(release.createdMs),
    dateStarted: isoTimeTextOrNull(release.startedMs),
    dateReleased: isoTimeTextOrNull(release.releasedMs),
    firstEvent: first.length === 0 ? null : isoTimeText(Math.min(...first)),
    lastEvent: last.length === 0 ? null : isoTimeText(Math.max(...last)),
    newGroups: projects.reduce((sum, { newIssues }) => sum + newIssues, 0),
    ...{ owner: null, authors: release.authors.map(authorShape), data: {} },
    commitCount: release.commitCount,
    lastCommit: lastCommit === null ? null : lastCommitShape(lastCommit, release),
    deployCount: release.deployCount,
    lastDeploy: lastDeploy === null ? null : deployShape(lastDeploy),
    projects: projects.map(({ projectId, slug, name, newIssues }) => ({
      ...{ id: String(projectId), slug, name, newGroups: newIssues },
      ...(health === null ? {} : { healthData: health.get(projectId) ?? NO_HEALTH }),
    })),
  }
}

/**
 * Shapes the last commit. Tools expect a time, and an author or none at all: a commit without a time has that of the
 * release.
 */
function lastCommitShape(commit: ReleaseCommit, { createdMs }: Release) {
  const { author, dateCreated, ...shape } = commitShape(commit)
  return {
    ...{ ...shape, dateCreated: dateCreated ?? isoTimeText(createdMs) },
    ...(author === null ? {} : { author }),
  }
}

export const commitShape = picks(COMMIT).from<ReleaseCommit>({
  dateCreated: ({ atMs }) => isoTimeTextOrNull(atMs),
  repository: ({ repository }) => (repository === null ? null : { name: repository }),
  author: ({ authorName, authorEmail }) =>
    authorName === null && authorEmail === null ? null : { name: authorName, email: authorEmail },
  patch_set: ({ files }) => files,
})

const authorShape = picks(AUTHOR).from<ReleaseAuthor>({})

export function commitFileShape({
  commit,
  file,
}: {
  readonly commit: ReleaseCommit
  readonly file: CommitFile
}) {
  const { author, repository } = commitShape(commit)
  return {
    ...{ filename: file.path, type: file.type, commitId: commit.id, commitMessage: commit.message },
    ...{ author, repoName: repository?.name ?? null },
  }
}

export const deployShape = picks(DEPLOY_SCHEMA).from<Deploy>({
  id: ({ id }) => String(id),
  dateStarted: ({ startedMs }) => isoTimeTextOrNull(startedMs),
  dateFinished: ({ finishedMs }) => isoTimeText(finishedMs),
})

/** Shapes a repository. Nothing needs to be connected, so any that is asked for exists. */
export function repositoryShape(name: string, nowMs: number) {
  return {
    ...{ id: name, name, url: `https://${name}`, externalSlug: name, status: 'active' },
    provider: { id: 'git', name: 'Git' },
    dateCreated: isoTimeText(nowMs),
  }
}
