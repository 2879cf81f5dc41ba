/** Rows of what needs somebody: issues, alerts that fire and clicks of stale tabs in one list. Pure. */

import { NEWS_WORDS, titleParts } from '#parts/issue-title.ts'
import type { IssueListRow } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { quantityText } from '#ui/number-text.ts'
import { isolateTurned, visibleText } from '#ui/visible-text.ts'

export interface NeedRow {
  readonly key: string
  readonly level: 'bad' | 'warn'
  readonly title: string
  /** Why it is here, in a line. */
  readonly why: string
  /** `null`: nobody can say. */
  readonly users: { readonly count: number; readonly isExact: boolean } | null
  readonly sinceMs: number
  readonly issue: IssueListRow | null
  readonly link: string
  readonly linkText: string
}

/** Search for issues that are new, came back, escalate, or matter most. */
export const NEEDS_SEARCH = '(is:new OR is:regressed OR is:escalating OR issue.priority:high)'
/** The same of issues that nobody has. */
export const UNASSIGNED_SEARCH = `${NEEDS_SEARCH} is:unassigned`
/** The same of those that tell of clicks in stale tabs. */
export const STALE_SEARCH = `${NEEDS_SEARCH} category:skew`

/** Returns a row for each issue that the search found. */
export function issueRows(rows: readonly IssueListRow[], org: string): readonly NeedRow[] {
  return rows.map((row): NeedRow => {
    const { type, message } = titleParts(row)
    return {
      key: row.shortId,
      level: row.level === 'warning' || row.level === 'info' || row.level === 'debug' ? 'warn' : 'bad',
      title: type === '' ? message : `${type}: ${message}`,
      why: [
        newsOf(row),
        isolateTurned(visibleText(row.culprit)),
        `${quantityText(row.eventCountInRange, 'event')} in 24 h`,
      ]
        .filter((part) => part !== undefined && part !== null && part !== '')
        .join(' · '),
      users: row.users,
      sinceMs: row.firstSeenMs,
      issue: row,
      link: paths.issue(org, row.shortId),
      linkText: row.shortId,
    }
  })
}

function newsOf({ substatus }: IssueListRow): string | null {
  switch (substatus) {
    case 'new':
    case 'regressed':
    case 'escalating':
      return NEWS_WORDS[substatus]
    default:
      return null
  }
}

interface Firing {
  readonly id: number
  readonly name: string
  readonly level: 'warning' | 'critical'
  readonly sinceMs: number
  /** Its metric now, in words; `null` where it measures nothing. */
  readonly value: string | null
}

export function alertRows(firing: readonly Firing[], org: string): readonly NeedRow[] {
  return firing.map(({ id, name, level, sinceMs, value }) => ({
    key: `alert ${id}`,
    level: level === 'critical' ? ('bad' as const) : ('warn' as const),
    title: value === null ? name : `${name}: ${value}`,
    why: `Alert, ${level}`,
    ...{ users: null, sinceMs, issue: null },
    link: paths.alertRule(org, id),
    linkText: 'Alert',
  }))
}

interface Stale {
  readonly clicks: number
  readonly users: { readonly count: number; readonly isExact: boolean }
  readonly deploy: { readonly id: string; readonly release: string | null; readonly atMs: number }
}

/** None where an issue tells of them already, be it shown or not: `told` is how many do. */
export function staleRows(
  stale: Stale | null,
  { org, told }: { readonly org: string; readonly told: number },
): readonly NeedRow[] {
  if (stale === null || told > 0) return []
  const { clicks, users, deploy } = stale
  const after = deploy.release === null ? 'a deploy' : deploy.release
  return [
    {
      key: 'stale',
      level: 'warn',
      title: 'Clicks in stale tabs',
      why: `${quantityText(clicks, 'click')} failed after ${after}; ends by itself as tabs reload`,
      users,
      sinceMs: deploy.atMs,
      issue: null,
      link: paths.skew(org, { deploy: deploy.id }),
      linkText: 'Skew',
    },
  ]
}

/** Alerts have no people of their own: what fires stands first, critical before warning. */
export function mostPeopleFirst(rows: readonly NeedRow[]): readonly NeedRow[] {
  const weight = ({ users, level }: NeedRow) =>
    users === null ? Number.MAX_SAFE_INTEGER - (level === 'bad' ? 0 : 1) : users.count
  return rows.toSorted((a, b) => weight(b) - weight(a))
}
