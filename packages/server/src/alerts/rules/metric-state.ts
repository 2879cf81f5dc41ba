/**
 * State of a metric rule after a value.
 *
 *     ok ──beyond warning──▶ warning ──beyond critical──▶ critical
 *      ▲                        │ ▲                          │
 *      └──beyond `resolved`─────┘ └──no longer critical──────┘
 *
 * Between two thresholds a state stays what it is, so that a value that hovers at one does not fire again and again. With
 * too little to tell (`value` null) a rule is ok: nobody is affected by what does not happen.
 */
import type { MetricWhen, RuleState } from '#model/alert-rule.ts'

export type Thresholds = Pick<MetricWhen, 'direction' | 'critical' | 'warning' | 'resolved'>

export function stateAfter(before: RuleState, when: Thresholds, value: number | null): RuleState {
  if (value === null) return 'ok'
  const { critical, warning } = when
  if (critical !== null && isBeyond(when, value, critical)) return 'critical'
  if (warning !== null && isBeyond(when, value, warning)) return 'warning'
  if (before === 'ok' || isOver(when, value)) return 'ok'
  return warning === null ? 'critical' : 'warning'
}

function isBeyond({ direction }: Thresholds, value: number, threshold: number): boolean {
  return direction === 'above' ? value > threshold : value < threshold
}

function isOver(when: Thresholds, value: number): boolean {
  const resolved = when.resolved ?? when.warning ?? when.critical
  return resolved === null || !isBeyond(when, value, resolved)
}

export function worseOf(when: Thresholds, before: number | null, value: number | null): number | null {
  if (before === null || value === null) return before ?? value
  return when.direction === 'above' ? Math.max(before, value) : Math.min(before, value)
}

/** Whether `level` reaches a receiver that hears of `from` and worse. */
export function reachesReceiver(level: RuleState, from: 'warning' | 'critical'): boolean {
  return level === 'critical' || (level === 'warning' && from === 'warning')
}
