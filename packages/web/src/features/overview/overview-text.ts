/** Sentences of the first screen, made by rules from figures. Pure. */
import type { RequestKind } from '#parts/issue-types.ts'
import type { VitalName } from '#parts/vital-figures.ts'
import { numberText } from '#ui/number-text.ts'

/** Request kinds in the order of the table. */
export const SHOWN_KINDS = [
  'document',
  'page-data',
  'prefetch',
  'action',
  'route-handler',
] as const satisfies readonly RequestKind[]
export const VITALS_SHOWN = ['lcp', 'inp', 'cls'] as const satisfies readonly VitalName[]

interface Figures {
  readonly count: number
  readonly isEstimated: boolean
  readonly failed: number
  readonly failedBehind200: number
  readonly p75Ms: number | null
}

export interface KindFigures {
  readonly kind: RequestKind
  readonly now: Figures
  readonly before: Figures
}

interface Route {
  readonly projectId: number
  readonly route: string
  readonly kind: RequestKind
  readonly count: number
  readonly failed: number
}

export interface WorstRoute extends Route {
  readonly failedBefore: number
}

/** Smallest number of failures of a route that the sentence mentions. */
export const FAILED_LEAST = 5
/** And this share of its requests. */
const SHARE_LEAST = 0.01
const WORST_SHOWN = 2

/** Returns the routes that fail now and failed less than half as much the day before, most failures first. */
export function failedMore(now: readonly Route[], before: readonly Route[]): readonly WorstRoute[] {
  const keyOf = ({ projectId, route, kind }: Route) => `${projectId}\n${kind}\n${route}`
  const known = new Map(before.map((row) => [keyOf(row), row]))
  return now
    .flatMap((row) => {
      const was = known.get(keyOf(row))
      const shareBefore = was === undefined || was.count === 0 ? 0 : was.failed / was.count
      const share = row.failed / Math.max(1, row.count)
      const isMore = row.failed >= FAILED_LEAST && share >= SHARE_LEAST && share > 2 * shareBefore
      const { projectId, route, kind, count, failed } = row
      return isMore ? [{ projectId, route, kind, count, failed, failedBefore: was?.failed ?? 0 }] : []
    })
    .sort((a, b) => b.failed - a.failed)
    .slice(0, WORST_SHOWN)
}

export interface Sentence {
  /** Empty where too little could be read to say it. */
  readonly head: string
  readonly worst: readonly WorstRoute[]
  /** Behind the routes. */
  readonly rest: string
  /** Number of things that need somebody, in words; empty where it is not known. */
  readonly needs: string
  /** How many of them nobody has; empty for none. */
  readonly unassigned: string
}

interface Facts {
  readonly requests: {
    readonly count: number
    readonly failed: number
    readonly worst: readonly WorstRoute[]
  } | null
  /** Number of rows of "Needs you", those that are not shown included. */
  readonly needsTotal: number
  readonly unassigned: number
  /** Number of issues with events in the last 24 hours. */
  readonly failedIssues: number
  /** Parts that could not be read: the sentence claims nothing of them. */
  readonly unread: ReadonlySet<string>
}

export function overviewSentence(facts: Facts): Sentence {
  const { requests, unassigned } = facts
  const worst = requests?.worst ?? []
  return {
    head: overviewHeading(facts),
    worst,
    rest: worst.length === 0 ? '' : 'The rest is as usual.',
    needs: needsText(facts),
    unassigned:
      unassigned === 0
        ? ''
        : unassigned === 1
          ? '1 has no assignee'
          : `${numberText(unassigned)} have no assignee`,
  }
}

function overviewHeading({ requests, failedIssues, unread }: Facts): string {
  if (unread.has('requests')) return ''
  if (requests === null || requests.count === 0) {
    if (unread.has('issues')) return ''
    return failedIssues === 0
      ? 'Nothing failed in the last 24 hours.'
      : 'Errors were received; no requests were traced.'
  }
  if (requests.worst.length > 0) return 'Some requests fail.'
  if (requests.failed === 0) return 'No request failed in the last 24 hours.'
  return 'Failures are as usual.'
}

/** Parts that a row of "Needs you" may come from. */
const NEEDED = ['issues', 'alerts', 'skew']

function needsText({ needsTotal: needs, unread }: Facts): string {
  if (NEEDED.some((part) => unread.has(part))) return ''
  if (needs === 0) return 'Nothing needs you'
  return needs === 1 ? '1 thing needs you' : `${numberText(needs)} things need you`
}
