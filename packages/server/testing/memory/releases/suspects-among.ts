/** Commits that touched a file, over maps. */
import { touchingCommits } from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { ReleasedCommit } from '#ports/releases.ts'

export function suspectsAmong(commits: readonly ReleasedCommit[], files: readonly string[]) {
  const touching = commits.map((commit) => ({
    ...commit,
    paths: commit.files.map(({ path }) => path),
    commit,
  }))
  const { suspects, isCut } = touchingCommits(files, touching, new StepBudget(max('suspectFilesMax')))
  return { suspects: suspects.map(({ commit: { commit }, path }) => ({ commit, path })), isCut }
}
