/** Setting up: the first owner with an organisation and a project, and the project that Errata reports to. */
import { type OrgId, orgId, type ProjectId, type UserId, userId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, foldEmail } from '#model/account-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { MEMBERSHIPS, ORGANISATIONS } from '#model/tables/organisations.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from './audit-entry.ts'
import { beginOrganisation, keepPublicUrl } from './organisation-changes.ts'
import { beginProject } from './projects.ts'

export interface FirstOwner {
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly organisation: { readonly slug: string; readonly name: string }
  readonly project: { readonly slug: string; readonly name: string; readonly platform: string | null }
  readonly keyPublic: string
  /** The project Errata reports its own failures to. */
  readonly selfProject: { readonly slug: string; readonly name: string; readonly keyPublic: string }
  /** Kept in the same transaction. */
  readonly publicUrl: string | null
}

export interface SetUp {
  readonly userId: UserId
  readonly orgId: OrgId
  readonly projectId: ProjectId
}

/** Refused with `conflict` once an owner exists. */
export async function createFirstOwner(
  tx: Tx,
  { owner, actor }: { readonly owner: FirstOwner; readonly actor: Actor },
): Promise<Result<SetUp>> {
  const { organisation, keyPublic, publicUrl } = owner
  if (await tx.accounts.hasOwner()) return ACCOUNT_REFUSALS.setUpAlready()
  if ((await tx.rows(ORGANISATIONS).one({ slug: organisation.slug })) !== null)
    return ACCOUNT_REFUSALS.organisationSlug(organisation.slug)
  const user = await makeOperator(tx, owner, actor)
  const by: Actor = { ...actor, userId: user, label: owner.name === '' ? owner.email : owner.name }
  const org = await beginOrganisation(tx, { ...organisation, owner: user }, by)
  const begun = { ...owner.project, teams: [], keyPublic, lastNumber: 0 }
  const project = await beginProject(tx, begun, { scope: { orgId: org }, actor: by })
  await beginOwnProject(tx, { ...owner, user }, by)
  await tx.rows(USERS).update([{ id: user, orgIdLast: org }])
  if (publicUrl !== null) await keepPublicUrl(tx, publicUrl)
  await writeAudit(tx, org, by, { action: 'installation.set_up', target: organisation.name })
  return ok({ userId: user, orgId: org, projectId: project.id })
}

async function makeOperator(
  tx: Tx,
  { email, name, passwordHash }: FirstOwner,
  { atMs: createdMs }: Actor,
): Promise<UserId> {
  const named = { email: email.trim(), emailFolded: foldEmail(email), name }
  const [id = 0] = await tx.rows(USERS).insert([{ ...named, passwordHash, isOperator: true, createdMs }])
  return userId(id)
}

/** Slug of the installation's own organisation: a page, and so no other's. */
const OWN_SLUG = 'system'

/**
 * Writes Errata's own project in an organisation of its own, without teams, so that no other lists it. Its
 * number shifts no other's.
 */
async function beginOwnProject(
  tx: Tx,
  { selfProject, organisation, user }: FirstOwner & { readonly user: UserId },
  by: Actor,
): Promise<void> {
  const own = orgId(0)
  const slug = organisation.slug === OWN_SLUG ? `${OWN_SLUG}-${selfProject.slug}` : OWN_SLUG
  const row = { id: own, slug, name: selfProject.name, createdMs: by.atMs, isOwn: true }
  await tx.rows(ORGANISATIONS).insert([row])
  await tx.rows(MEMBERSHIPS).insert([{ orgId: own, userId: user, role: 'owner', joinedMs: by.atMs }])
  const project = { ...selfProject, platform: 'node', teams: [], isSelf: true, lastNumber: 0 }
  await beginProject(tx, project, { scope: { orgId: own }, actor: by })
}
