/** Addresses to which nothing outside of the feature leads. */
import { segment } from '#parts/paths.ts'

export const projectSettingsPaths = {
  personFile: (org: string, project: string | number) =>
    `/api/0/projects/${segment(org)}/${segment(project)}/person-data/`,
} as const
