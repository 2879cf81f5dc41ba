/** Alert rules, with what a test cares about. */
import { orgId } from '#base/ids.ts'
import type { AlertRule, IssueWhen, MetricWhen, RuleDraft } from '#model/alert-rule.ts'

type Common = Omit<RuleDraft, 'kind' | 'when'>

const COMMON: Common = {
  name: 'A rule',
  isOn: true,
  projects: null,
  if: { match: 'all', conditions: [] },
  notify: [{ target: { to: 'members' }, fromLevel: 'warning' }],
  everyMinutes: 60,
  isQuiet: false,
}

export function anIssueRule(when: IssueWhen, change: Partial<Common> = {}): RuleDraft {
  return { ...COMMON, ...change, kind: 'issue', when: [when] }
}

/** Builds a rule about events above 10 (critical) and 5 (warning) in 5 minutes. */
export function aMetricRule(when: Partial<MetricWhen> = {}, change: Partial<Common> = {}): RuleDraft {
  return {
    ...{ ...COMMON, ...change, kind: 'metric' },
    when: {
      ...{ measure: { of: 'events' }, windowMinutes: 5, direction: 'above', critical: 10, warning: 5 },
      ...{ resolved: null, atLeast: 0, timesLastWeek: null, ...when },
    },
  }
}

/** A rule as it is stored. */
export function aRule(
  draft: RuleDraft,
  change: Partial<Pick<AlertRule, 'id' | 'orgId' | 'mute' | 'createdMs'>> = {},
): AlertRule {
  return {
    ...{
      ...draft,
      id: 1,
      orgId: orgId(1),
      isPreset: false,
      createdBy: 'Rosa',
      createdById: null,
      createdMs: 0,
    },
    ...{ changedBy: 'Rosa', changedMs: 0, mute: null, ...change },
  }
}
