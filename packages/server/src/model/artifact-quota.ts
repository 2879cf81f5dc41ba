/** How much of what build tools upload is kept of one organisation. */
import { max } from '#limits/limits.ts'

export interface ArtifactQuota {
  readonly bundlesMax: number
  readonly bytesMax: number
  /** A bundle that resolved no frame for so many days goes. */
  readonly unusedDaysMax: number
}

/** Unless the organisation set another. */
export const ARTIFACT_QUOTA_DEFAULT: ArtifactQuota = {
  bundlesMax: max('bundlesPerOrgDefault'),
  bytesMax: max('artifactBytesPerOrgDefault'),
  unusedDaysMax: max('artifactUnusedDaysDefault'),
}
