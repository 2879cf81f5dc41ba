/** Deleting a person's data from what is counted: what is deleted counts nowhere; of what went before, the name goes. */
import { ok, type Result } from '#base/result.ts'
import { withoutPeople } from '#issues/group-users.ts'
import { kindOfName, NamedPeople, sessionPeople, USER_TAG } from '#issues/named-people.ts'
import { PROJECT_REFUSALS, refusePeople } from '#model/project-rules.ts'
import { hashUser } from '#model/user-hash.ts'
import type { LostCounts, PersonDeletion } from '#ports/retention.ts'
import type { Actor } from '#ports/scope.ts'
import { takeFromHealth } from '../releases/health.ts'
import { appliedSeq } from '../rows/applied-seq.ts'
import { writeAudit } from '../rows/audit.ts'
import { findGroup } from '../rows/group-rows.ts'
import { projectById } from '../rows/project-rows.ts'
import { takeSuggestion } from '../rows/suggestions.ts'
import { forgetStaleUsers } from '../skew/stale-clicks.ts'
import type { GroupRow, GroupTags, Tables } from '../tables.ts'

export function deletePerson(to: Tables, deletion: PersonDeletion, actor: Actor): Result<null> {
  const { orgId, projectId, person, events, groups, upToSeq = appliedSeq(to) } = deletion
  const project = projectById(to, orgId, projectId)
  if (project === null) return PROJECT_REFUSALS.noProject()
  to.personTombstones.deleteWhere((other) => other.projectId === projectId && other.person === person)
  const pending = to.personTombstones.where((other) => other.projectId === projectId)
  const tooMany = refusePeople(pending.length)
  if (tooMany !== null) return tooMany
  const id = to.personTombstones.nextId()
  const createdMs = Math.floor(actor.atMs)
  to.personTombstones.put(id, { id, projectId, person, upToSeq, createdMs })
  forgetPerson(to, deletion)
  const detail = { by: kindOfName(person), events, groups: groups.length }
  writeAudit(to, orgId, actor, { action: 'person.deleted', target: project.name, detail })
  return ok(null)
}

interface NamedTag {
  readonly key: string
  readonly value: string
}

/** Facets outlive events: a person without any is taken out of the whole project's too. */
function forgetPerson(to: Tables, { projectId, person, people, groups }: PersonDeletion): void {
  const named = new NamedPeople([person, ...people])
  for (const { hash, lost } of groups) {
    const group = findGroup(to, { projectId, hash })
    if (group !== undefined && lost.events > 0) takeLost(to, group, lost)
  }
  takeFromHealth(to, projectId, sessionPeople([person, ...people]))
  forgetStaleUsers(to, projectId, [person, ...people])
  for (const group of to.groups.where((one) => one.projectId === projectId)) {
    const tags = tagsOf(group.tags.keys).filter((tag) => named.has(tag))
    const users = tags.filter(({ key }) => key === USER_TAG).map(({ value }) => value)
    forgetIn(to, group, { tags, users })
  }
  for (const tag of tagsOf(to.projectTags.get(projectId)?.keys ?? new Map()))
    if (named.has(tag)) takeSuggestion(to, { projectId, ...tag })
  for (const { hash, users } of groups) {
    const group = findGroup(to, { projectId, hash })
    if (group === undefined) continue
    const values = group.tags.keys.get(USER_TAG)?.values
    const tags = users.filter((value) => values?.has(value)).map((value) => ({ key: USER_TAG, value }))
    forgetIn(to, group, { tags, users })
    // Elsewhere in the project the name may stay.
    for (const tag of tags)
      takeSuggestion(to, { projectId, ...tag, count: values?.get(tag.value)?.count ?? 0 })
  }
}

function takeLost(to: Tables, group: GroupRow, lost: LostCounts): void {
  const hours = new Map(group.hours)
  for (const [hour, count] of lost.hours) {
    const left = (hours.get(hour) ?? 0) - count
    if (left > 0) hours.set(hour, left)
    else hours.delete(hour)
  }
  const tags = lost.tags.reduce(withoutEvents, group.tags)
  to.groups.change(group.id, { ...countsWithout(group, lost), hours, tags })
  for (const { key, value, count } of lost.tags)
    takeSuggestion(to, { projectId: group.projectId, key, value, count })
}

function countsWithout(of: Pick<GroupRow, 'eventCount' | 'mirrorCount' | 'payloadCount'>, lost: LostCounts) {
  const eventCount = Math.max(0, of.eventCount - lost.events)
  const mirrorCount = Math.max(0, of.mirrorCount - lost.mirrors)
  return { eventCount, mirrorCount, payloadCount: Math.min(of.payloadCount, eventCount) }
}

function withoutEvents(tags: GroupTags, { key, value, count }: LostCounts['tags'][number]): GroupTags {
  const kept = tags.keys.get(key)
  if (kept === undefined) return { ...tags, beyond: Math.max(0, tags.beyond - count) }
  const seen = kept.values.get(value)
  const values = new Map(kept.values)
  if (seen !== undefined && seen.count > count) values.set(value, { ...seen, count: seen.count - count })
  else values.delete(value)
  const other = seen === undefined ? Math.max(0, kept.other - count) : kept.other
  const keys = new Map(tags.keys).set(key, { values, other })
  if (values.size === 0 && other === 0) keys.delete(key)
  return { ...tags, keys }
}

function tagsOf(
  keys: ReadonlyMap<string, { readonly values: ReadonlyMap<string, unknown> }>,
): readonly NamedTag[] {
  return [...keys].flatMap(([key, { values }]) => [...values.keys()].map((value) => ({ key, value })))
}

function forgetIn(
  to: Tables,
  group: GroupRow,
  { tags, users }: { readonly tags: readonly NamedTag[]; readonly users: readonly string[] },
): void {
  if (tags.length === 0 && users.length === 0) return
  to.groups.change(group.id, {
    users: withoutPeople(group.users, new Set(users.map(hashUser))),
    tags: tags.reduce(withoutTag, group.tags),
  })
}

function withoutTag(tags: GroupTags, { key, value }: NamedTag): GroupTags {
  const kept = tags.keys.get(key)
  const seen = kept?.values.get(value)
  if (kept === undefined || seen === undefined) return tags
  const values = new Map(kept.values)
  values.delete(value)
  return { ...tags, keys: new Map(tags.keys).set(key, { values, other: kept.other + seen.count }) }
}
