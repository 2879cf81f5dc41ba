/** Groups in SCIM, which are teams here. Pure. */
import { isObject } from '#base/json.ts'
import type { Team } from '#ports/accounts.ts'
import {
  attributeChanges,
  attributePath,
  type Operation,
  refusePath,
  ScimError,
  scimField,
  textIn,
  URN,
} from './values.ts'

export interface GroupFields {
  readonly name: string
  readonly externalId: string | null
  /** Ids of people, as sent. */
  readonly members: readonly string[]
}

export type Group = Pick<Team, 'id' | 'createdMs'> & GroupFields

export function groupResource(group: Group, base: string) {
  const { id, name, externalId, members, createdMs } = group
  return {
    schemas: [URN.group],
    id: String(id),
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    members: members.map((value) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })),
    meta: {
      resourceType: 'Group',
      created: new Date(createdMs).toISOString(),
      location: `${base}/Groups/${id}`,
    },
  }
}

/** Returns the values that filters compare. */
export function groupValues(
  { id, name, externalId, members, createdMs }: Group,
  attribute: string,
): readonly string[] {
  switch (attribute) {
    case 'displayname':
      return [name]
    case 'externalid':
      return externalId === null ? [] : [externalId]
    case 'id':
      return [String(id)]
    case 'members':
    case 'members.value':
      return members
    case 'members.type':
      return members.length === 0 ? [] : ['User']
    case 'meta.created':
      return [new Date(createdMs).toISOString()]
    case 'meta.resourcetype':
      return ['Group']
    case 'schemas':
      return [URN.group]
    default:
      throw new ScimError(400, `Groups cannot be filtered by ${attribute}.`, 'invalidFilter')
  }
}

/** All of a group: what a POST or PUT sends. */
export function readGroup(body: unknown): GroupFields {
  const name = isObject(body) ? textIn(body, 'displayName') : null
  if (!isObject(body) || name === null) throw new ScimError(400, 'displayName is needed.', 'invalidValue')
  return {
    name,
    externalId: textIn(body, 'externalId'),
    members: memberIds(scimField(body, 'members') ?? []),
  }
}

function memberIds(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((one) => {
    const id = isObject(one) ? scimField(one, 'value') : one
    if (typeof id !== 'string' && typeof id !== 'number')
      throw new ScimError(400, 'members must have values.', 'invalidValue')
    return String(id)
  })
}

/** The group after a PATCH. */
export function patchedGroup(group: GroupFields, operations: readonly Operation[]): GroupFields {
  return attributeChanges(operations).reduce(patchGroup, group)
}

/** `members[value eq "7"]` */
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"([^"]{1,100})"\s*\]$/i

const ATTRIBUTES: ReadonlySet<string> = new Set(['displayname', 'externalid', 'members'])

function patchGroup(group: GroupFields, operation: Operation): GroupFields {
  const { op, path, value, isNamed = false } = operation
  refusePath(operation, ATTRIBUTES)
  const at = attributePath(path ?? '')
  const one = ONE_MEMBER.exec(path ?? '')?.[1]
  if (one !== undefined) {
    if (op !== 'remove') throw new ScimError(400, 'One member can only be removed.', 'invalidPath')
    return { ...group, members: group.members.filter((id) => id !== one) }
  }
  if (at === 'members') return { ...group, members: membersAfter(group.members, op, value) }
  if (at === 'displayname') return { ...group, name: nameAfter(op, value) }
  if (at === 'externalid') return { ...group, externalId: typeof value === 'string' ? value : null }
  if (at.startsWith('members') && !isNamed)
    throw new ScimError(
      400,
      'Members are changed as members, or one as members[value eq "7"].',
      'invalidPath',
    )
  return group
}

function nameAfter(op: Operation['op'], value: unknown): string {
  if (op === 'remove') throw new ScimError(400, 'displayName is needed.', 'mutability')
  if (typeof value !== 'string') throw new ScimError(400, 'displayName must be text.', 'invalidValue')
  return value
}

function membersAfter(members: readonly string[], op: Operation['op'], value: unknown): readonly string[] {
  if (op === 'remove' && value === undefined) return []
  const named = memberIds(value ?? [])
  if (op === 'replace') return named
  if (op === 'remove') return members.filter((id) => !named.includes(id))
  return [...members, ...named.filter((id) => !members.includes(id))]
}
