/** Organisations and who belongs to them. */
import { isOperator, roleIn } from '#access/access.ts'
import { newSecret, secretHash } from '#access/secrets.ts'
import type { PersonViewer, Viewer } from '#access/viewer.ts'
import type { UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Role } from '#ports/accounts.ts'
import type { ReadScope } from '#ports/scope.ts'
import { actorOf, type CommandParts, refusalOf, whileHashing } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { beginSession } from './sign-in.ts'
import { freeSlug, slugFrom } from './slugs.ts'
import type { Commands, RequestFacts, SignedIn } from './types.ts'

type OrganisationCommands = Pick<
  Commands,
  | 'createOrganisation'
  | 'renameOrganisation'
  | 'invite'
  | 'revokeInvitation'
  | 'acceptInvitation'
  | 'setRole'
  | 'removeMember'
>

const DAY_MS = 86_400_000

export function organisationCommands(parts: CommandParts): OrganisationCommands {
  return {
    createOrganisation: (viewer, name, facts) => createOrganisation(parts, viewer, { name, facts }),
    renameOrganisation: (viewer, scope, change, facts) =>
      renameOrganisation(parts, { viewer, scope, facts }, change),
    invite: (viewer, scope, input, facts) => invite(parts, { viewer, scope, facts }, input),
    revokeInvitation: async (viewer, scope, codeHash, facts) =>
      refusalOf(viewer, scope, 'member.write') ??
      parts.accountsWrite.revokeInvitation(scope.orgId, codeHash, actorOf(parts, viewer, facts)),
    acceptInvitation: (code, account, facts) => acceptInvitation(parts, { code, account }, facts),
    setRole: (...[viewer, scope, user, role, facts]) =>
      setRole(parts, { viewer, scope, facts }, { user, role }),
    removeMember: (viewer, scope, user, facts) => removeMember(parts, { viewer, scope, facts }, user),
  }
}

/** Who asks, where, and what the request says of them. */
export interface Asking {
  readonly viewer: Viewer
  readonly scope: ReadScope
  readonly facts: RequestFacts
}

async function createOrganisation(
  parts: CommandParts,
  viewer: PersonViewer,
  { name, facts }: { readonly name: string; readonly facts: RequestFacts },
): Promise<Result<{ readonly slug: string }>> {
  if (!isOperator(viewer))
    return refuse('forbidden', 'Only the operator of the installation creates organisations.')
  const checked = read(SCHEMAS.organisation, { name })
  if (!checked.ok) return checked
  const taken = new Set([
    ...parts.reservedSlugs,
    ...(await parts.accounts.organisations()).map(({ slug }) => slug),
  ])
  const slug = freeSlug(slugFrom(checked.value.name, 'org'), (each) => taken.has(each))
  const actor = actorOf(parts, viewer, facts)
  const made = await parts.accountsWrite.createOrganisation(slug, checked.value.name, viewer.user.id, actor)
  if (!made.ok) return made
  await parts.onDirectoryChanged()
  return ok({ slug })
}

async function renameOrganisation(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  change: { readonly name: string; readonly slug: string },
): Promise<Result<{ readonly slug: string }>> {
  const refusal = refusalOf(viewer, scope, 'org.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.organisationRename, change)
  if (!checked.ok) return checked
  const { slug } = checked.value
  if (parts.reservedSlugs.includes(slug)) {
    const message = `“${slug}” is an address of Errata itself.`
    return refuse('invalid_input', message, { slug: [message] })
  }
  const renamed = await parts.accountsWrite.renameOrganisation(
    scope.orgId,
    checked.value,
    actorOf(parts, viewer, facts),
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
  parts: CommandParts,
  asking: Asking,
  input: Parameters<Commands['invite']>[2],
): ReturnType<Commands['invite']> {
  const { viewer, scope, facts } = asking
  const refusal = refusalOf(viewer, scope, 'member.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.invitation, input)
  if (!checked.ok) return checked
  const { email, role, teams } = checked.value
  const ownerRefusal = refuseOwners(asking, [role])
  if (ownerRefusal !== null) return ownerRefusal
  const [members, known] = await Promise.all([parts.accounts.members(scope), parts.accounts.teams(scope)])
  if (members.some((member) => member.email.toLowerCase() === email.toLowerCase())) {
    const message = `${email} is a member already.`
    return refuse('conflict', message, { email: [message] })
  }
  if (teams.some((team) => known.every(({ id }) => id !== team))) {
    return refuse('invalid_input', 'One of the teams does not exist.', { teams: ['A team does not exist.'] })
  }
  const code = newSecret(parts.random)
  const expiresMs = parts.clock.now() + max('invitationDays') * DAY_MS
  const invitation = { codeHash: secretHash(code), orgId: scope.orgId, email, role, teams, expiresMs }
  const made = await parts.accountsWrite.createInvitation(invitation, actorOf(parts, viewer, facts))
  return made.ok ? ok({ code, url: `${parts.publicUrl()}/join/${code}` }) : made
}

type Joining = Parameters<Commands['acceptInvitation']>[1]

async function acceptInvitation(
  parts: CommandParts,
  { code, account }: { readonly code: string; readonly account: Joining },
  facts: RequestFacts,
): Promise<Result<SignedIn | null>> {
  const codeHash = secretHash(code.slice(0, 200))
  const invitation = await parts.accounts.invitation(codeHash, parts.clock.now())
  if (invitation === null) return refuse('link_expired', 'This invitation was used already or is too old.')
  if ('kind' in account) {
    const actor = actorOf(parts, account, facts)
    const joined = await parts.accountsWrite.acceptInvitation(codeHash, { userId: account.user.id }, actor)
    return joined.ok ? ok(null) : joined
  }
  // The link alone must not open an account that exists: its password does.
  if ((await parts.accounts.userByEmail(invitation.email)) !== null) {
    return refuse(
      'conflict',
      'There is an account with this mail address. Sign in, then open the link again.',
    )
  }
  const checked = read(SCHEMAS.joining, { name: account.name, password: account.password })
  if (!checked.ok) return checked
  const { name, password } = checked.value
  return whileHashing(async () => {
    const passwordHash = await parts.passwords.hash(password)
    const actor = { ...actorOf(parts, null, facts), label: name }
    const joined = await parts.accountsWrite.acceptInvitation(codeHash, { name, passwordHash }, actor)
    if (!joined.ok) return joined
    const signedIn = await beginSession(parts, joined.value, {
      facts,
      actor: { ...actor, userId: joined.value },
    })
    return ok(signedIn)
  })
}

async function setRole(
  parts: CommandParts,
  asking: Asking,
  change: { readonly user: UserId; readonly role: Role },
): Promise<Result<null>> {
  const { viewer, scope, facts } = asking
  const refusal = refusalOf(viewer, scope, 'member.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.role, { role: change.role })
  if (!checked.ok) return checked
  const present = await roleOfMember(parts, scope, change.user)
  if (present === null) return noMember()
  return (
    refuseOwners(asking, [present, checked.value.role]) ??
    parts.accountsWrite.setRole(scope.orgId, change.user, checked.value.role, actorOf(parts, viewer, facts))
  )
}

async function removeMember(parts: CommandParts, asking: Asking, user: UserId): Promise<Result<null>> {
  const { viewer, scope, facts } = asking
  const refusal = refusalOf(viewer, scope, 'member.write')
  if (refusal !== null) return refusal
  const present = await roleOfMember(parts, scope, user)
  if (present === null) return noMember()
  return (
    refuseOwners(asking, [present]) ??
    parts.accountsWrite.removeMember(scope.orgId, user, actorOf(parts, viewer, facts))
  )
}

async function roleOfMember(parts: CommandParts, scope: ReadScope, user: UserId): Promise<Role | null> {
  return (await parts.accounts.members(scope)).find(({ userId }) => userId === user)?.role ?? null
}

function noMember(): Refusal {
  return refuse('not_found', 'Nobody here has this id.')
}
