/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const issuesPaths = {
  /** The list below a matrix of its issues over time. */
  issueTimeline: (org: string, query: Query = {}) => withQuery(`/${segment(org)}/issues/timeline`, query),
  issueNews: (org: string, query: Query) => withQuery(`/${segment(org)}/issues/news`, query),
  /** Files of all rows; `format`: `csv` or `jsonl`. */
  issuesFile: (org: string, query: Query) => withQuery(`/api/0/organizations/${segment(org)}/issues/`, query),
} as const
