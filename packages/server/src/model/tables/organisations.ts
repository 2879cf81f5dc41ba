/** Organisations, their members, teams and tokens. */
import type { OrgId, ProjectId, TeamId, TokenId, UserId } from '#base/ids.ts'
import {
  flag,
  id,
  json,
  looseRef,
  oneOf,
  orNull,
  ref,
  table,
  text,
  textRef,
  time,
  whole,
  withDefault,
} from './table.ts'

export const ORGANISATIONS = table(
  'organisations',
  {
    id: id<OrgId>(),
    slug: text(),
    name: text(),
    createdMs: time(),
    artifactQuota: orNull(json()),
    requiresSecondFactor: withDefault(false, flag()),
    roleDefault: withDefault('member', oneOf('manager', 'member', 'viewer')),
    isOwn: withDefault(false, flag()),
  },
  {
    key: ['id'],
    unique: [['slug']],
  },
)

export const MEMBERSHIPS = table(
  'memberships',
  {
    orgId: ref<OrgId>('organisations'),
    userId: ref<UserId>('users'),
    role: oneOf('owner', 'manager', 'member', 'viewer', 'guest'),
    joinedMs: time(),
  },
  {
    key: ['orgId', 'userId'],
    indices: {
      memberships_by_user: { on: ['userId', 'orgId'] },
    },
  },
)

export const TEAMS = table(
  'teams',
  {
    id: id<TeamId>(),
    orgId: ref<OrgId>('organisations'),
    slug: text(),
    name: text(),
    createdMs: time(),
    // Where a comment that names the team is sent.
    channelId: orNull(looseRef('channels')),
  },
  {
    key: ['id'],
    unique: [['orgId', 'slug']],
    indices: {
      teams_by_channel: { on: ['channelId'], where: 'channel_id IS NOT NULL' },
    },
  },
)

export const TEAM_MEMBERS = table(
  'team_members',
  {
    teamId: ref<TeamId>('teams'),
    userId: ref<UserId>('users'),
    role: withDefault('contributor', oneOf('contributor', 'admin')),
  },
  {
    key: ['teamId', 'userId'],
    indices: {
      team_members_by_user: { on: ['userId', 'teamId'] },
    },
  },
)

/** Projects of guests. Whoever is no guest any more has no rows here. */
export const GUEST_PROJECTS = table(
  'guest_projects',
  {
    orgId: whole<OrgId>(),
    userId: whole<UserId>(),
    projectId: ref<ProjectId>('projects'),
  },
  {
    key: ['orgId', 'userId', 'projectId'],
    references: [{ columns: ['orgId', 'userId'], table: 'memberships' }],
    indices: {
      guest_projects_by_project: { on: ['projectId'] },
      guest_projects_by_user: { on: ['userId'] },
    },
  },
)

export const INVITATIONS = table(
  'invitations',
  {
    codeHash: text(),
    orgId: ref<OrgId>('organisations'),
    email: text(),
    emailFolded: text(),
    role: oneOf('owner', 'manager', 'member', 'viewer', 'guest'),
    // JSON array of team ids; teams that are gone by the time of joining are left out.
    teams: json(),
    // NULL: an organisation token.
    invitedBy: orNull(whole()),
    createdMs: time(),
    expiresMs: time(),
    // JSON array of ids, of a guest.
    projects: withDefault('[]', json()),
  },
  {
    key: ['codeHash'],
    unique: [['orgId', 'emailFolded']],
  },
)

export const TOKENS = table(
  'tokens',
  {
    id: id<TokenId>(),
    orgId: ref<OrgId>('organisations'),
    userId: orNull(ref<UserId>('users')),
    name: text(),
    // JSON array.
    scopes: json<readonly string[]>(),
    tail: text(),
    tokenHash: text(),
    createdMs: time(),
    usedMs: orNull(time()),
    expiresMs: orNull(time()),
    clientId: orNull(textRef('agent_clients', 'id')),
    familyHash: orNull(text()),
    refreshHash: orNull(text()),
    refreshExpiresMs: orNull(time()),
    createdById: orNull(whole()),
    createdBy: orNull(text()),
    address: orNull(text()),
  },
  {
    key: ['id'],
    unique: [['tokenHash']],
    indices: {
      tokens_by_org: { on: ['orgId', 'userId'] },
      tokens_by_user: { on: ['userId'], where: 'user_id IS NOT NULL' },
      tokens_by_family: { on: ['familyHash'], isUnique: true, where: 'family_hash IS NOT NULL' },
      tokens_by_client: { on: ['clientId'], where: 'client_id IS NOT NULL' },
    },
  },
)

export const AGENT_CLIENTS = table(
  'agent_clients',
  {
    id: text(),
    name: text(),
    // JSON list.
    redirectUris: json(),
    createdMs: time(),
    // When somebody connected it last. NULL: nobody did.
    connectedMs: orNull(time()),
  },
  {
    key: ['id'],
  },
)
