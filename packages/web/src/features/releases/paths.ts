/** Addresses to which nothing outside of the feature leads. */
import { segment } from '#parts/paths.ts'

export const releasesPaths = {
  releaseDeploys: (org: string, version: string) => `/${segment(org)}/releases/${segment(version)}/deploys`,
  releaseArtifacts: (org: string, version: string) =>
    `/${segment(org)}/releases/${segment(version)}/artifacts`,
} as const
