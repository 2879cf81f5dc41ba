/** Keeps ownership rules of a project, and the owners of new issues. */
import type { ProjectId } from '#base/ids.ts'
import { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import { NO_OWNERS, type OwnerDirectory, suggestedOwners } from '#issues/ownership/owners.ts'
import { NO_OWNERSHIP, type Ownership, type OwnershipRead } from '#ports/ownership.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { readersOfProjects } from '../rows/account-rows.ts'
import { projectById } from '../rows/project-rows.ts'

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
        : suggestedOwners(rules, facts, { directory: readOwnerDirectory(db, project) })
    },
  }
}

function ownershipOf(db: Connection, project: ProjectId): Ownership {
  return ownershipOfProjects(db, [project]).get(project) ?? NO_OWNERSHIP
}

/** Returns the rules of those projects that have some. */
export function ownershipOfProjects(
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

function readOwnerDirectory(db: Connection, project: ProjectId): OwnerDirectory {
  return directoriesOf(db, [project]).get(project) ?? { people: [], teams: [] }
}

/** People who can read each project, teams that open it. */
export function directoriesOf(
  db: Connection,
  projects: readonly ProjectId[],
): ReadonlyMap<ProjectId, OwnerDirectory> {
  const keys = projects.map((project) => ({ project }))
  const people = readersOfProjects(db, projects)
  const teams = db.allEach<OwnerDirectory['teams'][number]>(
    `SELECT t.id, t.slug FROM team_projects tp JOIN teams t ON t.id = tp.team_id
      WHERE tp.project_id = :project ORDER BY t.id`,
    keys,
  )
  return new Map(
    projects.map((project, at) => [project, { people: people[at] ?? [], teams: teams[at] ?? [] }]),
  )
}
