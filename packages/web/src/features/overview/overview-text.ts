/** Sentences of the first screen, made by rules from figures. Pure. */
import type { RequestKind } from '#parts/issue-types.ts'
import type { VitalName } from '#parts/vital-figures.ts'
import { numberText, quantityText } from '#ui/number-text.ts'

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

/** Routes that fail more than they did. */
export interface FailedMore {
  /** At most two, most failures first. */
  readonly worst: readonly WorstRoute[]
  /** Number of further ones. */
  readonly more: number
}

/** Returns the routes that fail now and failed less than half as much the day before. */
export function failedMore(now: readonly Route[], before: readonly Route[]): FailedMore {
  const keyOf = ({ projectId, route, kind }: Route) => `${projectId}\n${kind}\n${route}`
  const known = new Map(before.map((row) => [keyOf(row), row]))
  const found = now
    .flatMap((row) => {
      const was = known.get(keyOf(row))
      const shareBefore = was === undefined || was.count === 0 ? 0 : was.failed / was.count
      const share = row.failed / Math.max(1, row.count)
      const isMore = row.failed >= FAILED_LEAST && share >= SHARE_LEAST && share > 2 * shareBefore
      const { projectId, route, kind, count, failed } = row
      return isMore ? [{ projectId, route, kind, count, failed, failedBefore: was?.failed ?? 0 }] : []
    })
    .sort((a, b) => b.failed - a.failed)
  return { worst: found.slice(0, WORST_SHOWN), more: Math.max(0, found.length - WORST_SHOWN) }
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
    readonly moreWorst: number
    /** False where no request is known of the day before. */
    readonly hasBefore: boolean
  } | null
  readonly sessions: { readonly sessions: number; readonly crashed: number } | null
  /** Number of items that came in the last 24 hours; `null` where it could not be read. */
  readonly sent: { readonly total: number; readonly stored: number } | null
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
    rest: requests === null ? '' : otherRoutesText(requests),
    needs: needsText(facts),
    unassigned:
      unassigned === 0
        ? ''
        : unassigned === 1
          ? '1 has no assignee'
          : `${numberText(unassigned)} have no assignee`,
  }
}

function otherRoutesText({ worst, moreWorst: more, hasBefore }: NonNullable<Facts['requests']>): string {
  if (worst.length === 0) return ''
  if (more > 0)
    return more === 1 ? '1 more route fails like this.' : `${numberText(more)} more routes fail like this.`
  return hasBefore ? 'The rest is as usual.' : ''
}

function overviewHeading(facts: Facts): string {
  const { requests, unread } = facts
  if (unread.has('requests')) return ''
  if (requests === null || requests.count === 0)
    return unread.has('issues') ? '' : headingWithoutRequests(facts)
  if (requests.worst.length > 0) return 'Some requests fail.'
  if (requests.failed === 0) return 'No request failed in the last 24 hours.'
  if (requests.hasBefore) return 'Failures are as usual.'
  return `${numberText(requests.failed)} of ${quantityText(requests.count, 'request')} failed.`
}

function headingWithoutRequests({ failedIssues, sessions, sent, unread }: Facts): string {
  if (failedIssues > 0) return 'Errors were received; no requests were traced.'
  if (unread.has('sessions')) return ''
  if (sessions !== null && sessions.crashed > 0) {
    const { crashed, sessions: all } = sessions
    return `${numberText(crashed)} of ${quantityText(all, 'session')} crashed in the last 24 hours.`
  }
  if (sessions === null && sent?.total === 0) return 'Nothing was received in the last 24 hours.'
  if (sessions === null && sent?.stored === 0) return 'Nothing sent in the last 24 hours was stored.'
  return 'Nothing failed in the last 24 hours.'
}

/** Parts that a row of "Needs you" may come from. */
const NEEDED = ['issues', 'alerts', 'skew']

function needsText({ needsTotal: needs, unread }: Facts): string {
  if (NEEDED.some((part) => unread.has(part))) return ''
  if (needs === 0) return 'Nothing needs you'
  return needs === 1 ? '1 thing needs you' : `${numberText(needs)} things need you`
}
