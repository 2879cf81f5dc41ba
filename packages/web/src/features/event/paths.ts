/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const eventPaths = {
  issueChange: (org: string, id: string | number) => `/${segment(org)}/issues/${segment(id)}/change`,
  issueSend: (org: string, id: string | number) => `/${segment(org)}/issues/${segment(id)}/send`,
  eventJson: (org: string, project: string | number, event: string) =>
    `/api/0/projects/${segment(org)}/${segment(project)}/events/${segment(event)}/json/`,
  attachment: (
    org: string,
    project: string,
    { event, id }: { readonly event: string; readonly id: string },
  ) =>
    `/api/0/projects/${segment(org)}/${segment(project)}/events/${segment(event)}/attachments/${segment(id)}/?download=1`,
  issueMarkdown: (org: string, id: string | number, reader: 'report' | 'agent') =>
    withQuery(`/api/0/organizations/${segment(org)}/issues/${segment(id)}/markdown/`, { for: reader }),
  eventsFile: (org: string, id: string | number, query: Query) =>
    withQuery(`/api/0/organizations/${segment(org)}/issues/${segment(id)}/events/`, query),
  share: (token: string) => `/share/${segment(token)}`,
} as const
