/** Environments: discovered from counted tags and deploys, with what people say of them. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { compareEnvironments, ENVIRONMENT_REFUSALS, environmentsByName } from '#model/environments.ts'
import { PROJECT_REFUSALS } from '#model/project-rules.ts'
import type { Environment, EnvironmentFilter, EnvironmentSetting } from '#ports/environments.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'
import { writeAudit } from '../rows/audit.ts'
import { projectById } from '../rows/project-rows.ts'
import { readableProjects } from '../rows/readable.ts'
import type { Tables } from '../tables.ts'

export function environments(
  of: Tables,
  scope: ReadScope,
  filter: EnvironmentFilter,
): readonly Environment[] {
  return [...readableProjects(of, scope, filter.projects)]
    .sort((a, b) => a - b)
    .flatMap((projectId) => {
      const deployed = filter.of === 'events' ? [] : deploysOf(of, projectId)
      const settings = of.environments.get(projectId) ?? []
      return environmentsByName([...taggedOf(of, projectId), ...deployed])
        .map((seen): Environment => {
          const said = settings.find(({ name }) => name === seen.name)
          return { projectId, ...seen, isHidden: said?.isHidden ?? false, position: said?.position ?? null }
        })
        .sort(compareEnvironments)
    })
}

const UNSAID = { isHidden: false, position: null } as const

function taggedOf(of: Tables, project: ProjectId) {
  const seen = of.projectTags.get(project)?.keys.get('environment')?.values ?? []
  return [...seen].map(([name, { count, lastMs }]) => ({
    ...{ ...UNSAID, name, eventCount: count, lastSeenMs: lastMs },
  }))
}

function deploysOf(of: Tables, project: ProjectId) {
  return of.releases
    .where(({ projects }) => projects.has(project))
    .flatMap(({ deploys }) => deploys)
    .map(({ environment: name, finishedMs }) => ({
      ...{ ...UNSAID, name, eventCount: 0, lastSeenMs: finishedMs },
    }))
}

export function putEnvironments(
  to: Tables,
  { org, project }: { readonly org: OrgId; readonly project: ProjectId },
  { settings, actor }: { readonly settings: readonly EnvironmentSetting[]; readonly actor: Actor },
): Result<null> {
  const found = projectById(to, org, project)
  if (found === null) return PROJECT_REFUSALS.noProject()
  const named = new Set(settings.map(({ name }) => name))
  const others = (to.environments.get(project) ?? []).filter(({ name }) => !named.has(name))
  if (others.length + named.size > max('environmentsPerProjectMax')) return ENVIRONMENT_REFUSALS.tooMany()
  to.environments.put(project, [...others, ...settings])
  writeAudit(to, org, actor, { action: 'environments.changed', target: found.name })
  return ok(null)
}
