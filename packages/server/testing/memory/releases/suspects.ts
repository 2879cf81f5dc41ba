/** The commit that may have caused an issue, over maps. */
import type { IssueId } from '#base/ids.ts'
import { type SuspectCommit, versionsThatBrought } from '#issues/suspect-commits.ts'
import { groupsOf, issueView } from '../rows/issue-view.ts'
import type { Tables } from '../tables.ts'
import { releasedAt, releasesOfProject } from './release-rows.ts'
import { releasedCommit } from './releases-read.ts'
import { suspectsAmong } from './suspects-among.ts'

export function suspectOfIssue(of: Tables, id: IssueId): SuspectCommit | null {
  const issue = of.issues.get(id)
  if (issue === undefined) return null
  const { filename, firstRelease } = issueView(of, issue, { groups: groupsOf(of, id), newSinceMs: 0 })
  const back = of.activities
    .where(({ issueId, kind }) => issueId === id && kind === 'regressed')
    .sort((a, b) => b.id - a.id)[0]?.detail.release
  const version = typeof back === 'string' ? back : firstRelease
  if (version === null || filename === null) return null
  const releases = releasesOfProject(of, issue.projectId)
  const known = releases.map((release) => ({
    ...releasedAt(release),
    eventCount: release.projects.get(issue.projectId)?.eventCount ?? 0,
  }))
  const commits = versionsThatBrought(known, version).flatMap((each) => {
    const release = releases.find((one) => one.version === each)
    return release === undefined ? [] : release.commits.map((commit) => releasedCommit(of, release, commit))
  })
  return suspectsAmong(commits, [filename]).suspects[0] ?? null
}
