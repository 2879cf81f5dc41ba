import type { IssueConditions, IssueFilter } from '#ports/issues.ts'
import { DAY, HOUR, NOW } from './times.ts'

/** Asks nothing. */
export function someConditions(change: Partial<IssueConditions> = {}): IssueConditions {
  return {
    projects: null,
    status: null,
    substatus: null,
    text: [],
    levels: [],
    fields: [],
    counts: [],
    times: [],
    tags: [],
    assignees: [],
    marks: [],
    links: [],
    groups: null,
    issueIds: null,
    either: [],
    priorities: [],
    ...change,
  }
}

/** Everything of the last 30 days. */
export function aFilter(change: Partial<IssueFilter> = {}): IssueFilter {
  return { ...someConditions(), startMs: NOW - 30 * DAY, endMs: NOW + HOUR, ...change }
}
