/** Conditions on events, and rules that batches are counted for because of them. */
import type { AlertRule, RuleCondition, RuleDraft } from '#model/alert-rule.ts'

/** Conditions that only the events themselves answer. */
export type EventCondition = Extract<
  RuleCondition,
  { readonly is: 'environment' | 'release' | 'tag' | 'kind' }
>

/** Whether batches are counted for this rule apart from all others. */
export function countsForItself(rule: RuleDraft): boolean {
  if (rule.kind === 'issue')
    return countsApart(rule) && rule.when.some(({ on }) => on === 'frequency' || on === 'increase')
  const { of } = rule.when.measure
  return of === 'events' || of === 'users' || 'route' in rule.when.measure
}

/** With all conditions to hold, those on events choose what is counted; otherwise they are asked afterwards. */
export function countsApart({ if: { match, conditions } }: Pick<AlertRule, 'if'>): boolean {
  return match === 'all' && conditions.some(isOnEvents)
}

export function isOnEvents(condition: RuleCondition): condition is EventCondition {
  if (condition.is === 'release') return condition.value !== 'latest'
  return condition.is === 'environment' || condition.is === 'tag' || condition.is === 'kind'
}
