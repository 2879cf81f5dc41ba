/**
 * Answers about all releases of projects at once. They are worked out where releases are read: names are whatever clients send,
 * ten thousand of them, and the thread that accepts envelopes sees the answers alone.
 */
import type { ProjectId } from '#base/ids.ts'
import { releaseMeaning } from '#issues/release-meaning.ts'
import { suggestedReleases } from '#issues/suggested-releases.ts'
import { versionsThatBrought } from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import { latestRelease } from '#model/release-order.ts'
import type { LatestRelease, MeantReleases, ReleasesAsked, ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { readReleasesOfProjects } from './releases-read.ts'

type Answers = 'releasesMeant' | 'suggestedReleases' | 'latestReleases' | 'versionsThatBrought'

export function releaseAnswers(db: Connection): Pick<ReleasesRead, Answers> {
  return {
    releasesMeant: async (scope, asked) => readMeantReleases(db, scope, asked),
    suggestedReleases: async (scope, asked) =>
      suggestedReleases(readReleasesOfProjects(db, scope, null), asked),
    latestReleases: async (scope, projects) => readLatestReleases(db, scope, projects),
    versionsThatBrought: async (scope, project, version) =>
      versionsThatBrought(readReleasesOfProjects(db, scope, [project]), version),
  }
}

function readMeantReleases(
  db: Connection,
  scope: ReadScope,
  { projects, questions, nowMs }: ReleasesAsked,
): readonly MeantReleases[] | 'too many' {
  const meaning = releaseMeaning(readReleasesOfProjects(db, scope, projects), nowMs)
  const answers: MeantReleases[] = []
  let values = 0
  for (const question of questions) {
    const found = meaning(question)
    values += found?.length ?? 0
    if (values > max('releasesMeantMax')) return 'too many'
    answers.push(found?.map(({ projectId, version: value }) => ({ projectId, value })) ?? null)
  }
  return answers
}

function readLatestReleases(
  db: Connection,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): readonly LatestRelease[] {
  const byProject = Map.groupBy(readReleasesOfProjects(db, scope, projects), ({ projectId }) => projectId)
  return [...byProject].flatMap(([projectId, own]) => {
    const release = latestRelease(own)
    return release === null ? [] : [{ projectId, version: release.version, atMs: release.atMs }]
  })
}
