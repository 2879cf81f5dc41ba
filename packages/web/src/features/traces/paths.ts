/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const tracesPaths = {
  traceSuggestions: (org: string, query: Query) => withQuery(`/${segment(org)}/traces/suggestions`, query),
  tracesFile: (org: string, query: Query) => withQuery(`/api/0/organizations/${segment(org)}/events/`, query),
  traceSpan: (org: string, trace: string, query: Query) =>
    withQuery(`/${segment(org)}/traces/${segment(trace)}/span`, query),
} as const
