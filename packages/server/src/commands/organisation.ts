/** Organisations, and how people join them. */
import { isOperator } from '#access/access.ts'
import { secretHash } from '#access/secrets.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { Invitation } from '#ports/accounts.ts'
import { actorOf, type PersonAsking, type RequestFacts, refuseOwnSignIn, unnamedActor } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { beginSession, type SignedIn, whileHashing } from './sessions.ts'
import { freeSlug, slugFrom } from './slugs.ts'

interface OrganisationCommands {
  createOrganisation(asking: PersonAsking, name: string): Promise<Result<{ readonly slug: string }>>
  /** Makes an account from an invitation and signs it in. */
  acceptInvitation(facts: RequestFacts, joining: Joining): Promise<Result<SignedIn>>
  /** Adds what an invitation gives to the account that is signed in. */
  joinOrganisation(asking: PersonAsking, code: string): Promise<Result<null>>
}

interface Joining {
  readonly code: string
  readonly name: string
  readonly password: string
}

type OrganisationParts = Pick<
  CommandParts,
  'accounts' | 'clock' | 'random' | 'seal' | 'reservedSlugs' | 'onDirectoryChanged' | 'passwords' | 'mailRoom'
> & { readonly changes: Changes }

export function organisationCommands(parts: OrganisationParts): OrganisationCommands {
  return {
    createOrganisation: (asking, name) => createOwnOrganisation(parts, asking, name),
    acceptInvitation: (facts, joining) => acceptOpenInvitation(parts, facts, joining),
    joinOrganisation: (asking, code) => joinOrganisation(parts, asking, code),
  }
}

async function createOwnOrganisation(
  parts: OrganisationParts,
  asking: PersonAsking,
  name: string,
): Promise<Result<{ readonly slug: string }>> {
  const { viewer } = asking
  if (!isOperator(viewer))
    return refuse('forbidden', 'Only the operator of the installation creates organisations.')
  const checked = readInput(SCHEMAS.organisation, { name })
  if (!checked.ok) return checked
  const taken = new Set([
    ...parts.reservedSlugs,
    ...(await parts.accounts.organisations()).map(({ slug }) => slug),
  ])
  const slug = freeSlug(slugFrom(checked.value.name, 'org'), (each) => taken.has(each))
  const actor = actorOf(parts, asking)
  const begun = { slug, name: checked.value.name, owner: viewer.user.id }
  const made = await parts.changes.own('createOrganisation', { ...begun, actor })
  if (!made.ok) return made
  await parts.onDirectoryChanged()
  return ok({ slug })
}

async function acceptOpenInvitation(
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
  const checked = readInput(SCHEMAS.joining, { name: joining.name, password: joining.password })
  if (!checked.ok) return checked
  const { name, password } = checked.value
  return whileHashing(facts, async () => {
    const asker = { is: 'known', account: `invitation ${codeHash}` } as const
    const passwordHash = await parts.passwords.hash(password, asker)
    const actor = { ...unnamedActor(parts, facts), label: name }
    const joined = await parts.changes.own('acceptInvitation', {
      codeHash,
      account: { name, passwordHash },
      actor,
    })
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
  const joined = await parts.changes.own('acceptInvitation', {
    codeHash: found.value.codeHash,
    account,
    actor,
  })
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
