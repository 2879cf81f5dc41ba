/** Deletes what is kept of a person: their events are hidden by a tombstone, and their name is taken out of counts. */

import { ok, type Result } from '#base/result.ts'
import { kindOfName } from '#issues/named-people.ts'
import { PROJECT_REFUSALS, refusePeople } from '#model/project-rules.ts'
import { META, PERSON_TOMBSTONES } from '#model/tables/installation.ts'
import type { PersonDeletion } from '#ports/care.ts'
import type { Tx } from '#ports/control.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { PeopleReads } from '#ports/people.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from './audit-entry.ts'

/** Finds what is kept of a person in the stores. */
export type PersonData = Pick<ControlCommit, 'appliedSeq'> & Pick<PeopleReads, 'personEvents'>

/** Refused with `conflict` while `peopleDeletedMax` of the project are pending. */
export async function deletePerson(
  tx: Tx,
  { deletion, actor }: { readonly deletion: PersonDeletion; readonly actor: Actor },
): Promise<Result<null>> {
  const { orgId, projectId, person } = deletion
  const project = await tx.projects.one(orgId, projectId)
  if (project === null) return PROJECT_REFUSALS.noProject()
  const rows = tx.rows(PERSON_TOMBSTONES)
  await rows.remove({ projectId, person })
  const tooMany = refusePeople(await rows.count({ projectId }))
  if (tooMany !== null) return tooMany
  const upToSeq = deletion.upToSeq ?? (await tx.rows(META).one({ name: 'applied_seq' }))?.value ?? 0
  await rows.insert([{ projectId, person, upToSeq, createdMs: Math.floor(actor.atMs) }])
  await tx.projects.forgetPerson(deletion)
  const detail = { by: kindOfName(person), ...countsOf(deletion) }
  await writeAudit(tx, orgId, actor, { action: 'person.deleted', target: project.name, detail })
  return ok(null)
}

/** Returns the numbers that were confirmed, in their words; else rows of every kind, and groups. */
function countsOf({ counted, events, groups }: PersonDeletion): Readonly<Record<string, number>> {
  if (counted === undefined) return { events, groups: groups.length }
  const { others, ...shown } = counted
  return { ...shown, ...(others === 0 ? {} : { otherItems: others }) }
}
