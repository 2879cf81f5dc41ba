/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const orgSettingsPaths = {
  tracker: (org: string, tracker: number) => `/${segment(org)}/settings/trackers/${segment(tracker)}`,
  auditExport: (org: string, format: 'csv' | 'jsonl', query: Query = {}) =>
    withQuery(`/${segment(org)}/settings/audit/${format}`, query),
  agents: (org: string, query: Query = {}) => withQuery(`/${segment(org)}/settings/agents`, query),
} as const
