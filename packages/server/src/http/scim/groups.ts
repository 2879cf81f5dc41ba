/** Groups in SCIM, which are teams here. Pure. */
import { isObject } from '#base/json.ts'
import type { Team } from '#ports/accounts.ts'
import { changesOf, type Filter, field, type Operation, plainPath, ScimError, textIn, URN } from './values.ts'

export interface GroupFields {
  readonly name: string
  readonly externalId: string | null
  /** Ids of people, as sent. */
  readonly members: readonly string[]
}

export type Group = Pick<Team, 'id' | 'createdMs'> & GroupFields

export function groupResource(group: Group, base: string, hidesMembers: boolean) {
  const { id, name, externalId, members, createdMs } = group
  return {
    schemas: [URN.group],
    id: String(id),
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    ...(hidesMembers
      ? {}
      : { members: members.map((value) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })) }),
    meta: {
      resourceType: 'Group',
      created: new Date(createdMs).toISOString(),
      location: `${base}/Groups/${id}`,
    },
  }
}

export function groupMatches({ id, name, externalId, members }: Group, filter: Filter): boolean {
  switch (filter.attribute) {
    case 'displayname':
      return name.toLowerCase() === filter.value.toLowerCase()
    case 'externalid':
      return externalId === filter.value
    case 'id':
      return String(id) === filter.value
    case 'members':
    case 'members.value':
      return members.includes(filter.value)
    default:
      throw new ScimError(400, `Groups cannot be filtered by ${filter.attribute}.`, 'invalidFilter')
  }
}

/** All of a group: what a POST or PUT sends. */
export function readGroup(body: unknown): GroupFields {
  const name = isObject(body) ? textIn(body, 'displayName') : null
  if (!isObject(body) || name === null) throw new ScimError(400, 'displayName is needed.', 'invalidValue')
  return { name, externalId: textIn(body, 'externalId'), members: memberIds(field(body, 'members') ?? []) }
}

function memberIds(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((one) => {
    const id = isObject(one) ? field(one, 'value') : one
    if (typeof id !== 'string' && typeof id !== 'number')
      throw new ScimError(400, 'members must have values.', 'invalidValue')
    return String(id)
  })
}

/** The group after a PATCH. */
export function patchedGroup(group: GroupFields, operations: readonly Operation[]): GroupFields {
  return changesOf(operations).reduce(patched, group)
}

/** `members[value eq "7"]` */
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"([^"]{1,100})"\s*\]$/i

function patched(group: GroupFields, { op, path, value }: Operation): GroupFields {
  const at = plainPath(path ?? '')
  const one = ONE_MEMBER.exec(path ?? '')?.[1]
  if (one !== undefined) {
    if (op !== 'remove') throw new ScimError(400, 'One member can only be removed.', 'invalidPath')
    return { ...group, members: group.members.filter((id) => id !== one) }
  }
  if (at === 'members') return { ...group, members: membersAfter(group.members, op, value) }
  if (at === 'displayname' && typeof value === 'string') return { ...group, name: value }
  if (at === 'externalid') return { ...group, externalId: typeof value === 'string' ? value : null }
  return group
}

function membersAfter(members: readonly string[], op: Operation['op'], value: unknown): readonly string[] {
  if (op === 'remove' && value === undefined) return []
  const named = memberIds(value ?? [])
  if (op === 'replace') return named
  if (op === 'remove') return members.filter((id) => !named.includes(id))
  return [...members, ...named.filter((id) => !members.includes(id))]
}
