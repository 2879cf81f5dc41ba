/** Whether what a rule asks for beside the moment holds. */
import { MINUTE_MS } from '#base/durations.ts'
import type { AlertRule, RuleCondition } from '#model/alert-rule.ts'
import { LEVELS } from '#model/event.ts'
import { PRIORITIES } from '#model/priority.ts'
import type { WatchedIssue } from './alert-store.ts'
import { tagComparison } from './tag-comparison.ts'
import type { SeenFacts } from './watch.ts'

export interface Matched {
  readonly issue: WatchedIssue
  readonly facts: SeenFacts
  readonly latestRelease: string | null
  readonly atMs: number
}

export function matches({ if: { match, conditions } }: Pick<AlertRule, 'if'>, given: Matched): boolean {
  if (conditions.length === 0) return true
  const holds = (condition: RuleCondition) => isTrue(condition, given)
  if (match === 'none') return !conditions.some(holds)
  return match === 'all' ? conditions.every(holds) : conditions.some(holds)
}

/** Whether its project's latest release must be known. */
export function asksLatestRelease({ if: { conditions } }: Pick<AlertRule, 'if'>): boolean {
  return conditions.some((one) => one.is === 'release' && one.value === 'latest')
}

function isTrue(condition: RuleCondition, given: Matched): boolean {
  const { issue, facts, atMs } = given
  switch (condition.is) {
    case 'level':
      return reachesBound(condition.how, LEVELS.indexOf(issue.level), LEVELS.indexOf(condition.level))
    case 'priority':
      return reachesBound(
        condition.how,
        PRIORITIES.indexOf(issue.priority),
        PRIORITIES.indexOf(condition.priority),
      )
    case 'environment':
      return facts.tags.environment?.includes(condition.value) ?? false
    case 'release': {
      const wanted = condition.value === 'latest' ? given.latestRelease : condition.value
      return wanted !== null && (facts.tags.release?.includes(wanted) ?? facts.release === wanted)
    }
    case 'tag':
      return tagMatches(condition, facts)
    case 'kind':
      return facts.kinds.includes(condition.value)
    case 'handled':
      return issue.handled === condition.value
    case 'age': {
      const ageMs = atMs - issue.firstSeenMs
      const boundMs = condition.minutes * MINUTE_MS
      return condition.than === 'older' ? ageMs > boundMs : ageMs <= boundMs
    }
    case 'assignee':
      return issue.assigneeId === condition.userId && (condition.userId !== null || !issue.isOfTeam)
    case 'text': {
      const wanted = condition.value.toLowerCase()
      return [issue.title, issue.eventTitle ?? '', issue.culprit].some((text) =>
        text.toLowerCase().includes(wanted),
      )
    }
  }
}

/** Levels and priorities go from the worst to the least. */
export function reachesBound(how: 'at least' | 'exactly' | 'at most', at: number, bound: number): boolean {
  if (how === 'exactly') return at === bound
  return how === 'at least' ? at <= bound : at >= bound
}

function tagMatches(
  { key, how, value }: Extract<RuleCondition, { readonly is: 'tag' }>,
  { tags }: SeenFacts,
): boolean {
  const { isNegated, holds } = tagComparison({ how, value })
  return (tags[key] ?? []).some(holds) !== isNegated
}
