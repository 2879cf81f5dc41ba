/** Deleting what is kept of a person. */
import type { Viewer } from '#access/viewer.ts'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { PersonDeletion } from '#ports/retention.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'
import { type PersonRef, personKey } from '#queries/person-key.ts'
import { actorOf, type CommandParts, refusalOf } from './parts.ts'
import type { RequestFacts } from './types.ts'

/** What retention offers to commands. */
export interface PersonData {
  deletePerson(
    deletion: Pick<PersonDeletion, 'orgId' | 'projectId' | 'person'>,
    actor: Actor,
  ): Promise<Result<{ readonly events: number }>>
}

export interface PeopleCommands {
  /**
   * Hides every event of the person that the project has stored so far from all queries, and takes the name out of
   * users and tag values; compaction removes the events from the disk. Counts stay. Answers how many events.
   */
  deletePerson(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    person: PersonRef,
    facts: RequestFacts,
  ): Promise<Result<{ readonly events: number }>>
}

export function peopleCommands(parts: CommandParts): PeopleCommands {
  return {
    deletePerson: (viewer, scope, id, ...[ref, facts]) =>
      deletePerson(parts, { viewer, scope, facts }, { id, ref }),
  }
}

async function deletePerson(
  parts: CommandParts,
  asking: { readonly viewer: Viewer; readonly scope: ReadScope; readonly facts: RequestFacts },
  { id, ref }: { readonly id: ProjectId; readonly ref: PersonRef },
): Promise<Result<{ readonly events: number }>> {
  const { viewer, scope, facts } = asking
  const refusal = refusalOf(viewer, scope, 'person.delete')
  if (refusal !== null) return refusal
  const project = await parts.projects.project(scope, String(id))
  if (project === null) return refuse('not_found', 'There is no such project.')
  const person = personKey(ref)
  if (!person.ok) return person
  if (parts.people === undefined) return refuse('conflict', 'Events are deleted by a running server alone.')
  const deletion = { orgId: scope.orgId, projectId: project.id, person: person.value }
  const done = await parts.people.deletePerson(deletion, actorOf(parts, viewer, facts))
  return done.ok ? ok({ events: done.value.events }) : done
}
