/** People: how they sign in, what is emailed to them, and what they did. */
import type { OrgId, SessionId, UserId } from '#base/ids.ts'
import {
  flag,
  greatest,
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

export const USERS = table(
  'users',
  {
    id: id<UserId>(),
    email: text(),
    // Lower-cased by the program (the store folds ASCII alone); what addresses are compared by.
    emailFolded: text(),
    name: text(),
    passwordHash: text(),
    isOperator: withDefault(false, flag()),
    theme: withDefault('system', text()),
    orgIdLast: orNull(looseRef<OrgId>('organisations')),
    createdMs: time(),
    orgIdManaging: orNull(looseRef<OrgId>('organisations')),
    landing: withDefault('overview', oneOf('overview', 'issues')),
  },
  {
    key: ['id'],
    unique: [['emailFolded']],
    indices: {
      users_by_managing_org: { on: ['orgIdManaging'], where: 'org_id_managing IS NOT NULL' },
      users_by_last_org: { on: ['orgIdLast'], where: 'org_id_last IS NOT NULL' },
    },
  },
)

export const SESSIONS = table(
  'sessions',
  {
    id: id<SessionId>(),
    userId: ref<UserId>('users'),
    tokenHash: text(),
    createdMs: time(),
    seenMs: time(),
    address: orNull(text()),
    userAgent: orNull(text()),
    confirmedMs: withDefault(0, time()),
    orgId: orNull(ref<OrgId>('organisations')),
  },
  {
    key: ['id'],
    unique: [['tokenHash']],
    indices: {
      sessions_by_user: { on: ['userId', 'seenMs'] },
      sessions_by_org: { on: ['orgId'], where: 'org_id IS NOT NULL' },
    },
  },
)

export const PASSWORD_RESETS = table(
  'password_resets',
  {
    codeHash: text(),
    userId: ref<UserId>('users'),
    expiresMs: time(),
    letterId: orNull(whole()),
  },
  {
    key: ['codeHash'],
    indices: {
      password_resets_by_user: { on: ['userId'] },
    },
  },
)

export const PASSKEYS = table(
  'passkeys',
  {
    id: id(),
    userId: ref<UserId>('users'),
    name: text(),
    // As the authenticator names it, base64url.
    credentialId: text(),
    // COSE, base64url. No secret.
    publicKey: text(),
    counter: whole(),
    // Words of how the browser reaches it, with commas between.
    transports: text(),
    // Host it was made for: it works nowhere else.
    host: text(),
    createdMs: time(),
    usedMs: orNull(time()),
  },
  {
    key: ['id'],
    unique: [['credentialId']],
    indices: {
      passkeys_by_user: { on: ['userId'] },
    },
  },
)

/** Authenticator apps, one per person. The secret is sealed with a key that is not in this file. */
export const AUTHENTICATORS = table(
  'authenticators',
  {
    userId: ref<UserId>('users'),
    sealedSecret: text(),
    // NULL: shown, not yet tried.
    confirmedMs: orNull(time()),
    // Number of the 30 seconds whose code was used last: no code works twice.
    usedStep: withDefault(0, whole()),
  },
  {
    key: ['userId'],
  },
)

/** A code that was used is gone. */
export const RECOVERY_CODES = table(
  'recovery_codes',
  {
    codeHash: text(),
    userId: ref<UserId>('users'),
  },
  {
    key: ['codeHash'],
    indices: {
      recovery_codes_by_user: { on: ['userId'] },
    },
  },
)

/** Kinds of browser and system that somebody signed in with: an email tells of others. */
export const DEVICES = table(
  'devices',
  {
    userId: ref<UserId>('users'),
    name: text(),
    seenMs: greatest(time()),
  },
  {
    key: ['userId', 'name'],
  },
)

/** Mails that carry a link for one person, and tokens that end. The link's code is made when the mail is sent; only its hash is kept. */
export const LETTERS = table(
  'letters',
  {
    id: id(),
    // NULL: a link that resets the password of whoever has the address, if anybody has.
    invitation: orNull(textRef('invitations', 'codeHash')),
    email: text(),
    emailFolded: text(),
    // Names the letter for every try; no secret.
    key: text(),
    // Of an invitation's link as it was sent last.
    codeHash: orNull(text()),
    // Who asked, for the audit log.
    actor: text(),
    address: orNull(text()),
    expiresMs: time(),
    state: text(),
    tries: withDefault(0, whole()),
    dueMs: orNull(time()),
    lease: orNull(text()),
    says: orNull(text()),
    settledMs: orNull(time()),
    activityId: orNull(ref('activities')),
    userId: orNull(ref<UserId>('users')),
    isMention: withDefault(false, flag()),
    device: orNull(text()),
  },
  {
    key: ['id'],
    unique: [['invitation'], ['codeHash']],
    indices: {
      letters_due: { on: ['dueMs'], where: 'due_ms IS NOT NULL' },
      letters_of_resets: { on: ['emailFolded'], where: 'invitation IS NULL' },
      letters_of_activities: {
        on: ['activityId', 'userId'],
        isUnique: true,
        where: 'activity_id IS NOT NULL',
      },
      letters_of_people: { on: ['userId'], where: 'user_id IS NOT NULL' },
    },
  },
)

/** No foreign keys: what happened stays, whoever it was done by or to. */
export const AUDIT = table(
  'audit',
  {
    id: id(),
    // NULL: an account without an organisation; nobody reads it through one.
    orgId: orNull(whole<OrgId>()),
    atMs: time(),
    actor: text(),
    userId: orNull(whole()),
    tokenId: orNull(whole()),
    action: text(),
    target: text(),
    address: orNull(text()),
    detail: json(),
  },
  {
    key: ['id'],
    indices: {
      audit_by_org: { on: ['orgId', 'id'] },
      audit_by_action: { on: ['action', 'atMs'] },
    },
  },
)
