import { conditionOf, type RuleDraft } from '@errata/server/queries'

/** Returns from where on a rule warns, beside the sentence that says from where on it is critical; `null` where that says it. */
export function warningText(rule: RuleDraft): string | null {
  if (rule.kind === 'issue' || rule.when.critical === null || rule.when.warning === null) return null
  return `warning ${conditionOf(rule.when, 'warning')}`
}
