/** Reads uploads for people: their share of the quota, and which were refused. */

import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { ARTIFACT_QUOTA_DEFAULT, type ArtifactQuota } from '#model/artifact-quota.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { ArtifactUsage, FailedUpload, ReleaseFile, ReleaseFileFilter } from '#ports/artifacts.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface ArtifactQuotaView {
  readonly quota: ArtifactQuota
  /** The organisation set none of its own. */
  readonly isDefault: boolean
  readonly used: ArtifactUsage
}

interface UploadQueries {
  artifactQuota(scope: ReadScope): Promise<ArtifactQuotaView>
  /** True where a build was uploaded for the project, or for any that may be read. */
  hasBundles(scope: ReadScope, project: ProjectId | null): Promise<boolean>
  /** Newest first; of one project, with what named none, or of all that may be read. */
  failedUploads(scope: ReadScope, project: ProjectId | null): Promise<readonly FailedUpload[]>
  /** Oldest first. */
  releaseFiles(scope: ReadScope, filter: ReleaseFileFilter): Promise<readonly ReleaseFile[]>
}

interface UploadQueryParts {
  readonly accounts: Pick<AccountsRead, 'artifactQuotas'>
  readonly artifacts: Pick<Artifacts, 'bundles' | 'usage' | 'failures' | 'releaseFiles'>
}

export function uploadQueries({ accounts, artifacts }: UploadQueryParts): UploadQueries {
  return {
    async artifactQuota({ orgId }) {
      const own = (await accounts.artifactQuotas()).find((each) => each.orgId === orgId)
      return {
        quota: own?.quota ?? ARTIFACT_QUOTA_DEFAULT,
        isDefault: own === undefined,
        used: await artifacts.usage(orgId),
      }
    },
    async hasBundles(scope, project) {
      const filter = { project, release: null, text: '', beforeId: null, limit: 1 }
      return (await artifacts.bundles(scope, filter)).length > 0
    },
    failedUploads: (scope, project) => artifacts.failures(scope, { project, limit: max('failedUploadsMax') }),
    releaseFiles: (scope, filter) => artifacts.releaseFiles(scope, filter),
  }
}
