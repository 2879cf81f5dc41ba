/** Addresses to which nothing outside of the feature leads. */
import { segment } from '#parts/paths.ts'

export const releasesPaths = {
  releaseDeploys: (org: string, version: string) => `/${segment(org)}/releases/${segment(version)}/deploys`,
  releaseArtifacts: (org: string, version: string) =>
    `/${segment(org)}/releases/${segment(version)}/artifacts`,
} as const

/** Returns an address as links spell it: a version that is typed has its `@` and `+` as they are. */
export function encodedPath(pathname: string): string {
  return pathname
    .split('/')
    .map((part) => segment(decodedPart(part)))
    .join('/')
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Typed by hand and not encoded at all: `100%`.
    return part
  }
}
