/** Addresses of the web app that a notice leads to; spelt as the app's own table of paths spells them. */
import type { Notice } from '#ports/notices.ts'

export interface NoticeLinks {
  /** The issue, or the project's list where there is no single one. */
  readonly open: string
  /** The trace of the event that it tells of; `null` where it names none. */
  readonly trace: string | null
  /** Page where a person switches email off. */
  readonly stop: string
  /** Page where a project's notices are set. */
  readonly settings: string
}

/** Returns the links of a notice. `url` without trailing slash. */
export function linksOf(url: string, { organisation, project, issue }: Notice): NoticeLinks {
  const org = `${url}/${encodeURIComponent(organisation)}`
  const list = `${org}/issues?${new URLSearchParams({ project: project.slug })}`
  return {
    open: issue === null ? list : `${org}/issues/${encodeURIComponent(issue.shortId)}`,
    trace:
      issue === null || issue.traceId === null ? null : `${org}/traces/${encodeURIComponent(issue.traceId)}`,
    stop: `${url}/account/alerts`,
    settings: `${org}/projects/${encodeURIComponent(project.slug)}/settings/alerts`,
  }
}
