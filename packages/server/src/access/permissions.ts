/**
 * Permissions of roles, and the token scope that stands for each. Checked against docs/specification.md point
 * 6.
 */
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
  'alerts:read',
  'alerts:write',
  'scim:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** Groups of scopes for choosing: each scope once, weaker before stronger. */
export const SCOPE_GROUPS: readonly {
  readonly name: string
  readonly scopes: readonly { readonly scope: Scope; readonly what: string }[]
}[] = [
  {
    name: 'Issues and events',
    scopes: [
      { scope: 'event:read', what: 'Read issues, events and digests' },
      { scope: 'event:write', what: 'Also resolve, archive, assign, merge and comment' },
      { scope: 'event:admin', what: 'Also delete issues' },
    ],
  },
  {
    name: 'Projects',
    scopes: [
      { scope: 'project:read', what: 'Read projects and their client keys' },
      { scope: 'project:write', what: 'Also create projects, change settings and keys' },
      { scope: 'project:admin', what: 'Also delete projects' },
    ],
  },
  {
    name: 'Releases and CI',
    scopes: [
      { scope: 'org:ci', what: 'See the organisation, as build tools need it' },
      { scope: 'project:releases', what: 'Create releases, upload source maps' },
    ],
  },
  {
    name: 'Alerts',
    scopes: [
      { scope: 'alerts:read', what: 'See alert rules, channels and the log' },
      { scope: 'alerts:write', what: 'Also change rules and channels' },
    ],
  },
  {
    name: 'Members and teams',
    scopes: [
      { scope: 'member:read', what: 'See members' },
      { scope: 'member:write', what: 'Also invite, change roles and remove members' },
      { scope: 'team:read', what: 'See teams' },
      { scope: 'team:write', what: 'Also create teams and change them' },
      { scope: 'scim:write', what: 'Provision members and teams with SCIM' },
    ],
  },
  {
    name: 'Organisation',
    scopes: [
      { scope: 'org:read', what: 'See the organisation, its members, teams and outcomes' },
      { scope: 'org:write', what: 'Also change the organisation itself' },
      { scope: 'org:admin', what: 'Also manage members and teams, and read the audit log' },
    ],
  },
]

const ALL: readonly Role[] = ['owner', 'manager', 'member', 'viewer', 'guest']
const INSIDERS: readonly Role[] = ['owner', 'manager', 'member', 'viewer']
const TRIAGERS: readonly Role[] = ['owner', 'manager', 'member', 'guest']
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
  'quota.write': {
    roles: MANAGERS,
    scopes: ['org:write', 'org:admin'],
    what: 'set how many uploads of build tools are kept',
  },
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
  'release.read': {
    roles: ALL,
    scopes: ['project:read', 'project:write', 'project:admin', 'project:releases', 'org:ci'],
    what: 'see releases and what was uploaded for them',
  },
  'release.write': {
    roles: WRITERS,
    scopes: ['project:write', 'project:admin', 'project:releases', 'org:ci'],
    what: 'create releases and upload source maps',
  },
  'person.delete': {
    roles: MANAGERS,
    scopes: ['project:admin'],
    what: 'delete a person’s data',
  },
  'issue.read': {
    roles: ALL,
    scopes: ['event:read', 'event:write', 'event:admin'],
    what: 'read issues, events, digests',
  },
  'issue.write': {
    roles: TRIAGERS,
    scopes: ['event:write', 'event:admin'],
    what: 'resolve, archive, assign, merge, comment',
  },
  'search.write': {
    roles: ALL,
    scopes: ['event:write', 'event:admin'],
    what: 'save private searches',
  },
  'search.share': {
    roles: MANAGERS,
    scopes: ['org:write', 'org:admin'],
    what: 'share saved searches, and change shared ones',
  },
  'issue.delete': { roles: MANAGERS, scopes: ['event:admin'], what: 'delete issues' },
  'trace.read': {
    roles: ALL,
    scopes: ['event:read', 'event:write', 'event:admin'],
    what: 'read traces and performance',
  },
  'alert.read': {
    roles: ALL,
    scopes: ['alerts:read', 'alerts:write', 'org:read', 'org:admin'],
    what: 'see alert rules, channels and the log of alerts',
  },
  'channel.read': {
    roles: INSIDERS,
    scopes: ['alerts:read', 'alerts:write', 'org:read', 'org:admin'],
    what: 'see the channels that alerts go to',
  },
  'alert.write': {
    roles: MANAGERS,
    scopes: ['alerts:write', 'org:admin'],
    what: 'change alert rules and channels',
  },
  'tracker.read': {
    roles: INSIDERS,
    scopes: ['org:read', 'org:write', 'org:admin'],
    what: 'see the issue trackers that are set up',
  },
  'tracker.write': {
    roles: MANAGERS,
    scopes: ['org:write', 'org:admin'],
    what: 'set up issue trackers',
  },
  'outcome.read': { roles: ALL, scopes: ['org:read', 'org:write', 'org:admin'], what: 'read outcomes' },
  'member.read': {
    roles: INSIDERS,
    scopes: ['member:read', 'member:write', 'org:read', 'org:admin'],
    what: 'see members',
  },
  'member.write': {
    roles: MANAGERS,
    scopes: ['member:write', 'org:admin'],
    what: 'invite, change roles, remove members',
  },
  'team.read': {
    roles: INSIDERS,
    scopes: ['team:read', 'team:write', 'org:read', 'org:admin'],
    what: 'see teams',
  },
  'team.write': {
    roles: MANAGERS,
    scopes: ['team:write', 'org:admin'],
    what: 'create teams and change who is in them',
  },
  'provider.write': { roles: OWNERS, scopes: [], what: 'set up single sign-on' },
  'scim.write': { roles: OWNERS, scopes: ['scim:write'], what: 'provision members and teams' },
  'token.write': { roles: MANAGERS, scopes: [], what: 'create and revoke organisation tokens' },
} as const satisfies Readonly<Record<string, PermissionEntry>>

export type Permission = keyof typeof PERMISSIONS

/**
 * Permissions that a team admin has beyond their role: for the team, or for a project that the team opens.
 */
export const LED_PERMISSIONS: Readonly<Partial<Record<Permission, 'team' | 'project'>>> = {
  'team.write': 'team',
  'project.write': 'project',
}

/** Nobody gives a token what they may not do themselves. */
export function scopesWithin(role: Role): readonly Scope[] {
  const entries: readonly PermissionEntry[] = Object.values(PERMISSIONS)
  return SCOPES.filter((scope) =>
    entries.every((entry) => !entry.scopes.includes(scope) || entry.roles.includes(role)),
  )
}
