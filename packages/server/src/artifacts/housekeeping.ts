/**
 * Removes by the clock: pieces nobody made an upload of, what exceeds a quota, what belongs to deleted
 * projects.
 */
import type { Clock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import { ARTIFACT_QUOTA_DEFAULT } from '#model/artifact-quota.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { Artifacts } from './artifact-work.ts'

interface HousekeepingParts {
  readonly artifacts: Pick<Artifacts, 'held' | 'remove' | 'removeOldChunks'>
  readonly accounts: Pick<AccountsRead, 'artifactQuotas'>
  /** Ids of all projects that there are. */
  readonly projectIds: () => Promise<readonly ProjectId[]>
  readonly clock: Clock
}

export async function removeOldArtifacts({
  artifacts,
  accounts,
  projectIds,
  clock,
}: HousekeepingParts): Promise<void> {
  await artifacts.removeOldChunks()
  // In this order: whatever has uploads now and is not there afterwards is gone for good.
  const held = await artifacts.held()
  const alive = new Set(await projectIds())
  for (const { orgId, id } of held.projects)
    if (!alive.has(id)) await artifacts.remove(orgId, { project: id })
  const quotas = new Map((await accounts.artifactQuotas()).map(({ orgId, quota }) => [orgId, quota]))
  for (const org of held.organisations) {
    const beyond = quotas.get(org) ?? ARTIFACT_QUOTA_DEFAULT
    await artifacts.remove(org, { beyond, nowMs: clock.now() })
  }
}
