/** Metric rules as Sentry's public API has them, and back. Shares are percents. */
import * as v from 'valibot'
import type { AlertRule, Measure, RuleReceiver } from '#model/alert-rule.ts'
import { targetOf } from './issue-rule.ts'
import { time } from './times.ts'

type MetricRule = Extract<AlertRule, { readonly kind: 'metric' }>

const ACTION = v.looseObject({
  id: v.optional(v.nullable(v.union([v.string(), v.number()], 'id: text.')), null),
  type: v.optional(v.string('type: text.'), ''),
})
type Action = v.InferOutput<typeof ACTION>
const TRIGGER = v.object({
  label: v.picklist(['critical', 'warning'], 'label: critical or warning.'),
  alertThreshold: v.number('alertThreshold: a number.'),
  actions: v.optional(v.array(ACTION), []),
})

export const METRIC_RULE = v.object({
  name: v.string('name: text.'),
  aggregate: v.string('aggregate: text.'),
  dataset: v.optional(v.string(), 'events'),
  query: v.optional(v.string(), ''),
  timeWindow: v.number('timeWindow: minutes.'),
  thresholdType: v.picklist([0, 1], 'thresholdType: 0 for above, 1 for below.'),
  resolveThreshold: v.optional(v.nullable(v.number()), null),
  environment: v.optional(v.nullable(v.string()), null),
  /** Below a project it is that one. */
  projects: v.optional(v.array(v.string('projects: slugs.')), []),
  triggers: v.pipe(
    v.array(TRIGGER),
    v.minLength(1, 'triggers: at least one.'),
    v.maxLength(2, 'triggers: two.'),
  ),
})

const CRASH_FREE = {
  sessions: 'percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate',
  users: 'percentage(users_crashed, users) AS _crash_rate_alert_aggregate',
} as const

export function metricRuleShape(rule: MetricRule, slugs: readonly string[], nowMs: number) {
  const {
    id,
    orgId,
    name,
    when,
    if: given,
    notify,
    isOn,
    createdMs,
    changedMs,
    createdBy,
    createdById,
    mute,
  } = rule
  const environment = given.conditions.find(({ is }) => is === 'environment')
  const thresholdType = when.direction === 'above' ? 0 : 1
  const triggers = (['critical', 'warning'] as const).flatMap((label) => {
    const alertThreshold = when[label]
    const own = notify.filter(({ fromLevel }) => fromLevel === label)
    const actions = own.map((receiver, at) => metricActionShape(receiver, `${id}-${label}`, at))
    return alertThreshold === null
      ? []
      : [
          {
            id: `${id}-${label}`,
            alertRuleId: String(id),
            label,
            alertThreshold,
            thresholdType,
            resolveThreshold: when.resolved,
            actions,
          },
        ]
  })
  return {
    ...{
      id: String(id),
      name,
      organizationId: String(orgId),
      status: isOn ? 0 : 4,
      ...questionOf(when.measure),
    },
    ...{ timeWindow: when.windowMinutes, thresholdType, resolveThreshold: when.resolved, triggers },
    environment: environment?.is === 'environment' ? environment.value : null,
    ...{ projects: slugs, owner: null, comparisonDelta: null },
    ...{ dateCreated: time(createdMs), dateModified: time(changedMs) },
    snooze: mute !== null && (mute.untilMs === null || mute.untilMs > nowMs),
    createdBy: createdById === null ? null : { id: createdById, name: createdBy },
  }
}

/** Actions of metric rules have a type each, and ids to be known by. */
function metricActionShape({ target }: RuleReceiver, trigger: string, at: number) {
  const id = { id: `${trigger}-${at + 1}`, alertRuleTriggerId: trigger }
  const shaped = (type: string, targetType: string, targetIdentifier: number | null) => ({
    ...{ ...id, type, targetType },
    targetIdentifier: targetIdentifier === null ? null : String(targetIdentifier),
    ...{ inputChannelId: null, integrationId: null, sentryAppId: null },
  })
  if (target.to === 'channel') return shaped('errata', 'specific', target.channelId)
  if (target.to === 'user') return shaped('email', 'user', target.userId)
  if (target.to === 'team') return shaped('email', 'team', target.teamId)
  return shaped('email', target.to, null)
}

/** In the words of a metric rule, or in those of an issue rule. */
function metricTargetOf({ id, type, targetType, targetIdentifier, ...fields }: Action): unknown {
  if (type === 'errata') return { to: 'channel', channelId: Number(targetIdentifier) }
  if (type !== 'email')
    return type === ''
      ? targetOf({ ...fields, id: String(id ?? ''), targetType, targetIdentifier })
      : { to: type }
  if (targetType === 'user') return { to: 'user', userId: Number(targetIdentifier) }
  if (targetType === 'team') return { to: 'team', teamId: Number(targetIdentifier) }
  return { to: targetType }
}

function questionOf(measure: Measure) {
  const query = 'route' in measure && measure.route !== null ? `transaction:${measure.route}` : ''
  const spans = { dataset: 'transactions', query }
  switch (measure.of) {
    case 'events':
      return { dataset: 'events', aggregate: 'count()', query }
    case 'users':
      return { dataset: 'events', aggregate: 'count_unique(user)', query }
    case 'requests':
      return { ...spans, aggregate: 'count()' }
    case 'failure-rate':
      return { ...spans, aggregate: 'failure_rate()' }
    case 'apdex':
      return { ...spans, aggregate: `apdex(${measure.thresholdMs})` }
    case 'duration':
      return { ...spans, aggregate: `p${measure.percentile}(transaction.duration)` }
    case 'crash-free':
      return { dataset: 'metrics', aggregate: CRASH_FREE[measure.what], query }
    case 'outcomes':
      return { dataset: 'errata', aggregate: `outcomes(${measure.outcomes.join(', ')})`, query }
    case 'silence':
      return { dataset: 'errata', aggregate: 'silence()', query }
  }
}

/** What the command reads; it says what is wrong of values. */
export function metricRuleDraft(rule: v.InferOutput<typeof METRIC_RULE>, projects: readonly number[]) {
  const threshold = (wanted: string) =>
    rule.triggers.find(({ label }) => label === wanted)?.alertThreshold ?? null
  return {
    ...{ kind: 'metric', name: rule.name, projects },
    if: {
      match: 'all',
      conditions: rule.environment === null ? [] : [{ is: 'environment', value: rule.environment }],
    },
    when: {
      ...{ measure: measureOf(rule), windowMinutes: rule.timeWindow },
      ...{ direction: rule.thresholdType === 0 ? 'above' : 'below', resolved: rule.resolveThreshold },
      ...{ critical: threshold('critical'), warning: threshold('warning'), atLeast: 0, timesLastWeek: null },
    },
    notify: rule.triggers.flatMap(({ label, actions }) =>
      actions.map((action) => ({ target: metricTargetOf(action), fromLevel: label })),
    ),
  }
}

function measureOf({ aggregate, dataset, query }: v.InferOutput<typeof METRIC_RULE>): unknown {
  const route = /(?:^| )transaction:"?([^" ]+)"?/.exec(query)?.[1] ?? null
  const of = { route, kind: null }
  const [, name = '', argument = ''] = /^([a-z0-9_]+)\((.*?)\)/.exec(aggregate.trim()) ?? []
  if (name === 'count') return dataset === 'events' ? { of: 'events' } : { of: 'requests', ...of }
  if (name === 'count_unique') return { of: 'users' }
  if (name === 'failure_rate') return { of: 'failure-rate', ...of }
  if (name === 'apdex') return { of: 'apdex', thresholdMs: Number(argument), ...of }
  if (name === 'silence') return { of: 'silence' }
  if (name === 'outcomes') return { of: 'outcomes', outcomes: argument.split(', ') }
  if (name === 'percentage')
    return { of: 'crash-free', what: argument.startsWith('users') ? 'users' : 'sessions' }
  const percentile = /^p(50|75|95|99)$/.exec(name)?.[1]
  return percentile === undefined
    ? { of: aggregate }
    : { of: 'duration', percentile: Number(percentile), ...of }
}
