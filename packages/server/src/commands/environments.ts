/** What people say of a project's environments: which are hidden, and in which order they stand. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { ENVIRONMENT_REFUSALS, moved } from '#model/environments.ts'
import type { Environment, EnvironmentSetting } from '#ports/environments.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { CommandParts } from './parts.ts'

export interface EnvironmentCommands {
  /** Of one that events or deploys name. */
  hideEnvironment(
    asking: Asking,
    change: { readonly project: ProjectId; readonly name: string; readonly isHidden: boolean },
  ): Promise<Result<null>>
  /** By one step; nothing changes at that end. */
  moveEnvironment(asking: Asking, change: Move): Promise<Result<null>>
  /** Those that are named come first; the others follow as they stand. */
  orderEnvironments(
    asking: Asking,
    change: { readonly project: ProjectId; readonly names: readonly string[] },
  ): Promise<Result<null>>
}

interface Move {
  readonly project: ProjectId
  readonly name: string
  readonly to: 'up' | 'down'
}

type Parts = Pick<CommandParts, 'projects' | 'projectsWrite' | 'clock'>

export function environmentCommands(parts: Parts): EnvironmentCommands {
  return {
    hideEnvironment: async (asking, { project, name, isHidden }) => {
      const found = await environmentsOf(parts, asking, project)
      if (!found.ok) return found
      const known = found.value.find((each) => each.name === name)
      if (known === undefined) return ENVIRONMENT_REFUSALS.noEnvironment(name)
      return put(parts, asking, { project, settings: [{ ...settingOf(known), isHidden }] })
    },
    moveEnvironment: async (asking, { project, name, to }) => {
      const found = await environmentsOf(parts, asking, project)
      if (!found.ok) return found
      const names = found.value.map((each) => each.name)
      if (!names.includes(name)) return ENVIRONMENT_REFUSALS.noEnvironment(name)
      return put(parts, asking, { project, settings: inOrder(found.value, moved(names, name, to)) })
    },
    orderEnvironments: async (asking, { project, names }) => {
      const found = await environmentsOf(parts, asking, project)
      if (!found.ok) return found
      const unknown = names.find((name) => !found.value.some((each) => each.name === name))
      if (unknown !== undefined) return ENVIRONMENT_REFUSALS.noEnvironment(unknown)
      return put(parts, asking, { project, settings: inOrder(found.value, names) })
    },
  }
}

/** The named ones first, then the others as they stand. */
function inOrder(all: readonly Environment[], names: readonly string[]): readonly EnvironmentSetting[] {
  const placeOf = new Map([...new Set(names)].map((name, index) => [name, index]))
  const place = ({ name }: Environment) => placeOf.get(name) ?? placeOf.size
  return [...all]
    .sort((a, b) => place(a) - place(b))
    .map((each, position) => ({ ...settingOf(each), position }))
}

/** The permission first, then the project: whoever may not change it learns nothing of whether it exists. */
async function environmentsOf(
  parts: Parts,
  asking: Asking,
  project: ProjectId,
): Promise<Result<readonly Environment[]>> {
  const refusal = refusalOf(asking, 'project.write', { project })
  if (refusal !== null) return refusal
  if (!asking.scope.projects.includes(project)) return refuse('not_found', 'There is no such project.')
  return ok(
    await parts.projects.environments(asking.scope, { projects: [project], of: 'events and deploys' }),
  )
}

function settingOf({ name, isHidden, position }: Environment): EnvironmentSetting {
  return { name, isHidden, position }
}

async function put(
  parts: Parts,
  asking: Asking,
  { project, settings }: { readonly project: ProjectId; readonly settings: readonly EnvironmentSetting[] },
): Promise<Result<null>> {
  const place = { org: asking.scope.orgId, project }
  return parts.projectsWrite.putEnvironments(place, settings, actorOf(parts, asking))
}
