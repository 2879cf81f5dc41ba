/** How much of what build tools upload is kept, where an organisation set it. */
import { orgId } from '#base/ids.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { Connection } from '../connection.ts'

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

/** Reads a quota from JSON that this store wrote. */
function quotaOf(json: string): ArtifactQuota {
  return JSON.parse(json)
}
