/** Conditions of a rule on past moments, as far as issues themselves tell: what their events said then is not kept. */
import { reachesBound } from '#alerts/rules/matches.ts'
import { MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { RuleCondition, RuleIf } from '#model/alert-rule.ts'
import { LEVELS } from '#model/event.ts'
import { PRIORITIES } from '#model/priority.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'

interface Moment {
  readonly issueId: number
  readonly atMs: number
}

interface Asked {
  readonly given: RuleIf
  readonly moments: readonly Moment[]
  readonly note: (text: string) => void
}

export async function meetsIssueConditions(
  issues: Pick<IssuesRead, 'issuesByRefs'>,
  scope: ReadScope,
  { given: { match, conditions }, moments, note }: Asked,
): Promise<readonly Moment[]> {
  if (conditions.some(asksOfEvents)) note('Conditions on environment and tags aren’t considered.')
  const asked = conditions.filter((condition) => !asksOfEvents(condition))
  if (asked.length === 0) return moments
  const ids = [...new Set(moments.map(({ issueId }) => issueId))]
  const known = new Map<number, Issue>()
  const most = max('issuesPerChangeMax')
  for (let at = 0; at < ids.length; at += most) {
    const some = await issues.issuesByRefs(scope, ids.slice(at, at + most).map(String))
    for (const issue of some) known.set(issue.id, issue)
  }
  note('Conditions are checked against issues as they are now.')
  return moments.filter(({ issueId, atMs }) => {
    const issue = known.get(issueId)
    if (issue === undefined) return false
    const holds = (condition: RuleCondition) => isConditionTrue(condition, issue, atMs)
    if (match === 'none') return !asked.some(holds)
    return match === 'all' ? asked.every(holds) : asked.some(holds)
  })
}

function asksOfEvents({ is }: RuleCondition): boolean {
  return is === 'environment' || is === 'tag'
}

function isConditionTrue(condition: RuleCondition, issue: Issue, atMs: number): boolean {
  switch (condition.is) {
    case 'level':
      return reachesBound(condition.how, LEVELS.indexOf(issue.level), LEVELS.indexOf(condition.level))
    case 'priority':
      return reachesBound(
        condition.how,
        PRIORITIES.indexOf(issue.priority),
        PRIORITIES.indexOf(condition.priority),
      )
    case 'release':
      return condition.value === 'latest' || issue.lastRelease === condition.value
    case 'kind':
      return issue.kinds.some(({ kind }) => kind === condition.value)
    case 'handled':
      return issue.handled === condition.value
    case 'age': {
      const ageMs = atMs - issue.firstSeenMs
      return condition.than === 'older'
        ? ageMs > condition.minutes * MINUTE_MS
        : ageMs <= condition.minutes * MINUTE_MS
    }
    case 'assignee':
      return (issue.assignee?.userId ?? null) === condition.userId
    case 'text':
      return [issue.title, issue.culprit].some((text) =>
        text.toLowerCase().includes(condition.value.toLowerCase()),
      )
    case 'environment':
    case 'tag':
      return true
  }
}
