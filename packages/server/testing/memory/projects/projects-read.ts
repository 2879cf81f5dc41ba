/** Reads of projects and keys. */
import type { ProjectId } from '#base/ids.ts'
import { hourVolumes } from '#issues/outcome-buckets.ts'
import { hasNumber, type Project, type ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { byId, byName } from '../order.ts'
import { ownershipRead } from '../ownership/ownership.ts'
import { sumOver } from '../rows/issue-view.ts'
import { projectOf } from '../rows/project-rows.ts'
import { readableProjects } from '../rows/readable.ts'
import type { Tables } from '../tables.ts'
import { environments } from './environments.ts'

export function projectsRead(of: Tables): ProjectsRead {
  return {
    ...ownershipRead(of),
    ingestDirectory: async () => ({
      organisations: of.organisations
        .all()
        .sort(byId)
        .map(({ id, slug }) => ({ id, slug })),
      projects: of.projects
        .all()
        .sort(byId)
        .map((row) => projectOf(of, row)),
      keys: of.keys.all().sort(byId),
      routes: of.knownRoutes
        .all()
        .sort(byId)
        .map(({ projectId, of: sort, route }) => ({ projectId, of: sort, route })),
    }),
    // Every change of a project or key writes an audit entry in its own transaction.
    directoryVersion: async () => of.audit.lastId + of.knownRoutes.lastId,
    hourlyVolume: async (project, category, sinceMs) =>
      hourVolumes(
        of.outcomes.where((sum) => {
          return sum.projectId === project && sum.category === category && sum.bucketMs >= sinceMs
        }),
      ),
    projects: async (scope) => readable(of, scope).sort(byName),
    project: async (scope, slugOrId) => {
      const all = readable(of, scope)
      // A slug wins over an id that looks the same.
      const found =
        all.find(({ slug }) => slug === slugOrId) ??
        all.find(({ formerSlugs }) => formerSlugs.includes(slugOrId)) ??
        all.find(({ id }) => String(id) === slugOrId)
      return found ?? all.find((project) => hasNumber(project, slugOrId)) ?? null
    },
    keys: async (scope, id) => {
      const projects = readableProjects(of, scope, [id])
      return of.keys.where(({ projectId }) => projects.has(projectId)).sort(byId)
    },
    environments: async (scope, filter) => environments(of, scope, filter),
    size: async (scope, id) => size(of, readableProjects(of, scope, [id])),
  }
}

function readable(of: Tables, scope: ReadScope): Project[] {
  const projects = readableProjects(of, scope)
  return of.projects.where(({ id }) => projects.has(id)).map((row) => projectOf(of, row))
}

function size(of: Tables, projects: ReadonlySet<ProjectId>) {
  const isOfThem = ({ projectId }: { readonly projectId: ProjectId }) => projects.has(projectId)
  return {
    issues: of.issues.where(isOfThem).length,
    events: sumOver(of.groups.where(isOfThem), ({ eventCount }) => eventCount),
    keys: of.keys.where(isOfThem).length,
  }
}
