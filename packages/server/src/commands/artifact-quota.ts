/** Setting how much of what build tools upload is kept. */
import * as v from 'valibot'
import { ok } from '#base/result.ts'
import { MIB } from '#limits/limit.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { ARTIFACT_QUOTA_DEFAULT, type ArtifactQuota } from '#model/artifact-quota.ts'
import { ORGANISATIONS } from '#model/tables/organisations.ts'
import { writeAudit } from './audit-entry.ts'
import { command } from './command.ts'
import { readInput } from './schemas.ts'

const amount = (what: string, least: number, most: number) =>
  v.pipe(
    v.number(`${what} must be a number.`),
    v.integer(`${what} must be a whole number.`),
    v.minValue(least, `${what} must be at least ${least}.`),
    v.maxValue(most, `${what} must be at most ${most}.`),
  )
/** Bytes; refusals speak of MiB, which people type. */
const sizeInBytes = (least: number, most: number) =>
  v.pipe(
    v.number('Size must be a number.'),
    v.integer('Size must be whole bytes.'),
    v.minValue(least, `Size must be at least ${Math.ceil(least / MIB)} MiB.`),
    v.maxValue(most, `Size must be at most ${Math.floor(most / MIB)} MiB.`),
  )
export const ARTIFACT_QUOTA_BODY = v.object({
  bundlesMax: amount('Bundles', 1, max('artifactBundlesMax')),
  bytesMax: sizeInBytes(max('chunkBytesMax'), max('artifactBytesMax')),
  unusedDaysMax: amount('Days', 1, max('artifactUnusedDaysMax')),
})

type Given = { readonly quota: ArtifactQuota | null }

/** `null`: as the limits say. What is beyond it goes. */
export const setArtifactQuota = command({
  permission: 'quota.write',
  input: (quota: unknown) => {
    const checked = quota === null ? ok(null) : readInput(ARTIFACT_QUOTA_BODY, quota)
    return checked.ok ? ok({ quota: checked.value }) : checked
  },
  change: async (tx, { quota: artifactQuota }: Given, { scope: { orgId: id }, actor }) => {
    const organisation = await tx.rows(ORGANISATIONS).one({ id })
    if (organisation === null) return ACCOUNT_REFUSALS.organisationGone()
    await tx.rows(ORGANISATIONS).update([{ id, artifactQuota }])
    await writeAudit(tx, id, actor, {
      action: 'organisation.artifact_quota_changed',
      target: organisation.name,
      detail: artifactQuota === null ? { isDefault: true } : { ...artifactQuota },
    })
    return ok(null)
  },
  after: async (parts, { asking, checked: { quota } }) => {
    const beyond = quota ?? ARTIFACT_QUOTA_DEFAULT
    await parts.artifacts?.remove(asking.scope.orgId, { beyond, nowMs: parts.clock.now() })
  },
})
