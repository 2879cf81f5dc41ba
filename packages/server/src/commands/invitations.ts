/** Invitations: a link that makes somebody a member. */
import { newSecret, secretHash } from '#access/secrets.ts'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId, TeamId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS, foldEmail, refuseInvitations, refuseMembers } from '#model/account-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { INVITATIONS } from '#model/tables/organisations.ts'
import { refuseLetters } from '#notices/rules/letters.ts'
import type { Role } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { projectsWithin, readRole, teamsWithin } from './account-entry.ts'
import { type Asking, refuseUnconfirmed } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { type By, command, preparedCommand } from './command.ts'
import { leaveLetter } from './letter-changes.ts'
import { refuseGuestProjects, refuseOwners } from './members.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

type Invited = {
  readonly email: string
  readonly role: Role
  readonly teams: readonly TeamId[]
  /** Projects of a guest, at least one; of nobody else. */
  readonly projects?: readonly ProjectId[]
  /** Sends the link to the address; refused where this server sends no mail. Default: no. */
  readonly byMail?: boolean
}
type Opening = {
  readonly role: Role
  readonly teams: readonly TeamId[]
  readonly projects: readonly ProjectId[]
}
type Invitation = Opening & {
  readonly email: string
  readonly codeHash: string
  readonly expiresMs: number
  /** Names the email of the link; left out: none is sent. */
  readonly letterKey?: string
}
type InvitationChange = Opening & { readonly codeHash: string }
/** Answer of whoever invites: the link, which the store does not keep. */
type Link = { readonly code: string; readonly url: string }
type Inviting = { readonly invitation: Invitation; readonly link: Link }

type Parts = Pick<
  CommandParts,
  'accounts' | 'clock' | 'random' | 'publicAddress' | 'invitationLimits' | 'mailRoom'
>

const LETTER_KEY_BYTES = 16

export const invite = preparedCommand({
  permission: 'member.write',
  input: ({ byMail = false, ...invited }: Invited) => {
    const checked = readInput(SCHEMAS.invitation, invited)
    return checked.ok ? ok({ ...checked.value, byMail }) : checked
  },
  prepare: inviting,
  change: async (tx, { invitation, link }: Inviting, by) => {
    const refused = await createdInvitation(tx, invitation, by)
    return refused ?? ok(link)
  },
  after: (parts, { checked }) => {
    if (checked.byMail) parts.mailRoom?.wake()
  },
})

/** Makes a new link in place of one that has expired, to the same person and role; emailed where that one was. */
export const renewInvitation = preparedCommand({
  permission: 'member.write',
  input: (codeHash: string) => ok({ codeHash }),
  prepare: async (parts: Parts, asking, { codeHash }: { readonly codeHash: string }) => {
    const { scope } = asking
    const expired = await parts.accounts.invitations(scope, parts.clock.now(), 'expired')
    const before = expired.find((one) => one.codeHash === codeHash)
    if (before === undefined) return refuse('not_found', 'The invitation is no longer listed. Invite again.')
    // Teams and projects that are gone by now open nothing.
    const known = new Set((await parts.accounts.teams(scope)).map(({ id }) => id))
    const { email, role } = before
    const byMail = before.letter !== null && parts.mailRoom !== undefined
    const checked = readInput(SCHEMAS.invitation, {
      ...{ email, role, teams: before.teams.filter((team) => known.has(team)) },
      projects: before.projects.filter((project) => scope.projects.includes(project)),
    })
    return checked.ok ? inviting(parts, asking, { ...checked.value, byMail }) : checked
  },
  change: async (tx, { invitation, link }: Inviting, by) => {
    const refused = await createdInvitation(tx, invitation, by)
    const { email, letterKey } = invitation
    return refused ?? ok({ email, url: link.url, byMail: letterKey !== undefined })
  },
  after: (parts, { value }) => {
    if (value.byMail) parts.mailRoom?.wake()
  },
})

export const revokeInvitation = command({
  permission: 'member.write',
  input: (codeHash: string) => ok({ codeHash }),
  change: async (tx, { codeHash }: { readonly codeHash: string }, { scope: { orgId }, actor }) => {
    const found = await tx.rows(INVITATIONS).one({ codeHash, orgId })
    if (found === null) return ACCOUNT_REFUSALS.invitationGone()
    await tx.rows(INVITATIONS).remove({ codeHash })
    await writeAudit(tx, orgId, actor, { action: 'invitation.revoked', target: found.email })
    return ok(null)
  },
})

/** Changes what an invitation opens; the link and its end stay. */
export const changeInvitation = preparedCommand({
  permission: 'member.write',
  input: ({ codeHash, teams, ...change }: InvitationChange) => {
    const checked = readInput(SCHEMAS.role, change)
    return checked.ok ? ok({ ...checked.value, codeHash, teams }) : checked
  },
  prepare: async (
    parts: Pick<CommandParts, 'accounts' | 'clock'>,
    asking,
    { codeHash, teams, role, projects },
  ): Promise<Result<InvitationChange>> => {
    const { scope } = asking
    const open = await parts.accounts.invitations(scope, parts.clock.now())
    const before = open.find((one) => one.codeHash === codeHash)
    if (before === undefined) return refuse('not_found', 'The invitation is no longer open.')
    return (
      refuseOwners(asking, [before.role, role]) ??
      ([before.role, role].includes('owner') ? refuseUnconfirmed(parts, asking) : null) ??
      (role === 'guest' ? refuseGuestProjects(scope, projects) : null) ??
      ok({ codeHash, ...openedBy({ role, teams, projects }) })
    )
  },
  change: async (tx, { codeHash, ...opens }: InvitationChange, { scope: { orgId }, actor }) => {
    const found = await tx.rows(INVITATIONS).one({ codeHash, orgId })
    if (found === null || found.expiresMs <= actor.atMs) return ACCOUNT_REFUSALS.invitationGone()
    const opened = await whatOpens(tx, orgId, opens)
    if (!opened.ok) return opened
    const { role } = opens
    await tx.rows(INVITATIONS).update([{ codeHash, role, ...opened.value }])
    const detail = { from: found.role, to: role }
    await writeAudit(tx, orgId, actor, { action: 'invitation.changed', target: found.email, detail })
    return ok(null)
  },
})

async function inviting(
  parts: Parts,
  asking: Asking,
  { email, role, teams, projects, byMail }: Omit<Invited, 'projects'> & Opening,
): Promise<Result<Inviting>> {
  const { scope } = asking
  const ownerRefusal =
    refuseOwners(asking, [role]) ?? (role === 'owner' ? refuseUnconfirmed(parts, asking) : null)
  if (ownerRefusal !== null) return ownerRefusal
  const [members, known] = await Promise.all([
    parts.accounts.members(scope, { text: asciiParts(email) }),
    parts.accounts.teamNames(scope, { ids: teams }),
  ])
  if (members.some((member) => foldEmail(member.email) === foldEmail(email))) {
    const message = `${email} is already a member.`
    return refuse('conflict', message, { email: [message] })
  }
  if (teams.some((team) => known.every(({ id }) => id !== team))) {
    return refuse('invalid_input', 'One of the teams does not exist.', { teams: ['A team does not exist.'] })
  }
  const unchosen = role === 'guest' ? refuseGuestProjects(scope, projects) : null
  if (unchosen !== null) return unchosen
  const unsent = byMail === true ? refuseMail(parts, asking) : null
  if (unsent !== null) return unsent
  const code = newSecret(parts.random)
  const expiresMs = parts.clock.now() + max('invitationDays') * DAY_MS
  const letter = byMail === true ? { letterKey: parts.random.hex(LETTER_KEY_BYTES) } : {}
  const opens = openedBy({ role, teams, projects })
  return ok({
    invitation: { codeHash: secretHash(code), email, ...opens, expiresMs, ...letter },
    link: { code, url: parts.publicAddress.link(`/join/${code}`) },
  })
}

/** Returns what an invitation of the role opens: a guest is in no team, and nobody else has chosen projects. */
function openedBy({ role, teams, projects }: Opening): Opening {
  return role === 'guest' ? { role, teams: [], projects } : { role, teams, projects: [] }
}

async function createdInvitation(
  tx: Tx,
  invitation: Invitation,
  { scope: { orgId }, actor }: By,
): Promise<Refusal | null> {
  const { codeHash, role, expiresMs, letterKey } = invitation
  const email = invitation.email.trim()
  const emailFolded = foldEmail(email)
  const account = await tx.rows(USERS).one({ emailFolded })
  if (account !== null && (await readRole(tx, { orgId, userId: account.id })) !== null)
    return ACCOUNT_REFUSALS.memberAlready(email)
  const refused =
    (await tooManyInvited(tx, { orgId, emailFolded }, actor)) ??
    (letterKey === undefined ? null : refuseLetters(await tx.accounts.lettersWaiting(orgId)))
  if (refused !== null) return refused
  const opened = await whatOpens(tx, orgId, invitation)
  if (!opened.ok) return opened
  // A second invitation of an address replaces the first: one link works.
  await tx.rows(INVITATIONS).remove({ orgId, emailFolded })
  const made = { codeHash, orgId, email, emailFolded, role, invitedBy: actor.userId, ...opened.value }
  await tx.rows(INVITATIONS).insert([{ ...made, createdMs: actor.atMs, expiresMs }])
  if (letterKey !== undefined)
    await leaveLetter(tx, { email, key: letterKey, expiresMs, invitation: codeHash }, actor)
  const detail = { role, emailed: letterKey !== undefined }
  await writeAudit(tx, orgId, actor, { action: 'invitation.created', target: email, detail })
  return null
}

/** Refuses too many invitations; expired ones, and one that the new one replaces, do not count. */
async function tooManyInvited(
  tx: Tx,
  { orgId, emailFolded }: { readonly orgId: By['scope']['orgId']; readonly emailFolded: string },
  { userId, atMs }: Actor,
): Promise<Refusal | null> {
  const counted = await tx.accounts.membersAndInvited(orgId, { emailFolded, by: userId, nowMs: atMs })
  return refuseMembers(counted.members + counted.invited) ?? refuseInvitations(counted.own)
}

async function whatOpens(
  tx: Tx,
  orgId: By['scope']['orgId'],
  opens: Pick<Opening, 'teams' | 'projects'>,
): Promise<Result<Pick<Opening, 'teams' | 'projects'>>> {
  const teams = await teamsWithin(tx, orgId, opens.teams)
  if (teams.length !== new Set(opens.teams).size) return ACCOUNT_REFUSALS.teamUnknown()
  const projects = await projectsWithin(tx, orgId, opens.projects)
  if (projects.length !== new Set(opens.projects).size) return ACCOUNT_REFUSALS.projectUnknown()
  return ok({ teams, projects })
}

/** Nobody uses an organisation to mail strangers. */
function refuseMail(parts: Parts, { viewer }: Asking): Refusal | null {
  if (parts.mailRoom === undefined)
    return refuse('conflict', 'This server sends no email. Invite without it and send the link yourself.')
  const sender = viewer.kind === 'person' ? `user ${viewer.user.id}` : `token ${viewer.token.id}`
  const attempt = parts.invitationLimits.attempt(sender, sender)
  return attempt.ok ? null : tooManyAttempts(attempt.retryAfterSeconds)
}

/** Returns what the store finds an address by, whatever the case of its other letters. */
function asciiParts(email: string): string {
  return email.normalize('NFC').replaceAll(/\P{ASCII}+/gu, ' ')
}
