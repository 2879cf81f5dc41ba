/** Organisations and who belongs to them. */

import { isOperator, roleIn } from '#access/access.ts'
import { newSecret, secretHash } from '#access/secrets.ts'
import type { Viewer } from '#access/viewer.ts'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId, TeamId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { foldEmail } from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { GivenRole, Invitation, Role } from '#ports/accounts.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import {
  type Asking,
  actorOf,
  type PersonAsking,
  type RequestFacts,
  refusalOf,
  refuseOwnSignIn,
  refuseUnconfirmed,
  unnamedActor,
} from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { beginSession, type SignedIn, tooManyAttempts, whileHashing } from './sessions.ts'
import { freeSlug, slugFrom } from './slugs.ts'

export interface OrganisationCommands {
  createOrganisation(asking: PersonAsking, name: string): Promise<Result<{ readonly slug: string }>>
  renameOrganisation(asking: Asking, change: OrganisationChange): Promise<Result<{ readonly slug: string }>>
  invite(asking: Asking, invited: Invited): Promise<Result<{ readonly code: string; readonly url: string }>>
  revokeInvitation(asking: Asking, codeHash: string): Promise<Result<null>>
  /** Changes what an invitation opens; the link stays. */
  changeInvitation(asking: Asking, change: InvitationChange): Promise<Result<null>>
  /** A new link in place of one that has expired, to the same person and role; emailed where that one was. */
  renewInvitation(
    asking: Asking,
    codeHash: string,
  ): Promise<Result<{ readonly email: string; readonly url: string; readonly byMail: boolean }>>
  /** Makes an account from an invitation and signs it in. */
  acceptInvitation(facts: RequestFacts, joining: Joining): Promise<Result<SignedIn>>
  /** Adds what an invitation gives to the account that is signed in. */
  joinOrganisation(asking: PersonAsking, code: string): Promise<Result<null>>
  /** Sets the role of people who join without a more specific one. */
  setRoleDefault(asking: Asking, role: GivenRole): Promise<Result<null>>
  setRole(asking: Asking, change: RoleChange): Promise<Result<null>>
  /** `revokesTokens`: those of the organisation that they made, too; else these stay. */
  removeMember(
    asking: Asking,
    user: UserId,
    options?: { readonly revokesTokens?: boolean },
  ): Promise<Result<null>>
}

interface OrganisationChange {
  readonly name: string
  readonly slug: string
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

interface Invited {
  readonly email: string
  readonly role: Role
  readonly teams: readonly TeamId[]
  /** Projects of a guest, at least one; of nobody else. */
  readonly projects?: readonly ProjectId[]
  /** Sends the link to the address; refused where this server sends no mail. Default: no. */
  readonly byMail?: boolean
}

interface InvitationChange {
  readonly codeHash: string
  readonly role: Role
  readonly teams: readonly TeamId[]
  readonly projects: readonly ProjectId[]
}

interface Joining {
  readonly code: string
  readonly name: string
  readonly password: string
}

interface RoleChange {
  readonly user: UserId
  readonly role: Role
  /** Projects of a guest, at least one. */
  readonly projects?: readonly ProjectId[]
  /** Role and projects that the form showed, ids ascending: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

type OrganisationParts = Pick<
  CommandParts,
  | 'accounts'
  | 'accountsWrite'
  | 'clock'
  | 'random'
  | 'seal'
  | 'publicAddress'
  | 'reservedSlugs'
  | 'onDirectoryChanged'
  | 'passwords'
  | 'invitationLimits'
  | 'mailRoom'
  | 'secondFactorsWrite'
>

const LETTER_KEY_BYTES = 16

export function organisationCommands(parts: OrganisationParts): OrganisationCommands {
  return {
    createOrganisation: (asking, name) => createOrganisation(parts, asking, name),
    renameOrganisation: (asking, change) => renameOrganisation(parts, asking, change),
    invite: (asking, invited) => invite(parts, asking, invited),
    revokeInvitation: async (asking, codeHash) =>
      refusalOf(asking, 'member.write') ??
      parts.accountsWrite.revokeInvitation(asking.scope.orgId, codeHash, actorOf(parts, asking)),
    changeInvitation: (asking, change) => changeInvitation(parts, asking, change),
    renewInvitation: (asking, codeHash) => renewInvitation(parts, asking, codeHash),
    acceptInvitation: (facts, joining) => acceptInvitation(parts, facts, joining),
    joinOrganisation: (asking, code) => joinOrganisation(parts, asking, code),
    setRoleDefault: (asking, role) => setRoleDefault(parts, asking, role),
    setRole: (asking, change) => setRole(parts, asking, change),
    removeMember: (asking, user, options) => removeMember(parts, asking, { user, ...options }),
  }
}

async function createOrganisation(
  parts: OrganisationParts,
  asking: PersonAsking,
  name: string,
): Promise<Result<{ readonly slug: string }>> {
  const { viewer } = asking
  if (!isOperator(viewer))
    return refuse('forbidden', 'Only the operator of the installation creates organisations.')
  const checked = read(SCHEMAS.organisation, { name })
  if (!checked.ok) return checked
  const taken = new Set([
    ...parts.reservedSlugs,
    ...(await parts.accounts.organisations()).map(({ slug }) => slug),
  ])
  const slug = freeSlug(slugFrom(checked.value.name, 'org'), (each) => taken.has(each))
  const actor = actorOf(parts, asking)
  const made = await parts.accountsWrite.createOrganisation(slug, checked.value.name, viewer.user.id, actor)
  if (!made.ok) return made
  await parts.onDirectoryChanged()
  return ok({ slug })
}

async function renameOrganisation(
  parts: OrganisationParts,
  asking: Asking,
  { seen, ...change }: OrganisationChange,
): Promise<Result<{ readonly slug: string }>> {
  const refusal = refusalOf(asking, 'org.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.organisationRename, change)
  if (!checked.ok) return checked
  const { slug } = checked.value
  if (parts.reservedSlugs.includes(slug)) {
    const message = `“${slug}” is an address of Errata itself.`
    return refuse('invalid_input', message, { slug: [message] })
  }
  const renamed = await parts.accountsWrite.renameOrganisation(
    asking.scope.orgId,
    { ...checked.value, seen },
    actorOf(parts, asking),
  )
  if (!renamed.ok) return renamed
  // The relay's `o` names organisations by slug.
  await parts.onDirectoryChanged()
  return ok({ slug })
}

/** Managers manage everybody but owners. An organisation token is an owner's deed only with `org:admin`. */
function actsAsOwner(viewer: Viewer, scope: ReadScope): boolean {
  const role = roleIn(viewer, scope)
  if (viewer.kind === 'person') return role === 'owner'
  return viewer.token.scopes.includes('org:admin') && (viewer.token.userId === null || role === 'owner')
}

function refuseOwners({ viewer, scope }: Asking, roles: readonly (Role | undefined)[]): Refusal | null {
  if (!roles.includes('owner') || actsAsOwner(viewer, scope)) return null
  return refuse('forbidden', 'Only an owner can make, change or remove an owner.', {
    role: ['Only an owner can make, change or remove an owner.'],
  })
}

async function invite(
  parts: OrganisationParts,
  asking: Asking,
  { byMail = false, ...input }: Invited,
): ReturnType<OrganisationCommands['invite']> {
  const { scope } = asking
  const refusal = refusalOf(asking, 'member.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.invitation, input)
  if (!checked.ok) return checked
  const { email, role, teams, projects } = checked.value
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
  const unchosen = role === 'guest' ? refuseProjects(scope, projects) : null
  if (unchosen !== null) return unchosen
  const unsent = byMail ? refuseMail(parts, asking) : null
  if (unsent !== null) return unsent
  const code = newSecret(parts.random)
  const expiresMs = parts.clock.now() + max('invitationDays') * DAY_MS
  const opens = role === 'guest' ? { teams: [], projects } : { teams, projects: [] }
  const invitation = { codeHash: secretHash(code), orgId: scope.orgId, email, role, ...opens, expiresMs }
  const letter = byMail ? { letterKey: parts.random.hex(LETTER_KEY_BYTES) } : {}
  const made = await parts.accountsWrite.createInvitation(
    { ...invitation, ...letter },
    actorOf(parts, asking),
  )
  if (!made.ok) return made
  if (byMail) parts.mailRoom?.wake()
  return ok({ code, url: parts.publicAddress.link(`/join/${code}`) })
}

async function changeInvitation(
  parts: OrganisationParts,
  asking: Asking,
  { codeHash, teams, ...change }: InvitationChange,
): Promise<Result<null>> {
  const { scope } = asking
  const refusal = refusalOf(asking, 'member.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.role, change)
  if (!checked.ok) return checked
  const { role, projects } = checked.value
  const open = await parts.accounts.invitations(scope, parts.clock.now())
  const before = open.find((one) => one.codeHash === codeHash)
  if (before === undefined) return refuse('not_found', 'The invitation is no longer open.')
  const ownerRefusal =
    refuseOwners(asking, [before.role, role]) ??
    ([before.role, role].includes('owner') ? refuseUnconfirmed(parts, asking) : null) ??
    (role === 'guest' ? refuseProjects(scope, projects) : null)
  if (ownerRefusal !== null) return ownerRefusal
  const opens = role === 'guest' ? { teams: [], projects } : { teams, projects: [] }
  const changed = { orgId: scope.orgId, codeHash, role, ...opens }
  return parts.accountsWrite.changeInvitation(changed, actorOf(parts, asking))
}

async function renewInvitation(
  parts: OrganisationParts,
  asking: Asking,
  codeHash: string,
): ReturnType<OrganisationCommands['renewInvitation']> {
  const { scope } = asking
  const refusal = refusalOf(asking, 'member.write')
  if (refusal !== null) return refusal
  const expired = await parts.accounts.expiredInvitations(scope, parts.clock.now())
  const before = expired.find((one) => one.codeHash === codeHash)
  if (before === undefined) return refuse('not_found', 'The invitation is no longer listed. Invite again.')
  // Teams and projects that are gone by now open nothing.
  const known = new Set((await parts.accounts.teams(scope)).map(({ id }) => id))
  const { email, role } = before
  const byMail = before.letter !== null && parts.mailRoom !== undefined
  const opens = {
    teams: before.teams.filter((team) => known.has(team)),
    projects: before.projects.filter((project) => scope.projects.includes(project)),
  }
  const made = await invite(parts, asking, { email, role, ...opens, byMail })
  return made.ok ? ok({ email, url: made.value.url, byMail }) : made
}

/** A guest sees the chosen projects alone: without one there is nothing to come for. */
function refuseProjects(scope: ReadScope, projects: readonly ProjectId[]): Refusal | null {
  if (projects.length === 0)
    return refuse('invalid_input', 'A guest needs at least one project.', {
      projects: ['Choose at least one project.'],
    })
  if (projects.every((id) => scope.projects.includes(id))) return null
  return refuse('invalid_input', 'One of the projects does not exist.', {
    projects: ['A project does not exist.'],
  })
}

/** Nobody uses an organisation to mail strangers. */
function refuseMail(parts: OrganisationParts, { viewer }: Asking): Refusal | null {
  if (parts.mailRoom === undefined)
    return refuse('conflict', 'This server sends no email. Invite without it and send the link yourself.')
  const sender = viewer.kind === 'person' ? `user ${viewer.user.id}` : `token ${viewer.token.id}`
  const attempt = parts.invitationLimits.attempt(sender, sender)
  return attempt.ok ? null : tooManyAttempts(attempt.retryAfterSeconds)
}

async function acceptInvitation(
  parts: OrganisationParts,
  facts: RequestFacts,
  joining: Joining,
): Promise<Result<SignedIn>> {
  const found = await openInvitation(parts, joining.code)
  if (!found.ok) return found
  const { codeHash, email } = found.value
  // The link alone must not open an account that exists: its password does.
  if ((await parts.accounts.userByEmail(email)) !== null) {
    return refuse(
      'conflict',
      'There is already an account with this email. Sign in, then open the link again.',
    )
  }
  const checked = read(SCHEMAS.joining, { name: joining.name, password: joining.password })
  if (!checked.ok) return checked
  const { name, password } = checked.value
  return whileHashing(facts, async () => {
    const asker = { is: 'known', account: `invitation ${codeHash}` } as const
    const passwordHash = await parts.passwords.hash(password, asker)
    const actor = { ...unnamedActor(parts, facts), label: name }
    const joined = await parts.accountsWrite.acceptInvitation(codeHash, { name, passwordHash }, actor)
    if (!joined.ok) return joined
    const user = { id: joined.value, email }
    return ok(await beginSession(parts, user, { facts, actor: { ...actor, userId: user.id } }))
  })
}

async function joinOrganisation(
  parts: OrganisationParts,
  asking: PersonAsking,
  code: string,
): Promise<Result<null>> {
  const found = await openInvitation(parts, code)
  if (!found.ok) return found
  const { session } = asking.viewer
  // What an organisation's provider began takes the account into no other organisation.
  if (session.orgId !== undefined && session.orgId !== found.value.orgId) return refuseOwnSignIn()
  const account = { userId: asking.viewer.user.id }
  const actor = actorOf(parts, asking)
  const joined = await parts.accountsWrite.acceptInvitation(found.value.codeHash, account, actor)
  return joined.ok ? ok(null) : joined
}

/** Returns the invitation of a link. */
async function openInvitation(
  parts: OrganisationParts,
  code: string,
): Promise<Result<Pick<Invitation, 'codeHash' | 'email' | 'orgId'>>> {
  const codeHash = secretHash(code.slice(0, 200))
  const invitation = await parts.accounts.invitation(codeHash, parts.clock.now())
  if (invitation === null) return refuse('link_expired', 'This invitation was already used or has expired.')
  return ok({ codeHash, email: invitation.email, orgId: invitation.orgId })
}

async function setRole(parts: OrganisationParts, asking: Asking, change: RoleChange): Promise<Result<null>> {
  const { scope } = asking
  const refusal = refusalOf(asking, 'member.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.role, { role: change.role, projects: change.projects ?? [] })
  if (!checked.ok) return checked
  const member = await memberOf(parts, scope, change.user)
  if (member === null) return noMember()
  const { role: present } = member
  const judged = { user: change.user, role: present }
  const shown = { role: present, projects: member.projects.toSorted((a, b) => a - b) }
  const { role, projects } = checked.value
  const isOfOwner = [present, role].includes('owner')
  const actor = actorOf(parts, asking)
  return (
    refuseUnseen(shown, change.seen) ??
    refuseOwners(asking, [present, role]) ??
    (role === 'guest' ? refuseProjects(scope, projects) : null) ??
    (isOfOwner ? refuseUnconfirmed(parts, asking) : null) ??
    (role === 'guest'
      ? parts.accountsWrite.setGuest(scope.orgId, judged, projects, actor)
      : parts.accountsWrite.setRole(scope.orgId, judged, role, actor))
  )
}

/** Everybody who joins gets it: it is an owner's to say how much that is. */
async function setRoleDefault(
  parts: OrganisationParts,
  asking: Asking,
  role: GivenRole,
): Promise<Result<null>> {
  const refusal = refusalOf(asking, 'org.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.roleDefault, { role })
  if (!checked.ok) return checked
  return parts.accountsWrite.setRoleDefault(asking.scope.orgId, checked.value.role, actorOf(parts, asking))
}

async function removeMember(
  parts: OrganisationParts,
  asking: Asking,
  { user, revokesTokens = false }: { readonly user: UserId; readonly revokesTokens?: boolean },
): Promise<Result<null>> {
  const { scope } = asking
  const refusal =
    refusalOf(asking, 'member.write') ?? (revokesTokens ? refusalOf(asking, 'token.write') : null)
  if (refusal !== null) return refusal
  const member = await memberOf(parts, scope, user)
  if (member === null) return noMember()
  const owners = refuseOwners(asking, [member.role]) ?? refuseUnconfirmed(parts, asking)
  if (owners !== null) return owners
  const removed = await parts.accountsWrite.removeMember(
    scope.orgId,
    { user, role: member.role },
    actorOf(parts, asking),
  )
  if (!removed.ok || !revokesTokens) return removed
  const theirs = (await parts.accounts.tokens(scope)).filter(({ createdBy }) => createdBy?.userId === user)
  for (const { id } of theirs) await parts.accountsWrite.revokeToken(scope.orgId, id, actorOf(parts, asking))
  return removed
}

/** Returns what the store finds an address by, whatever the case of its other letters. */
function asciiParts(email: string): string {
  return email.normalize('NFC').replaceAll(/\P{ASCII}+/gu, ' ')
}

async function memberOf(parts: OrganisationParts, scope: ReadScope, user: UserId) {
  return (await parts.accounts.members(scope, { ids: [user] }))[0] ?? null
}

function noMember(): Refusal {
  return refuse('not_found', 'No member has this ID.')
}
