/** Rules that no form can show: another version of Errata may have saved what this one does not know. */
import {
  type AlertRule,
  conditionOf,
  conditionWords,
  measureWords,
  momentWords,
} from '@errata/server/queries'
import { ruleFields } from './rule-form.ts'

/** True if everything that a page says of a rule can be said of it. */
export function isReadableRule(rule: AlertRule): boolean {
  try {
    ruleFields(rule)
    const words: readonly unknown[] = [
      ...(rule.kind === 'issue' ? rule.when.map(momentWords) : metricWords(rule)),
      ...rule.if.conditions.map((condition) => conditionWords(condition)),
    ]
    return words.every((word) => typeof word === 'string')
  } catch {
    // What is stored may be anything: whatever trips over it, it is shown as text.
    return false
  }
}

function metricWords({ when }: Extract<AlertRule, { readonly kind: 'metric' }>): readonly unknown[] {
  return [measureWords(when.measure), conditionOf(when, 'critical')]
}
