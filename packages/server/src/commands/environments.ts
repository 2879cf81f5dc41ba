/** Commands about a project's environments: which are hidden, and their order. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ENVIRONMENT_REFUSALS, moveName } from '#model/environments.ts'
import { PROJECT_REFUSALS } from '#model/project-rules.ts'
import { ENVIRONMENTS, PROJECTS } from '#model/tables/projects.ts'
import type { Tx } from '#ports/control.ts'
import type { Environment, EnvironmentSetting } from '#ports/environments.ts'
import type { Asking } from './asking.ts'
import { changeFound } from './change-found.ts'
import { type By, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'

// Types without a name of their own: what a command takes is part of what `commands.run` declares.
type OfProject = { readonly project: ProjectId }
type Settings = OfProject & { readonly settings: readonly EnvironmentSetting[] }

type Parts = Pick<CommandParts, 'projects'>

/** Hides an environment that events or deploys name. */
export const hideEnvironment = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (given: OfProject & { readonly name: string; readonly isHidden: boolean }) => ok(given),
  prepare: async (parts: Parts, asking, { project, name, isHidden }) => {
    const found = await readEnvironments(parts, asking, project)
    if (!found.ok) return found
    const known = found.value.find((each) => each.name === name)
    if (known === undefined) return ENVIRONMENT_REFUSALS.noEnvironment(name)
    return ok({ project, settings: [{ ...settingOf(known), isHidden }] })
  },
  change: putSettings,
})

/** By one step; nothing changes at that end. */
export const moveEnvironment = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (given: OfProject & { readonly name: string; readonly to: 'up' | 'down' }) => ok(given),
  prepare: async (parts: Parts, asking, { project, name, to }) => {
    const found = await readEnvironments(parts, asking, project)
    if (!found.ok) return found
    const names = found.value.map((each) => each.name)
    if (!names.includes(name)) return ENVIRONMENT_REFUSALS.noEnvironment(name)
    return ok({ project, settings: orderSettings(found.value, moveName(names, name, to)) })
  },
  change: putSettings,
})

/** Orders environments: the named come first, the others follow in their order. */
export const orderEnvironments = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (given: OfProject & { readonly names: readonly string[] }) => ok(given),
  prepare: async (parts: Parts, asking, { project, names }) => {
    const found = await readEnvironments(parts, asking, project)
    if (!found.ok) return found
    const unknown = names.find((name) => !found.value.some((each) => each.name === name))
    if (unknown !== undefined) return ENVIRONMENT_REFUSALS.noEnvironment(unknown)
    return ok({ project, settings: orderSettings(found.value, names) })
  },
  change: putSettings,
})

/** Writes settings of environments, whether or not anything names them: all or none. */
function putSettings(tx: Tx, { project: projectId, settings }: Settings, by: By): Promise<Result<null>> {
  return changeFound(tx, by, {
    find: tx.rows(PROJECTS).one({ id: projectId, orgId: by.scope.orgId }),
    missing: PROJECT_REFUSALS.noProject,
    change: async ({ name: target }) => {
      const rows = tx.rows(ENVIRONMENTS)
      const most = max('environmentsPerProjectMax')
      const named = new Set(settings.map(({ name }) => name))
      const others = (await rows.find({ projectId }, most + 1)).filter(({ name }) => !named.has(name))
      if (others.length + settings.length > most) return ENVIRONMENT_REFUSALS.tooMany()
      await rows.merge(
        settings.map(({ name, isHidden, position }) => ({ projectId, name, isHidden, position })),
      )
      return { action: 'environments.changed', target }
    },
  })
}

/** The named ones first, then the others as they stand. */
function orderSettings(all: readonly Environment[], names: readonly string[]): readonly EnvironmentSetting[] {
  const placeOf = new Map([...new Set(names)].map((name, index) => [name, index]))
  const place = ({ name }: Environment) => placeOf.get(name) ?? placeOf.size
  return [...all]
    .sort((a, b) => place(a) - place(b))
    .map((each, position) => ({ ...settingOf(each), position }))
}

/** Behind the permission: whoever may not change it learns nothing of whether it exists. */
async function readEnvironments(
  { projects }: Parts,
  { scope }: Asking,
  project: ProjectId,
): Promise<Result<readonly Environment[]>> {
  if (!scope.projects.includes(project)) return refuse('not_found', 'There is no such project.')
  return ok(await projects.environments(scope, { projects: [project], of: 'events and deploys' }))
}

function settingOf({ name, isHidden, position }: Environment): EnvironmentSetting {
  return { name, isHidden, position }
}
