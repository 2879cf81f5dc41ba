/** Changes of the operator: organisations that begin, and where the installation is reached. */
import { PRESET_RULES } from '#alerts/rules/presets.ts'
import { type OrgId, orgId, teamId, type UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, refuseOrganisations } from '#model/account-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { ALERT_RULES } from '#model/tables/alerts.ts'
import { INSTALLATION } from '#model/tables/installation.ts'
import { MEMBERSHIPS, ORGANISATIONS, TEAM_MEMBERS, TEAMS } from '#model/tables/organisations.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAccountAudit, writeAudit } from './audit-entry.ts'

interface NewOrganisation {
  readonly slug: string
  readonly name: string
  readonly owner: UserId
}

export async function createOrganisation(
  tx: Tx,
  { actor, ...begun }: NewOrganisation & { readonly actor: Actor },
): Promise<Result<OrgId>> {
  const { slug, owner } = begun
  if ((await tx.rows(ORGANISATIONS).one({ slug })) !== null) return ACCOUNT_REFUSALS.organisationSlug(slug)
  const tooMany = refuseOrganisations(await tx.accounts.countOrganisations())
  if (tooMany !== null) return tooMany
  if ((await tx.rows(USERS).one({ id: owner })) === null) return ACCOUNT_REFUSALS.ownerUnknown()
  return ok(await beginOrganisation(tx, begun, actor))
}

/** Writes an organisation with its default team, named like it, and its owner in both. */
export async function beginOrganisation(
  tx: Tx,
  { slug, name, owner: userId }: NewOrganisation,
  actor: Actor,
): Promise<OrgId> {
  const { atMs } = actor
  const [made = 0] = await tx.rows(ORGANISATIONS).insert([{ slug, name, createdMs: atMs }])
  const id = orgId(made)
  await tx.rows(MEMBERSHIPS).insert([{ orgId: id, userId, role: 'owner', joinedMs: atMs }])
  const [team = 0] = await tx.rows(TEAMS).insert([{ orgId: id, slug, name, createdMs: atMs }])
  await tx.rows(TEAM_MEMBERS).insert([{ teamId: teamId(team), userId }])
  await writePresets(tx, id, atMs)
  await writeAudit(tx, id, actor, { action: 'organisation.created', target: name, detail: { slug } })
  return id
}

/** Writes the alert rules that an organisation begins with. */
async function writePresets(tx: Tx, org: OrgId, atMs: number): Promise<void> {
  const by = { createdBy: 'Errata', createdMs: atMs, changedBy: 'Errata', changedMs: atMs }
  await tx
    .rows(ALERT_RULES)
    .insert(PRESET_RULES.map((draft) => ({ orgId: org, draft, isPreset: true, ...by })))
  await tx.alerts.noteChange()
}

/** `user` is the operator who writes it. */
export async function setPublicUrl(
  tx: Tx,
  { url, user, actor }: { readonly url: string; readonly user: UserId; readonly actor: Actor },
): Promise<void> {
  const before = (await tx.rows(INSTALLATION).one({ name: PUBLIC_URL }))?.value ?? null
  await keepPublicUrl(tx, url)
  const note = { action: 'installation.address_changed', target: url, detail: { before } }
  await writeAccountAudit(tx, user, actor, note)
}

const PUBLIC_URL = 'public_url'

export async function keepPublicUrl(tx: Tx, value: string): Promise<void> {
  await tx.rows(INSTALLATION).merge([{ name: PUBLIC_URL, value }])
}
