import type { IssueFilter } from '#ports/issues.ts'
import { DAY, HOUR, NOW } from './times.ts'

/** Everything of the last 30 days. */
export function aFilter(change: Partial<IssueFilter> = {}): IssueFilter {
  return {
    projects: null,
    status: null,
    substatus: null,
    startMs: NOW - 30 * DAY,
    endMs: NOW + HOUR,
    text: [],
    levels: [],
    fields: [],
    counts: [],
    tags: [],
    assignee: null,
    groups: null,
    issueIds: null,
    priorities: [],
    bookmarkedBy: null,
    subscribedBy: null,
    ...change,
  }
}
