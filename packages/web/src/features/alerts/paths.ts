/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const alertsPaths = {
  alertLogCsv: (org: string, query: Query = {}) => withQuery(`/${segment(org)}/alerts/log/csv`, query),
  alertMutes: (org: string) => `/${segment(org)}/alerts/mutes`,
  quietHours: (org: string) => `/${segment(org)}/alerts/quiet-hours`,
} as const
