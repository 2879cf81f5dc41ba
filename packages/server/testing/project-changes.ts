/** Changes of projects and their keys, whose preparation found nothing wrong. */
import type { KeyId, OrgId, ProjectId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import type { BeginningProject } from '#commands/projects.ts'
import type { CommandName, PreparedOf } from '#commands/table.ts'
import type { Control } from '#ports/control.ts'
import type { OwnershipChange } from '#ports/ownership.ts'
import type { ProjectSettings, RateLimit, SeenSettings } from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type ProjectChanges = ReturnType<typeof projectChanges>

interface Seeing {
  readonly seen?: SeenSettings | undefined
}
interface KeyPlace {
  readonly org: OrgId
  readonly project: ProjectId
  readonly id: KeyId
}
interface KeyChange extends Seeing {
  readonly name?: string
  readonly isActive?: boolean
  readonly rateLimit?: RateLimit | null
}
interface NewKey {
  readonly public: string
  readonly name: string
  readonly rateLimit: RateLimit | null
}

export function projectChanges(control: Control) {
  const change = changesOf(control)
  const of = <N extends CommandName>(name: N, orgId: OrgId, prepared: PreparedOf<N>, actor: Actor) =>
    change(name, prepared, { scope: scopeForTest({ orgId, projects: [] }), actor })
  return {
    createProject: async (
      { orgId, ...project }: BeginningProject & { readonly orgId: OrgId },
      actor: Actor,
    ) => {
      const made = await of('createProject', orgId, project, actor)
      return made.ok ? ok(made.value.project) : made
    },
    updateProject: (
      org: OrgId,
      project: ProjectId,
      { seen, ...given }: ProjectSettings & Seeing,
      actor: Actor,
    ) => of('updateProject', org, { project, change: given, seen }, actor),
    deleteProject: (org: OrgId, project: ProjectId, actor: Actor) =>
      of('deleteProject', org, { project }, actor),
    createKey: (org: OrgId, project: ProjectId, key: NewKey, actor: Actor) =>
      of('createKey', org, { ...key, project }, actor),
    updateKey: ({ org, project, id }: KeyPlace, { seen, ...given }: KeyChange, actor: Actor) =>
      of('updateKey', org, { project, key: id, change: given, seen }, actor),
    deleteKey: ({ org, project, id }: KeyPlace, actor: Actor) =>
      of('deleteKey', org, { project, key: id }, actor),
    setOwnership: (
      { org, project }: { readonly org: OrgId; readonly project: ProjectId },
      { seen, ...given }: OwnershipChange & Seeing,
      actor: Actor,
    ) => of('setOwnership', org, { project, change: given, seen }, actor),
  }
}
