/** Identity providers, who signs in by them, and what SCIM changes. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result } from '#base/result.ts'
import {
  ACCOUNT_REFUSALS,
  foldEmail,
  refuseDirectoryUsers,
  refuseLastOwner,
  refuseMembers,
} from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import {
  changesRole,
  NO_PROVIDER,
  ownsAccount,
  PROVIDER_REFUSALS,
  refuseUnjoined,
} from '#model/provider-rules.ts'
import type { GivenRole } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Arrival, DirectoryChange, SingleSignOnWrite } from '#ports/single-sign-on.ts'
import { writeAudit } from '../rows/audit.ts'
import { endInvitations } from '../rows/invitations.ts'
import { defaultTeam, emailOf, joinTeam, membershipKey, roleOf, userByEmail } from '../rows/members.ts'
import type { Tables } from '../tables.ts'
import { insertUser, removeTraces } from './organisations-write.ts'
import { createSession } from './sessions-write.ts'

export function singleSignOnWrite(to: Tables): SingleSignOnWrite {
  return {
    setSignInProvider: async (org, { clientSecret, seen, domainToken, ...provider }, actor) =>
      to.transaction(() => {
        const { kind, name, issuer, isRequired } = provider
        const before = to.signInProviders.get(`${org}:${kind}`)
        const unseen = refuseUnseen(before ?? NO_PROVIDER, seen)
        if (unseen !== null) return unseen
        const secret = clientSecret ?? (before?.issuer === issuer ? before.clientSecret : undefined)
        if (secret === undefined) return PROVIDER_REFUSALS.secretMissing()
        to.signInProviders.put(`${org}:${kind}`, { ...provider, orgId: org, clientSecret: secret })
        for (const domain of provider.domains)
          if (!to.signInDomains.has(`${org}:${domain}`))
            to.signInDomains.put(`${org}:${domain}`, {
              ...{ orgId: org, domain, token: domainToken, provedMs: null },
            })
        const detail = { issuer, required: isRequired, secretReplaced: clientSecret !== null }
        writeAudit(to, org, actor, { action: 'sign_in.changed', target: name, detail })
        return ok(null)
      }),
    removeSignInProvider: async (org, kind, actor) =>
      to.transaction(() => {
        if (to.signInProviders.get(`${org}:${kind}`) === undefined) return PROVIDER_REFUSALS.noProvider()
        to.signInProviders.delete(`${org}:${kind}`)
        to.sessions.deleteWhere(({ orgId }) => orgId === org)
        writeAudit(to, org, actor, { action: 'sign_in.removed', target: kind })
        return ok(null)
      }),
    proveDomain: async (org, domain, actor) =>
      to.transaction(() => {
        if (!to.signInDomains.has(`${org}:${domain}`)) return PROVIDER_REFUSALS.noDomain()
        to.signInDomains.change(`${org}:${domain}`, { provedMs: actor.atMs })
        writeAudit(to, org, actor, { action: 'sign_in.domain_proved', target: domain })
        return ok(null)
      }),
    arrive: async (arrival, actor) => to.transaction(() => arrive(to, arrival, actor)),
    putDirectoryUser: async (change, actor) => to.transaction(() => putUser(to, change, actor)),
    removeDirectoryUser: async (org, user, actor) =>
      to.transaction(() => {
        const key = membershipKey(org, user)
        if (!to.directoryUsers.has(key) && roleOf(to, org, user) === null)
          return PROVIDER_REFUSALS.userUnknown()
        to.directoryUsers.delete(key)
        return leave(to, { org, user, by: 'removed' }, actor) ?? ok(null)
      }),
    setGroupExternalId: async (org, team, externalId) =>
      to.transaction(() => {
        if (to.teams.get(team)?.orgId !== org) return ACCOUNT_REFUSALS.noTeam()
        if (externalId === null) to.directoryGroups.delete(team)
        else to.directoryGroups.put(team, { externalId })
        return ok(null)
      }),
  }
}

function arrive(to: Tables, arrival: Arrival, actor: Actor): Result<UserId> {
  const { orgId: org, issuer, subject, email, role, session } = arrival
  const identity = `${org}:${issuer}:${subject}`
  const joined = to.signInIdentities.get(identity)?.userId ?? null
  const known = joined ?? userByEmail(to, email)?.id ?? null
  if (known !== null && to.directoryUsers.get(membershipKey(org, known))?.isActive === false)
    return PROVIDER_REFUSALS.inactive(email)
  const present = known === null ? null : roleOf(to, org, known)
  const mayJoin = arrival.mayJoin || (known !== null && isListed(to, org, known))
  if (present === null && !mayJoin) return PROVIDER_REFUSALS.notInvited(email)
  const others = to.signInIdentities.where(
    (one) => one.userId === known && one.orgId === org && one.issuer === issuer,
  )
  const isManaged = known !== null && to.users.get(known)?.orgIdManaging === org
  const found = { isJoined: joined !== null, isManaged, hasOther: others.length > 0 }
  const refused = known === null ? null : refuseUnjoined({ id: known, ...found }, arrival)
  if (refused !== null) return refused
  const user = known !== null && present !== null ? known : join(to, { ...arrival, user: known }, actor)
  if (typeof user !== 'number') return user
  const by: Actor = { ...actor, userId: user, label: to.users.get(user)?.name || emailOf(to, user) }
  if (present !== null && changesRole(present, arrival)) {
    to.memberships.change(membershipKey(org, user), { role })
    endInvitations(to, { org, user, role })
    const detail = { before: present, after: role }
    writeAudit(to, org, by, { action: 'member.role_changed', target: emailOf(to, user), detail })
  }
  to.signInIdentities.put(identity, { orgId: org, userId: user, issuer })
  if (isListed(to, org, user)) to.directoryUsers.change(membershipKey(org, user), { isWaiting: false })
  createSession(to, { user, ...session, orgId: org }, by)
  return ok(user)
}

function join(
  to: Tables,
  who: {
    readonly orgId: OrgId
    readonly user: UserId | null
    readonly email: string
    readonly name: string
    readonly role: GivenRole
  },
  actor: Actor,
): UserId | Refusal {
  const { orgId: org, email, name, role } = who
  const tooMany = refuseMembers(to.memberships.where(({ orgId }) => orgId === org).length)
  if (tooMany !== null) return tooMany
  const account = { email, name, passwordHash: '', isOperator: false }
  const user = who.user ?? insertManaged(to, { ...account, org }, actor.atMs)
  to.memberships.put(membershipKey(org, user), { orgId: org, userId: user, role, joinedMs: actor.atMs })
  for (const team of defaultTeam(to, org)) joinTeam(to, team, user)
  if (to.users.get(user)?.orgIdLast === null) to.users.change(user, { orgIdLast: org })
  to.invitations.deleteWhere((one) => one.orgId === org && foldEmail(one.email) === foldEmail(email))
  writeAudit(to, org, actor, { action: 'member.joined', target: emailOf(to, user), detail: { role } })
  return user
}

function insertManaged(
  to: Tables,
  { org, ...account }: { readonly org: OrgId } & Parameters<typeof insertUser>[1],
  atMs: number,
): UserId {
  const user = insertUser(to, account, atMs)
  to.users.change(user, { orgIdManaging: org })
  return user
}

function mayBeTaken(to: Tables, org: OrgId, user: UserId): boolean {
  const listed = to.directoryUsers.get(membershipKey(org, user))
  return to.users.get(user)?.orgIdManaging === org || listed?.isWaiting === false
}

function leave(
  to: Tables,
  { org, user, by }: { readonly org: OrgId; readonly user: UserId; readonly by: 'removed' | 'deactivated' },
  actor: Actor,
): Refusal | null {
  const role = roleOf(to, org, user)
  if (role === null) return null
  const owners = to.memberships.where((one) => one.orgId === org && one.role === 'owner').length
  const last = refuseLastOwner('removed', { role, owners })
  if (last !== null) return last
  removeTraces(to, org, user)
  to.sessions.deleteWhere((session) => session.orgId === org && session.userId === user)
  const action = by === 'removed' ? 'member.removed' : 'member.deactivated'
  writeAudit(to, org, actor, { action, target: emailOf(to, user), detail: { before: role } })
  return null
}

function putUser(to: Tables, change: DirectoryChange, actor: Actor): Result<UserId> {
  const { orgId: org, externalId, isActive, givenName } = change
  const user = change.userId === null ? createdUser(to, change, actor) : knownUser(to, change)
  if (typeof user !== 'number') return user
  const isMember = roleOf(to, org, user) !== null
  const moved =
    isActive && !isMember && mayBeTaken(to, org, user)
      ? join(to, { ...change, user }, actor)
      : isActive
        ? null
        : leave(to, { org, user, by: 'deactivated' }, actor)
  if (moved !== null && typeof moved !== 'number') return moved
  const isWaiting = roleOf(to, org, user) === null && !mayBeTaken(to, org, user)
  const listed = { externalId, isActive, name: change.name, isWaiting, givenName }
  to.directoryUsers.put(membershipKey(org, user), { orgId: org, userId: user, ...listed })
  return ok(user)
}

function createdUser(to: Tables, change: DirectoryChange, actor: Actor): UserId | Refusal {
  const { orgId: org, email, name } = change
  const known = userByEmail(to, email)?.id
  if (known !== undefined && (roleOf(to, org, known) !== null || isListed(to, org, known)))
    return PROVIDER_REFUSALS.userKnown(email)
  const tooMany = refuseDirectoryUsers(to.directoryUsers.where(({ orgId }) => orgId === org).length)
  if (tooMany !== null) return tooMany
  if (known !== undefined && !mayBeTaken(to, org, known)) return known
  if (change.isActive) return join(to, { ...change, user: known ?? null }, actor)
  const account = { email, name, passwordHash: '', isOperator: false }
  return known ?? insertManaged(to, { ...account, org }, actor.atMs)
}

function isListed(to: Tables, org: OrgId, user: UserId): boolean {
  return to.directoryUsers.has(membershipKey(org, user))
}

function knownUser(to: Tables, change: DirectoryChange): UserId | Refusal {
  const { orgId: org, userId: user, email, name } = change
  const account = user === null ? undefined : to.users.get(user)
  if (user === null || account === undefined) return PROVIDER_REFUSALS.userUnknown()
  const role = roleOf(to, org, user)
  if (role === null && !isListed(to, org, user)) return PROVIDER_REFUSALS.userUnknown()
  const others = to.memberships.where((one) => one.userId === user && one.orgId !== org).length
  const isManaged = account.orgIdManaging === org && !account.isOperator
  const isOwn = ownsAccount({ isManaged, role, others })
  if (isOwn) to.users.change(user, { name })
  if (foldEmail(account.email) === foldEmail(email)) return user
  if (!isOwn) return PROVIDER_REFUSALS.emailFixed()
  if (userByEmail(to, email) !== undefined) return PROVIDER_REFUSALS.userKnown(email)
  to.users.change(user, { email: email.trim() })
  return user
}
