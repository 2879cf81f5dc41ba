/** Settings of an organisation: its name, the role of people who join, and whether they need a second factor. */
import { ok, refuse } from '#base/result.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { ORGANISATIONS } from '#model/tables/organisations.ts'
import type { GivenRole } from '#ports/accounts.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { refuseUnconfirmed } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { command, preparedCommand } from './command.ts'
import { announce, type CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

type OrganisationChange = {
  readonly name: string
  readonly slug: string
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

export const renameOrganisation = preparedCommand({
  permission: 'org.write',
  input: ({ seen, ...change }: OrganisationChange) => {
    const checked = readInput(SCHEMAS.organisationRename, change)
    return checked.ok ? ok({ ...checked.value, seen }) : checked
  },
  prepare: async (parts: Pick<CommandParts, 'reservedSlugs'>, _asking, change: OrganisationChange) => {
    if (!parts.reservedSlugs.includes(change.slug)) return ok(change)
    const message = `“${change.slug}” is an address of Errata itself.`
    return refuse('invalid_input', message, { slug: [message] })
  },
  change: async (tx, { name, slug, seen }: OrganisationChange, { scope: { orgId: id }, actor }) => {
    const rows = tx.rows(ORGANISATIONS)
    const before = await rows.one({ id })
    if (before === null) return ACCOUNT_REFUSALS.organisationGone()
    const unseen = refuseUnseen(before, seen)
    if (unseen !== null) return unseen
    const other = await rows.one({ slug })
    if (other !== null && other.id !== id) return ACCOUNT_REFUSALS.organisationSlug(slug)
    await rows.update([{ id, slug, name }])
    await writeAudit(tx, id, actor, {
      action: 'organisation.renamed',
      target: name,
      detail: { nameBefore: before.name, slugBefore: before.slug, slug },
    })
    return ok({ slug })
  },
  // The relay's `o` names organisations by slug.
  after: announce,
})

/** Sets the role of people who join without a more specific one: it is an owner's to say how much that is. */
export const setRoleDefault = command({
  permission: 'org.write',
  input: (role: GivenRole) => readInput(SCHEMAS.roleDefault, { role }),
  change: async (
    tx,
    { role: roleDefault }: { readonly role: GivenRole },
    { scope: { orgId: id }, actor },
  ) => {
    const before = await tx.rows(ORGANISATIONS).one({ id })
    if (before === null) return ACCOUNT_REFUSALS.organisationGone()
    await tx.rows(ORGANISATIONS).update([{ id, roleDefault }])
    await writeAudit(tx, id, actor, {
      action: 'organisation.role_default_changed',
      target: before.name,
      detail: { before: before.roleDefault, after: roleDefault },
    })
    return ok(null)
  },
})

/** Nobody shuts themselves out by it. */
export const requireSecondFactor = preparedCommand({
  permission: 'org.write',
  input: (isRequired: boolean) => ok({ isRequired }),
  prepare: async (
    parts: Pick<CommandParts, 'secondFactors' | 'clock'>,
    { viewer },
    { isRequired }: { readonly isRequired: boolean },
  ) => {
    const unconfirmed = refuseUnconfirmed(parts, { viewer })
    if (unconfirmed !== null) return unconfirmed
    const has = viewer.kind === 'token' || (await parts.secondFactors.hasSecondFactor(viewer.user.id))
    if (has || !isRequired) return ok({ isRequired })
    return refuse('conflict', 'Set up two-factor authentication for your own account first.')
  },
  change: async (tx, { isRequired }: { readonly isRequired: boolean }, { scope: { orgId: id }, actor }) => {
    const organisation = await tx.rows(ORGANISATIONS).one({ id })
    if (organisation === null) return ACCOUNT_REFUSALS.organisationGone()
    await tx.rows(ORGANISATIONS).update([{ id, requiresSecondFactor: isRequired }])
    const note = { action: 'organisation.second_factor', target: organisation.name, detail: { isRequired } }
    await writeAudit(tx, id, actor, note)
    return ok(null)
  },
})
