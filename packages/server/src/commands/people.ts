/** Deleting what is kept of a person. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { PersonCounted, PersonDeletion } from '#ports/care.ts'
import type { Actor } from '#ports/scope.ts'
import { type PersonRef, personKey } from '#queries/person-key.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import type { PersonData } from './person-deletion.ts'

interface PeopleCommands {
  /**
   * Hides every event of the person that the project has stored so far from all queries, and takes the name out of
   * users and tag values; compaction removes the events from the disk. Counts stay. Answers how many events.
   */
  deletePerson(asking: Asking, deletion: PersonOfProject): Promise<Result<{ readonly events: number }>>
  /**
   * The same in several projects, one after the other; the first that refuses ends it. Each one's audit entry has what
   * was counted of it.
   */
  deletePersonIn(
    asking: Asking,
    deletion: {
      readonly projects: readonly (PersonCounted & { readonly projectId: ProjectId })[]
      readonly person: PersonRef
    },
  ): Promise<Result<{ readonly events: number; readonly projects: number }>>
}

interface PersonOfProject {
  readonly project: ProjectId
  readonly person: PersonRef
  readonly counted?: PersonCounted
}

type PeopleCommandParts = Pick<CommandParts, 'projects' | 'people' | 'clock'> & {
  readonly changes: Pick<Changes, 'own'>
}

export function peopleCommands(parts: PeopleCommandParts): PeopleCommands {
  return {
    deletePerson: (asking, deletion) => deletePersonOfProject(parts, asking, deletion),
    async deletePersonIn(asking, { projects, person }) {
      let events = 0
      for (const { projectId: project, ...counted } of projects) {
        const done = await deletePersonOfProject(parts, asking, { project, person, counted })
        if (!done.ok) return done
        events += done.value.events
      }
      return ok({ events, projects: projects.length })
    },
  }
}

async function deletePersonOfProject(
  parts: PeopleCommandParts,
  asking: Asking,
  deletion: PersonOfProject,
): Promise<Result<{ readonly events: number }>> {
  const refusal = refusalOf(asking, 'person.delete')
  if (refusal !== null) return refusal
  const { scope } = asking
  const project = await parts.projects.project(scope, String(deletion.project))
  if (project === null) return refuse('not_found', 'There is no such project.')
  const person = personKey(deletion.person)
  if (!person.ok) return person
  if (parts.people === undefined)
    return refuse('conflict', 'Events can only be deleted while the server is running.')
  const { counted } = deletion
  const what = {
    ...{ orgId: scope.orgId, projectId: project.id, person: person.value },
    ...(counted === undefined ? {} : { counted }),
  }
  return deleteStoredPerson({ ...parts.people, own: parts.changes.own }, what, actorOf(parts, asking))
}

/** Deletes what is stored of a person so far: what comes meanwhile is neither counted as gone nor hidden. */
export async function deleteStoredPerson(
  stores: PersonData & Pick<Changes, 'own'>,
  who: Pick<PersonDeletion, 'orgId' | 'projectId' | 'person' | 'counted'>,
  actor: Actor,
): Promise<Result<{ readonly events: number }>> {
  const upToSeq = await stores.appliedSeq()
  const found = await stores.personEvents(who.projectId, who.person, upToSeq)
  const deletion = { ...who, ...found, upToSeq }
  const deleted = await stores.own('deletePerson', { deletion, actor })
  return deleted.ok ? ok({ events: found.events }) : deleted
}
