/** How much of what build tools upload is kept, where an organisation set it. */
import { type OrgId, orgId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeAudit } from '../rows/audit.ts'

interface QuotaRow {
  readonly id: number
  readonly name: string
  readonly quota: string | null
}

const ROW = 'SELECT id, name, artifact_quota AS quota FROM organisations'

export function artifactQuotas(db: Connection): Awaited<ReturnType<AccountsRead['artifactQuotas']>> {
  return db
    .all<QuotaRow>(`${ROW} WHERE artifact_quota IS NOT NULL`)
    .flatMap(({ id, quota }) => (quota === null ? [] : [{ orgId: orgId(id), quota: quotaOf(quota) }]))
}

/** Within a transaction. */
export function setArtifactQuota(
  db: Connection,
  { org, quota }: { readonly org: OrgId; readonly quota: ArtifactQuota | null },
  actor: Actor,
): Result<null> {
  const row = db.get<QuotaRow>(`${ROW} WHERE id = ?`, [org])
  if (row === undefined) return ACCOUNT_REFUSALS.organisationGone()
  db.run('UPDATE organisations SET artifact_quota = ? WHERE id = ?', [
    quota === null ? null : JSON.stringify(quota),
    org,
  ])
  writeAudit(db, org, actor, {
    action: 'organisation.artifact_quota_changed',
    target: row.name,
    detail: quota === null ? { isDefault: true } : { ...quota },
  })
  return ok(null)
}

/** Reads a quota from JSON that this store wrote. */
function quotaOf(json: string): ArtifactQuota {
  return JSON.parse(json)
}
