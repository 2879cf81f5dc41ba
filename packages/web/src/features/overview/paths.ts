/** Addresses to which nothing outside of the feature leads. */
import { segment } from '#parts/paths.ts'

export const overviewPaths = {
  projectOverview: (org: string, project: string) => `/${segment(org)}/projects/${segment(project)}`,
} as const
