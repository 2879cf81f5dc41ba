/** What a role may do and which token scope stands for it. Checked against docs/specification.md point 6. */
import type { Role } from '#ports/accounts.ts'

export interface PermissionEntry {
  /** Roles that have it. */
  readonly roles: readonly Role[]
  /** Any of these token scopes has it. */
  readonly scopes: readonly Scope[]
  readonly what: string
}

export const SCOPES = [
  'org:read',
  'org:write',
  'org:admin',
  'org:ci',
  'project:read',
  'project:write',
  'project:admin',
  'project:releases',
  'event:read',
  'event:write',
  'event:admin',
  'member:read',
  'member:write',
  'team:read',
  'team:write',
] as const
type Scope = (typeof SCOPES)[number]

const ALL: readonly Role[] = ['owner', 'manager', 'member', 'viewer']
const WRITERS: readonly Role[] = ['owner', 'manager', 'member']
const MANAGERS: readonly Role[] = ['owner', 'manager']
const OWNERS: readonly Role[] = ['owner']

export const PERMISSIONS = {
  'org.read': {
    roles: ALL,
    scopes: ['org:read', 'org:write', 'org:admin', 'org:ci'],
    what: 'see the organisation',
  },
  'org.write': { roles: OWNERS, scopes: ['org:write', 'org:admin'], what: 'rename the organisation' },
  'audit.read': { roles: MANAGERS, scopes: ['org:admin'], what: 'read the audit log' },
  'project.read': {
    roles: ALL,
    scopes: ['project:read', 'project:write', 'project:admin'],
    what: 'see projects and their keys',
  },
  'project.create': { roles: MANAGERS, scopes: ['project:write', 'project:admin'], what: 'create projects' },
  'project.write': {
    roles: MANAGERS,
    scopes: ['project:write', 'project:admin'],
    what: 'change project settings, keys and scrubbing',
  },
  'project.delete': { roles: MANAGERS, scopes: ['project:admin'], what: 'delete projects' },
  'person.delete': {
    roles: MANAGERS,
    scopes: ['project:admin'],
    what: 'delete what is kept of a person',
  },
  'issue.read': {
    roles: ALL,
    scopes: ['event:read', 'event:write', 'event:admin'],
    what: 'read issues, events, digests',
  },
  'issue.write': {
    roles: WRITERS,
    scopes: ['event:write', 'event:admin'],
    what: 'resolve, archive, assign, merge, comment',
  },
  'issue.delete': { roles: MANAGERS, scopes: ['event:admin'], what: 'delete issues' },
  'outcome.read': { roles: ALL, scopes: ['org:read', 'org:write', 'org:admin'], what: 'read outcomes' },
  'member.read': {
    roles: ALL,
    scopes: ['member:read', 'member:write', 'org:read', 'org:admin'],
    what: 'see members',
  },
  'member.write': {
    roles: MANAGERS,
    scopes: ['member:write', 'org:admin'],
    what: 'invite, change roles, remove members',
  },
  'team.read': {
    roles: ALL,
    scopes: ['team:read', 'team:write', 'org:read', 'org:admin'],
    what: 'see teams',
  },
  'team.write': {
    roles: MANAGERS,
    scopes: ['team:write', 'org:admin'],
    what: 'create teams and change who is in them',
  },
  'token.write': { roles: MANAGERS, scopes: [], what: 'create and revoke organisation tokens' },
} as const satisfies Readonly<Record<string, PermissionEntry>>

export type Permission = keyof typeof PERMISSIONS
