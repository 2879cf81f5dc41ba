/** Invitations: a link that makes somebody a member. */
import type { UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, foldEmail, refuseInvitations, refuseMembers } from '#model/account-rules.ts'
import type { AccountsWrite, Invitation } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from '../rows/audit.ts'
import { deleteInvitation } from '../rows/invitations.ts'
import {
  defaultTeam,
  emailOf,
  joinTeam,
  membershipKey,
  projectsWithin,
  roleOf,
  teamsWithin,
  userByEmail,
} from '../rows/members.ts'
import type { Tables } from '../tables.ts'
import { openInvitation } from './accounts-read.ts'
import { createLetter } from './letters.ts'
import { insertUser } from './organisations-write.ts'

type InvitationsWrite = Pick<
  AccountsWrite,
  'createInvitation' | 'revokeInvitation' | 'changeInvitation' | 'acceptInvitation'
>

export function invitationsWrite(to: Tables): InvitationsWrite {
  return {
    createInvitation: async (invitation, actor) =>
      to.transaction(() => createInvitation(to, invitation, actor)),
    revokeInvitation: async (org, codeHash, actor) =>
      to.transaction(() => {
        const invitation = to.invitations.get(codeHash)
        if (invitation?.orgId !== org) return ACCOUNT_REFUSALS.invitationGone()
        deleteInvitation(to, codeHash)
        writeAudit(to, org, actor, { action: 'invitation.revoked', target: invitation.email })
        return ok(null)
      }),
    changeInvitation: async (change, actor) => to.transaction(() => changeInvitation(to, change, actor)),
    acceptInvitation: async (codeHash, account, actor) =>
      to.transaction(() => {
        const invitation = openInvitation(to, codeHash, actor.atMs)
        if (invitation === null) return ACCOUNT_REFUSALS.invitationLink()
        const user = accountFor(to, { invitation, account, atMs: actor.atMs })
        if (typeof user !== 'number') return user
        deleteInvitation(to, invitation.codeHash)
        if (roleOf(to, invitation.orgId, user) === null) join(to, { invitation, user }, actor)
        return ok(user)
      }),
  }
}

function createInvitation(
  to: Tables,
  invitation: Parameters<AccountsWrite['createInvitation']>[0],
  actor: Actor,
): Result<null> {
  const { orgId: org, codeHash, role, expiresMs, letterKey, projects: chosen = [] } = invitation
  const email = invitation.email.trim()
  const known = userByEmail(to, email)
  if (known !== undefined && roleOf(to, org, known.id) !== null) return ACCOUNT_REFUSALS.memberAlready(email)
  const folded = foldEmail(email)
  const members = to.memberships.where(({ orgId }) => orgId === org)
  // What has expired, or is replaced by the new one, counts no more.
  const open = to.invitations.where(
    (other) => other.orgId === org && foldEmail(other.email) !== folded && other.expiresMs > actor.atMs,
  )
  const own = open.filter(({ invitedBy }) => invitedBy === actor.userId)
  const tooMany = refuseMembers(members.length + open.length) ?? refuseInvitations(own.length)
  if (tooMany !== null) return tooMany
  const teams = teamsWithin(to, org, invitation.teams)
  if (teams.length !== new Set(invitation.teams).size) return ACCOUNT_REFUSALS.teamUnknown()
  const projects = projectsWithin(to, org, chosen)
  if (projects.length !== new Set(chosen).size) return ACCOUNT_REFUSALS.projectUnknown()
  // A second invitation of an address replaces the first: one link works.
  const replaced = to.invitations.where((other) => other.orgId === org && foldEmail(other.email) === folded)
  for (const other of replaced) deleteInvitation(to, other.codeHash)
  const times = { expiresMs, createdMs: actor.atMs }
  to.invitations.put(codeHash, {
    codeHash,
    orgId: org,
    email,
    role,
    teams,
    projects,
    invitedBy: actor.userId,
    ...times,
  })
  if (letterKey !== undefined) {
    const unsent = createLetter(to, { email, key: letterKey, expiresMs, invitation: codeHash }, actor)
    if (unsent !== null) return unsent
  }
  const detail = { role, emailed: letterKey !== undefined }
  writeAudit(to, org, actor, { action: 'invitation.created', target: email, detail })
  return ok(null)
}

function changeInvitation(
  to: Tables,
  change: Parameters<AccountsWrite['changeInvitation']>[0],
  actor: Actor,
): Result<null> {
  const { orgId, codeHash, role } = change
  const found = to.invitations.get(codeHash)
  if (found?.orgId !== orgId || found.expiresMs <= actor.atMs) return ACCOUNT_REFUSALS.invitationGone()
  const teams = teamsWithin(to, orgId, change.teams)
  if (teams.length !== new Set(change.teams).size) return ACCOUNT_REFUSALS.teamUnknown()
  const projects = projectsWithin(to, orgId, change.projects)
  if (projects.length !== new Set(change.projects).size) return ACCOUNT_REFUSALS.projectUnknown()
  to.invitations.put(codeHash, { ...found, role, teams, projects })
  const detail = { from: found.role, to: role }
  writeAudit(to, orgId, actor, { action: 'invitation.changed', target: found.email, detail })
  return ok(null)
}

/** Whoever holds the link may make a new account, but not act for one that exists. */
function accountFor(
  to: Tables,
  accepted: {
    readonly invitation: Invitation
    readonly account: Parameters<AccountsWrite['acceptInvitation']>[1]
    readonly atMs: number
  },
): UserId | Refusal {
  const { invitation, account, atMs } = accepted
  const { email } = invitation
  if ('userId' in account)
    return to.users.has(account.userId) ? account.userId : ACCOUNT_REFUSALS.accountGone()
  if (userByEmail(to, email) !== undefined) return ACCOUNT_REFUSALS.accountKnown(email)
  return insertUser(to, { ...account, email, isOperator: false }, atMs)
}

function join(
  to: Tables,
  { invitation, user }: { readonly invitation: Invitation; readonly user: UserId },
  actor: Actor,
): void {
  const { orgId: org, role } = invitation
  const projects = projectsWithin(to, org, invitation.projects)
  const member = { orgId: org, userId: user, role, projects, joinedMs: actor.atMs }
  to.memberships.put(membershipKey(org, user), member)
  const left = teamsWithin(to, org, invitation.teams)
  const teams = left.length > 0 ? left : defaultTeam(to, org)
  // A guest is in no team: it would open more than was chosen.
  if (role !== 'guest') for (const team of teams) joinTeam(to, team, user)
  if (to.users.get(user)?.orgIdLast === null) to.users.change(user, { orgIdLast: org })
  const by = { ...actor, userId: user }
  writeAudit(to, org, by, { action: 'member.joined', target: emailOf(to, user), detail: { role } })
}
