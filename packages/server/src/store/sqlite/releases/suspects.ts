/** Commits that may have caused an issue: those that touched a file of its stack. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { Suspect } from '#issues/ownership/giving.ts'
import { touchingCommits, versionsThatBrought } from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { Connection } from '../connection.ts'
import type { ProjectScope } from '../rows/readable.ts'
import {
  type PlacedCommit,
  readReleasesOfProjects,
  touchingCommitsOf,
  wholeSuspect,
} from './releases-read.ts'

interface Row {
  readonly orgId: OrgId
  readonly projectId: ProjectId
  readonly filename: string
  readonly release: string | null
}

/** Reading and ordering a name costs as much as looking at so many files. */
const STEPS_PER_RELEASE = 4

const NO_SUSPECT: Suspect = { commit: null, isCut: false }

/**
 * Finds suspects within one transaction: commits that were read stay, and all issues of an organisation share
 * one budget.
 */
export class SuspectFinder {
  readonly #db: Connection
  readonly #budgets = new Map<OrgId, StepBudget>()
  readonly #commits = new Map<string, readonly PlacedCommit[]>()
  readonly #releases = new Map<string, ReturnType<typeof readReleasesOfProjects>>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** By the place in the code that the issue is called by; the newest of them. */
  ofIssue(issue: IssueId): Suspect {
    const db = this.#db
    // activities_by_issue
    const sql = `SELECT p.org_id AS orgId, i.project_id AS projectId, i.filename,
      coalesce((SELECT json_extract(a.detail, '$.release') FROM activities a
        WHERE a.issue_id = i.id AND a.kind = 'regressed' ORDER BY a.id DESC LIMIT 1), i.first_release) AS release
    FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = ? AND i.filename IS NOT NULL
      AND EXISTS (SELECT 1 FROM release_projects rp JOIN release_commits c ON c.release_id = rp.release_id
        WHERE rp.project_id = i.project_id)`
    const row = db.get<Row>(sql, [issue])
    if (row === undefined || row.release === null) return NO_SUSPECT
    const { orgId, projectId, filename, release } = row
    const budget = this.#budgets.get(orgId) ?? new StepBudget(max('suspectBatchFilesMax'))
    this.#budgets.set(orgId, budget)
    if (budget.isSpent) return { commit: null, isCut: true }
    const scope = { orgId, projects: [projectId] }
    const commits = this.#commitsOf(scope, { release, budget })
    const { suspects, isCut } = touchingCommits(
      [filename],
      commits,
      new StepBudget(max('suspectFilesMax'), budget),
    )
    const [newest] = suspects
    return {
      commit: newest === undefined ? null : wholeSuspect(db, scope, newest),
      isCut: isCut || budget.isSpent,
    }
  }

  #commitsOf(
    scope: ProjectScope,
    { release, budget }: { readonly release: string; readonly budget: StepBudget },
  ): readonly PlacedCommit[] {
    const key = `${scope.projects[0]} ${release}`
    const known = this.#commits.get(key)
    if (known !== undefined) return known
    const releases = this.#releasesOf(scope)
    // A client that names a new release with every event has each of them held against thousands.
    if (!budget.take(STEPS_PER_RELEASE * releases.length)) return []
    const versions = versionsThatBrought(releases, release)
    const kept: PlacedCommit[] = []
    const most = new StepBudget(max('suspectFilesMax'), budget)
    for (const commit of touchingCommitsOf(this.#db, scope, versions)) {
      if (!most.take(commit.paths.length)) break
      kept.push(commit)
    }
    this.#commits.set(key, kept)
    return kept
  }

  #releasesOf(scope: ProjectScope): ReturnType<typeof readReleasesOfProjects> {
    const key = scope.projects.join()
    const known = this.#releases.get(key) ?? readReleasesOfProjects(this.#db, scope, null)
    this.#releases.set(key, known)
    return known
  }
}
