/** Which issue most of what a metric's firings are about belongs to, from events by the hour. */
import { type BusiestDraft, hasBusiest } from '#alerts/rules/evaluate-metrics.ts'
import type { HourRange, PastFiring } from '#alerts/rules/preview.ts'
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { RuleDraft } from '#model/alert-rule.ts'
import type { AlertsRead, IssueHour } from '#ports/alerts.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface MostlyParts {
  readonly alerts: Pick<AlertsRead, 'issueHours'>
  readonly issues: Pick<IssuesRead, 'issuesByRefs'>
}

/** The same firings, each with its issue where one can be told. */
export async function withMostly(
  parts: MostlyParts,
  scope: ReadScope,
  given: {
    readonly draft: BusiestDraft & Pick<RuleDraft, 'projects'>
    readonly range: HourRange
    readonly firings: readonly PastFiring[]
  },
): Promise<readonly PastFiring[]> {
  const { draft, range, firings } = given
  if (firings.length === 0 || !hasBusiest(draft)) return firings
  const { projects } = draft
  const hours = await parts.alerts.issueHours(scope, { projects, ...range, atLeast: 1 })
  const ids = await busiestIds(parts, scope, { draft, hours })
  const known = hours.filter(({ issueId }) => ids.has(issueId))
  return firings.map((firing) => ({ ...firing, issueId: busiestIn(known, firing) }))
}

/** Returns the actions that run most on a route. */
async function busiestIds(
  { issues }: MostlyParts,
  scope: ReadScope,
  { draft, hours }: { readonly draft: BusiestDraft; readonly hours: readonly IssueHour[] },
): Promise<ReadonlySet<number>> {
  const counts = countByIssue(hours)
  const ids = [...counts.keys()]
  const { measure } = draft.when
  if (!('route' in measure) || (measure.route === null && measure.kind === null)) return new Set(ids)
  const busy = ids.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  const found = await issues.issuesByRefs(scope, busy.slice(0, max('issuesPerChangeMax')).map(String))
  const isThere = ({ route, kinds }: (typeof found)[number]) =>
    (measure.route === null || route === measure.route) &&
    (measure.kind === null || kinds.some(({ kind }) => kind === measure.kind))
  return new Set(found.filter(isThere).map(({ id }) => id))
}

function busiestIn(hours: readonly IssueHour[], { startedMs, endedMs }: PastFiring): number | null {
  const [first, last] = [startedMs / HOUR_MS - 1, (endedMs ?? Number.POSITIVE_INFINITY) / HOUR_MS]
  const counts = countByIssue(hours.filter(({ hour }) => hour >= first && hour < last))
  let busiest: number | null = null
  for (const [id, count] of counts) if (busiest === null || count > (counts.get(busiest) ?? 0)) busiest = id
  return busiest
}

function countByIssue(hours: readonly IssueHour[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { issueId, count } of hours) counts.set(issueId, (counts.get(issueId) ?? 0) + count)
  return counts
}
