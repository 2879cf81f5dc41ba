/** Proved email domains whose DNS record is looked for again and again: one that changed hands captures nobody for long. */
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { ORGANISATIONS } from '#model/tables/organisations.ts'
import { SIGN_IN_DOMAINS } from '#model/tables/single-sign-on.ts'
import type { Tx } from '#ports/control.ts'
import { checkedDomain, type DomainCheck, domainWords } from '#sign-in/domain-check.ts'
import type { ProvedDomain } from '#sign-in/domain-recheck.ts'
import { writeAudit } from './audit-entry.ts'

/** Returns the proved domains of organisations, by organisation and name. */
export async function provedDomains(
  tx: Tx,
  { orgs }: { readonly orgs: readonly OrgId[] },
): Promise<readonly ProvedDomain[]> {
  const most = orgs.length * max('providerListMax')
  const rows = await tx.rows(SIGN_IN_DOMAINS).find({ orgId: orgs }, most)
  return rows.filter(({ provedMs }) => provedMs !== null)
}

interface Checked {
  readonly orgId: OrgId
  readonly domain: string
  readonly isFound: boolean
  readonly nowMs: number
}

/** Stores what a look at DNS says, with an audit entry and an email to owners and managers where that is news. */
export async function noteDomainCheck(tx: Tx, checked: Checked): Promise<DomainCheck['becomes']> {
  const { orgId, domain } = checked
  const rows = tx.rows(SIGN_IN_DOMAINS)
  const known = await rows.one({ orgId, domain })
  if (known === null || known.provedMs === null) return 'lost'
  const { becomes, change } = checkedDomain(known, checked)
  if (change !== null) await rows.update([{ orgId, domain, ...change }])
  if (becomes === 'told' || becomes === 'lost') await tellDomainChange(tx, checked, becomes)
  return becomes
}

async function tellDomainChange(
  tx: Tx,
  { orgId, domain, nowMs }: Checked,
  becomes: 'told' | 'lost',
): Promise<void> {
  const actor = { userId: null, tokenId: null, label: 'Errata', address: null, atMs: nowMs }
  const action = becomes === 'told' ? 'sign_in.domain_missing' : 'sign_in.domain_lost'
  await writeAudit(tx, orgId, actor, { action, target: domain })
  const organisation = await tx.rows(ORGANISATIONS).one({ id: orgId })
  if (organisation === null) return
  const { slug, name } = organisation
  const message: AlertMessage = {
    ...({ atMs: nowMs, moment: 'fired', level: 'warning', project: null } as const),
    ...{ organisation: { slug, name }, rule: null, ...domainWords(domain, becomes) },
    ...{ issue: null, metric: null, gathered: null, story: `domain-${nowMs}` },
  }
  const to = { target: { to: 'members' }, firingId: null, projectId: null, projects: null } as const
  const occasion = { issueId: null, occasion: null, heldUntilMs: null }
  await tx.alerts.queueMessages([{ orgId, ...to, ...occasion, message }], nowMs)
}
