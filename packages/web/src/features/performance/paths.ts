/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const performancePaths = {
  routeSuggestions: (org: string, query: Query) =>
    withQuery(`/${segment(org)}/performance/suggestions`, query),
} as const
