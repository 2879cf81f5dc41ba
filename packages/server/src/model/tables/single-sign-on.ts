/** Identity providers of organisations, and whom they know. */
import type { OrgId, TeamId, UserId } from '#base/ids.ts'
import { flag, json, orNull, ref, table, text, time, withDefault } from './table.ts'

export const SIGN_IN_PROVIDERS = table(
  'sign_in_providers',
  {
    orgId: ref<OrgId>('organisations'),
    kind: text(),
    // JSON of SignInProvider.
    settings: json<{ readonly issuer: string; readonly domains: readonly string[] }>(),
    clientSecret: text(),
  },
  {
    key: ['orgId', 'kind'],
  },
)

/** Identities: whom a provider means by a subject. Another issuer means others by the same one. */
export const SIGN_IN_IDENTITIES = table(
  'sign_in_identities',
  {
    orgId: ref<OrgId>('organisations'),
    issuer: text(),
    subject: text(),
    userId: ref<UserId>('users'),
  },
  {
    key: ['orgId', 'issuer', 'subject'],
    indices: {
      sign_in_identities_by_user: { on: ['userId'] },
    },
  },
)

/** Email domains that an organisation names, each with the text that its DNS record holds. Only a proved one counts. */
export const SIGN_IN_DOMAINS = table(
  'sign_in_domains',
  {
    orgId: ref<OrgId>('organisations'),
    domain: text(),
    token: text(),
    provedMs: orNull(time()),
    missingMs: orNull(time()),
    toldMs: orNull(time()),
  },
  {
    key: ['orgId', 'domain'],
  },
)

/** Facts of SCIM about people beside their account. An inactive person has no membership. */
export const DIRECTORY_USERS = table(
  'directory_users',
  {
    orgId: ref<OrgId>('organisations'),
    userId: ref<UserId>('users'),
    externalId: orNull(text()),
    isActive: flag(),
    name: withDefault('', text()),
    isWaiting: withDefault(false, flag()),
    /** `ToldPerson` as JSON. */
    told: orNull(text()),
  },
  {
    key: ['orgId', 'userId'],
    indices: {
      directory_users_by_user: { on: ['userId'] },
    },
  },
)

export const DIRECTORY_GROUPS = table(
  'directory_groups',
  {
    teamId: ref<TeamId>('teams'),
    externalId: text(),
  },
  {
    key: ['teamId'],
  },
)
