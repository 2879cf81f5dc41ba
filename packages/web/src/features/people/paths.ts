/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const peoplePaths = {
  personFileOfOrg: (org: string, query: Query) =>
    withQuery(`/api/0/organizations/${segment(org)}/person-data/`, query),
} as const
