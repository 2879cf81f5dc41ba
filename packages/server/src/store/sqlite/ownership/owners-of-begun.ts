/** The stage of the commit that says whose the issues are that begin. */
import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { assigneeIds } from '#issues/issue-changes.ts'
import type { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import {
  type BegunIssue,
  type OwnedProject,
  type OwnersGiven,
  ownersOfBegun,
  type Suspect,
} from '#issues/ownership/giving.ts'
import type { OwnershipFacts } from '#ports/ownership.ts'
import type { BatchProjects } from '../batch-projects.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { SuspectFinder } from '../releases/suspects.ts'
import { readOptions } from '../rows/project-rows.ts'
import type { Stage } from '../stage.ts'
import { directoriesOf, ownershipOfProjects } from './ownership.ts'

interface BegunAtHand {
  /** New issues of projects that have rules: most have none. */
  readonly begun: readonly BegunIssue[]
  readonly compiler: OwnershipCompiler
  readonly nowMs: number
}

/** Parts of a batch that owners look at. */
interface AtOwners extends Pick<BegunAtHand, 'begun' | 'nowMs'> {
  readonly projects: BatchProjects
  readonly remembered: { readonly owners: OwnershipCompiler }
}

interface OwnersThere {
  readonly projects: readonly OwnedProject[]
  readonly suspects: ReadonlyMap<IssueId, Suspect>
  readonly members: ReadonlyMap<TeamId, readonly UserId[]>
}

export const OWNER_STAGE: Stage<
  BegunAtHand,
  OwnersThere,
  OwnersGiven & { readonly nowMs: number },
  AtOwners
> = {
  name: 'owners',
  pick({ begun: all, projects, remembered: { owners: compiler }, nowMs }) {
    const begun = all.filter(({ delta }) => projects.get(delta.projectId)?.hasOwnership === true)
    return begun.length === 0 ? null : { begun, compiler, nowMs }
  },
  load(db, { begun, compiler }) {
    const byProject = Map.groupBy(begun, ({ delta }) => delta.projectId)
    const owned = [...ownershipOfProjects(db, [...byProject.keys()])].flatMap(([project, ownership]) => {
      const rules = compiler.compile(ownership)
      if (rules === null && !ownership.assignsSuspects) return []
      return [{ project, ownership, rules, issues: byProject.get(project) ?? [] }]
    })
    const named = owned.map(({ project }) => project)
    const directories = directoriesOf(db, named)
    const mappings = readCodeMappings(db, named)
    const projects = owned.map(({ project, ownership: { isAutoAssigned }, rules, issues }) => {
      const directory = directories.get(project) ?? { people: [], teams: [] }
      return { project, issues, rules, isAutoAssigned, directory, mappings: mappings.get(project) ?? [] }
    })
    const asked = owned.flatMap(({ ownership, issues }) => (ownership.assignsSuspects ? issues : []))
    const teams = projects.flatMap(({ directory }) => directory.teams.map(({ id }) => id))
    return {
      projects,
      suspects: findSuspectsOfBegun(db, asked),
      members: readTeamMembers(db, [...new Set(teams)]),
    }
  },
  decide: ({ projects, ...there }, { nowMs }) => ({ ...ownersOfBegun(projects, there, nowMs), nowMs }),
  save(db, { owners, follows, cuts, nowMs }) {
    db.runEach(
      'INSERT INTO issue_owners (issue_id, position, user_id, team_id, rule) VALUES (?, ?, ?, ?, ?)',
      owners.flatMap(({ issueId, owners: of }) =>
        of.map(({ owner, rule }, position) => {
          const { userId, teamId } = assigneeIds(owner)
          return [issueId, position, userId, teamId, rule]
        }),
      ),
    )
    if (follows.length > 0) changeIssues(db, follows)
    db.runEach(
      'UPDATE project_ownership SET cut_issues = cut_issues + ?, cut_ms = ? WHERE project_id = ?',
      cuts.map(({ project, issues }) => [issues, Math.floor(nowMs), project]),
    )
  },
}

function readCodeMappings(
  db: Connection,
  projects: readonly ProjectId[],
): ReadonlyMap<ProjectId, OwnershipFacts['codeMappings']> {
  const rows = db.getEach<{ readonly options: string }>(
    'SELECT options FROM projects WHERE id = ?',
    projects.map((project) => [project]),
  )
  return new Map(
    projects.map((project, at) => {
      const row = rows[at]
      return [project, row === undefined ? [] : readOptions(row.options).codeMappings]
    }),
  )
}

/** Returns what each suspects, in their order: issues of an organisation share one budget. */
function findSuspectsOfBegun(db: Connection, begun: readonly BegunIssue[]): ReadonlyMap<IssueId, Suspect> {
  const suspects = new SuspectFinder(db)
  return new Map(begun.map(({ issueId }) => [issueId, suspects.ofIssue(issueId)]))
}

function readTeamMembers(db: Connection, teams: readonly TeamId[]): ReadonlyMap<TeamId, readonly UserId[]> {
  const rows = db.allEach<{ readonly id: UserId }>(
    'SELECT user_id AS id FROM team_members WHERE team_id = ? ORDER BY user_id',
    teams.map((team) => [team]),
  )
  return new Map(teams.map((team, at) => [team, (rows[at] ?? []).map(({ id }) => id)]))
}
