/** Keeps ownership rules of a project, and the owners of new issues. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { whatFollowsOwning } from '#issues/follows/assigning.ts'
import { assigneeIds } from '#issues/issue-changes.ts'
import { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import {
  authorOf,
  factsOfNewIssue,
  NO_OWNERS,
  type OwnerDirectory,
  suggestedOwners,
} from '#issues/ownership/owners.ts'
import { max } from '#limits/limits.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import { NO_OWNERSHIP, type Ownership, type OwnershipRead, type SuggestedOwner } from '#ports/ownership.ts'
import type { Project } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { SuspectFinder } from '../releases/suspects.ts'
import { projectsOpenTo } from '../rows/account-rows.ts'
import { assigneeName, peopleOfAssignee } from '../rows/assignees.ts'
import { projectById, readOptions } from '../rows/project-rows.ts'

export function ownershipRead(db: Connection): OwnershipRead {
  const compiler = new OwnershipCompiler()
  const seen = (scope: ReadScope, project: ProjectId) =>
    scope.projects.includes(project) && projectById(db, scope.orgId, project) !== null
      ? ownershipOf(db, project)
      : NO_OWNERSHIP
  return {
    ownership: async (scope, project) => seen(scope, project),
    ownersByRules: async (scope, project, facts) => {
      const rules = compiler.compile(seen(scope, project))
      return rules === null
        ? NO_OWNERS
        : suggestedOwners(rules, facts, { directory: directoryOf(db, project) })
    },
  }
}

function ownershipOf(db: Connection, project: ProjectId): Ownership {
  return ownershipOfProjects(db, [project]).get(project) ?? NO_OWNERSHIP
}

/** Returns the rules of those projects that have some. */
function ownershipOfProjects(
  db: Connection,
  projects: readonly ProjectId[],
): ReadonlyMap<ProjectId, Ownership> {
  const sql = `SELECT project_id AS project, rules, code_owners AS codeOwners, is_auto_assigned AS isAutoAssigned,
      assigns_suspects AS assignsSuspects, created_ms AS createdMs, changed_ms AS changedMs, cut_issues AS cutIssues,
      cut_ms AS cutMs
    FROM project_ownership WHERE project_id IN (SELECT value FROM json_each(?))`
  type Switch = 'isAutoAssigned' | 'assignsSuspects'
  type Row = Omit<Ownership, Switch | 'cut'> &
    Readonly<Record<Switch | 'cutIssues', number>> & {
      readonly project: ProjectId
      readonly cutMs: number | null
    }
  return new Map(
    db.all<Row>(sql, [JSON.stringify(projects)]).map((found) => {
      const { project, isAutoAssigned, assignsSuspects, cutIssues, cutMs, ...row } = found
      const cut = cutMs === null ? null : { issues: cutIssues, atMs: cutMs }
      const switches = {
        isAutoAssigned: isAutoAssigned === 1,
        assignsSuspects: assignsSuspects === 1,
      }
      return [project, { ...row, ...switches, cut }]
    }),
  )
}

/** Once a batch, after the new issues are written: whom they belong to by the rules, and where the project wants it, theirs. */
export function giveOwners(
  db: Connection,
  begun: readonly { readonly issueId: IssueId; readonly delta: GroupDelta }[],
  { nowMs, compiler }: { readonly nowMs: number; readonly compiler: OwnershipCompiler },
): void {
  const suspects = new SuspectFinder(db)
  if (begun.length === 0) return
  const byProject = Map.groupBy(begun, ({ delta }) => delta.projectId)
  // Most projects have no rules.
  for (const [project, ownership] of ownershipOfProjects(db, [...byProject.keys()])) {
    const issues = byProject.get(project) ?? []
    const rules = compiler.compile(ownership)
    if (rules === null && !ownership.assignsSuspects) continue
    const within = new StepBudget(max('ownershipBatchStepsMax'))
    let cut = 0
    const directory = directoryOf(db, project)
    const mappings = mappingsOf(db, project)
    for (const { issueId, delta } of issues) {
      const facts = factsOfNewIssue(delta, mappings)
      const { owners, isCut } = suggestedOwners(rules, facts, { directory, within })
      writeOwners(db, issueId, owners)
      const suspect = ownership.assignsSuspects ? suspects.ofIssue(issueId) : null
      if (isCut || suspect?.isCut) cut++
      const first =
        authorOf(suspect?.commit ?? null, directory) ?? (ownership.isAutoAssigned ? owners[0] : undefined)
      if (first !== undefined) autoAssign(db, issueId, { first, nowMs })
    }
    if (cut > 0) noteCut(db, { project, issues: cut, atMs: Math.floor(nowMs) })
  }
}

function noteCut(
  db: Connection,
  { project, issues, atMs }: { readonly project: ProjectId; readonly issues: number; readonly atMs: number },
): void {
  const sql = 'UPDATE project_ownership SET cut_issues = cut_issues + ?, cut_ms = ? WHERE project_id = ?'
  db.run(sql, [issues, atMs, project])
}

function mappingsOf(db: Connection, project: ProjectId): Project['options']['codeMappings'] {
  const row = db.get<{ options: string }>('SELECT options FROM projects WHERE id = ?', [project])
  return row === undefined ? [] : readOptions(row.options).codeMappings
}

/** People who can read the project, teams that open it. */
function directoryOf(db: Connection, project: ProjectId): OwnerDirectory {
  const org = db.get<{ id: OrgId }>('SELECT org_id AS id FROM projects WHERE id = ?', [project])?.id
  if (org === undefined) return { people: [], teams: [] }
  const members = `SELECT u.id AS userId, u.name, u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = ? ORDER BY u.id`
  const teams = `SELECT t.id, t.slug FROM team_projects tp JOIN teams t ON t.id = tp.team_id
    WHERE tp.project_id = ? ORDER BY t.id`
  return {
    people: db
      .all<OwnerDirectory['people'][number]>(members, [org])
      .filter(({ userId }) => projectsOpenTo(db, org, userId).includes(project)),
    teams: db.all<OwnerDirectory['teams'][number]>(teams, [project]),
  }
}

function writeOwners(db: Connection, issue: IssueId, owners: readonly SuggestedOwner[]): void {
  const sql = 'INSERT INTO issue_owners (issue_id, position, user_id, team_id, rule) VALUES (?, ?, ?, ?, ?)'
  for (const [position, { owner, rule }] of owners.entries()) {
    const { userId, teamId } = assigneeIds(owner)
    db.run(sql, [issue, position, userId, teamId, rule])
  }
}

function autoAssign(
  db: Connection,
  issue: IssueId,
  { first, nowMs }: { readonly first: SuggestedOwner; readonly nowMs: number },
): void {
  const { owner: assignee, rule } = first
  const facts = { name: assigneeName(db, assignee), people: peopleOfAssignee(db, assignee) }
  changeIssues(db, whatFollowsOwning(issue, { ...facts, assignee, rule }, nowMs))
}
