/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const outcomesPaths = {
  outcomesCsv: (org: string, query: Query = {}) => withQuery(`/${segment(org)}/outcomes/csv`, query),
} as const
