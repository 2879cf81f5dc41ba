/** Updates an email domain whose DNS record appeared or went away. */
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import type { DomainCheck, DomainProofs, ProvedDomain } from '#ports/domain-proofs.ts'
import { insertMessages } from '../alerts/message-queue.ts'
import type { Connection } from '../connection.ts'
import { organisationById } from '../rows/account-rows.ts'
import { insertAudit } from '../rows/audit.ts'

export function domainProofs(db: Connection): DomainProofs {
  return {
    provedDomains: async () =>
      db.all<ProvedDomain>(
        `SELECT org_id AS orgId, domain, token FROM sign_in_domains WHERE proved_ms IS NOT NULL ORDER BY org_id, domain`,
      ),
    noteDomainCheck: async ({ orgId, domain }, check) =>
      db.transaction(() => noteCheck(db, { ...check, orgId, domain })),
  }
}

interface Checked {
  readonly orgId: OrgId
  readonly domain: string
  readonly isFound: boolean
  readonly nowMs: number
}

function noteCheck(db: Connection, checked: Checked): DomainCheck {
  const { orgId, domain, isFound, nowMs } = checked
  const put = (set: string) =>
    db.run(`UPDATE sign_in_domains SET ${set} WHERE org_id = :org AND domain = :domain`, {
      ...{ org: orgId, domain },
      ...(set.includes(':now') && { now: nowMs }),
    })
  const sql = `SELECT missing_ms AS missingMs, told_ms AS toldMs FROM sign_in_domains
    WHERE org_id = ? AND domain = ? AND proved_ms IS NOT NULL`
  const known = db.get<{ missingMs: number | null; toldMs: number | null }>(sql, [orgId, domain])
  if (known === undefined) return 'lost'
  const { missingMs, toldMs } = known
  if (isFound) {
    if (missingMs !== null) put('missing_ms = NULL, told_ms = NULL')
    return 'found'
  }
  if (missingMs === null) put('missing_ms = :now')
  if (toldMs === null) {
    if (missingMs === null || nowMs - missingMs < max('domainMissingMs')) return 'missing'
    put('told_ms = :now')
    tell(db, checked, { action: 'sign_in.domain_missing', becomes: 'told' })
    return 'told'
  }
  if (nowMs - toldMs < max('domainGraceMs')) return 'missing'
  put('proved_ms = NULL, missing_ms = NULL, told_ms = NULL')
  tell(db, checked, { action: 'sign_in.domain_lost', becomes: 'lost' })
  return 'lost'
}

function tell(
  db: Connection,
  { orgId, domain, nowMs }: Checked,
  { action, becomes }: { readonly action: string; readonly becomes: 'told' | 'lost' },
): void {
  const actor = { userId: null, tokenId: null, label: 'Errata', address: null, atMs: nowMs }
  insertAudit(db, orgId, actor, { action, target: domain })
  const organisation = organisationById(db, orgId)
  if (organisation === null) return
  const days = max('domainGraceMs') / 86_400_000
  const [headline, because] =
    becomes === 'told'
      ? [
          `${domain} is about to lose its verification`,
          `its DNS record was not found for a day; without it single sign-on stops counting for the domain in ${days} days`,
        ]
      : [
          `${domain} is no longer verified`,
          'its DNS record is gone: nobody joins by the domain, and nobody has to use single sign-on by it',
        ]
  const { slug, name } = organisation
  const message: AlertMessage = {
    ...({ atMs: nowMs, moment: 'fired', level: 'warning', project: null } as const),
    organisation: { slug, name },
    ...{ rule: null, headline, because, issue: null, metric: null, gathered: null, story: `domain-${nowMs}` },
  }
  const to = { target: { to: 'members' }, firingId: null, projectId: null, projects: null } as const
  insertMessages(db, [{ orgId, ...to, issueId: null, occasion: null, heldUntilMs: null, message }], nowMs)
}
