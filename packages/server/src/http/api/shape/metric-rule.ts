/** Metric rules as Sentry's public API has them, and back. Shares are percents. */
import * as v from 'valibot'
import { byWord } from '#base/by-word.ts'
import type { AlertRule, Measure, RuleReceiver } from '#model/alert-rule.ts'
import { badField } from '../refusals.ts'
import { OWNER, targetOf } from './issue-rule.ts'
import { isoTimeText } from './times.ts'

type MetricRule = Extract<AlertRule, { readonly kind: 'metric' }>

/** Action of an issue rule, or of Sentry's metric rules: a type and a receiver. */
const ACTION = v.looseObject({
  id: v.optional(v.nullable(v.union([v.string(), v.number()], 'id: text.')), null),
  type: v.optional(v.string('type: text.')),
})
type Action = v.InferOutput<typeof ACTION>
const TRIGGER = v.object({
  label: v.picklist(['critical', 'warning'], 'label: critical or warning.'),
  alertThreshold: v.number('alertThreshold: a number.'),
  actions: v.optional(v.array(ACTION), []),
})

export const METRIC_RULE = v.object({
  owner: OWNER,
  name: v.string('name: text.'),
  aggregate: v.string('aggregate: text.'),
  dataset: v.optional(v.string(), 'events'),
  query: v.optional(v.string(), ''),
  timeWindow: v.number('timeWindow: minutes.'),
  thresholdType: v.picklist([0, 1], 'thresholdType: 0 for above, 1 for below.'),
  resolveThreshold: v.optional(v.nullable(v.number()), null),
  comparisonDelta: v.optional(
    v.nullable(v.literal(0, 'comparisonDelta: a comparison with an earlier time is not supported here.')),
    null,
  ),
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
      ...measureQuestion(when.measure),
    },
    ...{ timeWindow: when.windowMinutes, thresholdType, resolveThreshold: when.resolved, triggers },
    environment: environment?.is === 'environment' ? environment.value : null,
    ...{ projects: slugs, owner: rule.owner ?? null, comparisonDelta: null },
    ...{ dateCreated: isoTimeText(createdMs), dateModified: isoTimeText(changedMs) },
    snooze: mute !== null && (mute.untilMs === null || mute.untilMs > nowMs),
    createdBy: createdById === null ? null : { id: createdById, name: createdBy },
  }
}

/** Actions of metric rules have a type each, and ids to be known by. */
function metricActionShape({ target }: RuleReceiver, trigger: string, at: number) {
  const id = { id: `${trigger}-${at + 1}`, alertRuleTriggerId: trigger }
  const shaped = (type: string, targetType: string, targetIdentifier: number | string | null) => ({
    ...{ ...id, type, targetType },
    targetIdentifier: targetIdentifier === null ? null : String(targetIdentifier),
    ...{ inputChannelId: null, integrationId: null, sentryAppId: null },
  })
  switch (target.to) {
    case 'channel':
      return shaped('errata', 'specific', target.channelId)
    case 'user':
      return shaped('email', 'user', target.userId)
    case 'team':
      return shaped('email', 'team', target.teamId)
    case 'owners':
      return shaped('email', 'owners', target.otherwise)
    case 'members':
    case 'assignee':
      return shaped('email', target.to, null)
  }
}

/** Reads a receiver in the words of a metric rule, or of an issue rule. */
function metricTargetOf({ id, type, ...fields }: Action): unknown {
  if (type === undefined) return targetOf({ ...fields, id: String(id ?? '') })
  const { targetType, targetIdentifier } = fields
  switch (`${type} ${String(targetType)}`) {
    case 'errata specific':
      return { to: 'channel', channelId: Number(targetIdentifier) }
    case 'email user':
      return { to: 'user', userId: Number(targetIdentifier) }
    case 'email team':
      return { to: 'team', teamId: Number(targetIdentifier) }
    case 'email owners':
      return { to: 'owners', otherwise: targetIdentifier }
    case 'email members':
    case 'email assignee':
      return { to: targetType }
  }
  const asked = `type ${JSON.stringify(type)} for ${JSON.stringify(targetType ?? null)}`.slice(0, 80)
  throw badField(
    'actions',
    `${asked} is not supported here: email for user or team, or errata.actions.channel.`,
  )
}

function measureQuestion(measure: Measure) {
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

/** Builds the draft that the command reads; the command reports wrong values. */
export function metricRuleDraft(rule: v.InferOutput<typeof METRIC_RULE>, projects: readonly number[]) {
  const threshold = (wanted: string) =>
    rule.triggers.find(({ label }) => label === wanted)?.alertThreshold ?? null
  return {
    ...{ kind: 'metric', name: rule.name, projects, owner: rule.owner },
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

/**
 * Reads the route that a query chooses: one, or everything. Anything else in the query is refused, never
 * dropped.
 */
function readRouteQuery(query: string): string | null {
  const asked = query.trim()
  // Of failures there are no others here.
  if (asked === '' || asked === 'event.type:error' || asked === 'event.type:transaction') return null
  const [whole, quoted, plain] = /^transaction:(?:"([^"]+)"|([^\s"]+))$/.exec(asked) ?? []
  if (whole === undefined)
    throw badField('query', `"${asked.slice(0, 60)}" is not supported here: transaction:ROUTE alone.`)
  return quoted ?? plain ?? null
}

const DATASETS = [
  'events',
  'transactions',
  'generic_metrics',
  'events_analytics_platform',
  'metrics',
  'sessions',
  'errata',
]

function measureOf({ aggregate, dataset, query }: v.InferOutput<typeof METRIC_RULE>): unknown {
  if (!DATASETS.includes(dataset))
    throw badField('dataset', `"${dataset.slice(0, 60)}" is not supported here.`)
  const route = readRouteQuery(query)
  const of = { route, kind: null }
  const [, name = '', argument = ''] = /^([a-z0-9_]+)\(([^()]*)\)(?: AS \w+)?$/.exec(aggregate.trim()) ?? []
  const onEvents = dataset === 'events'
  const ofEvents = (measure: object) => {
    if (route !== null) throw badField('query', 'Errors are not counted by route here: leave it out.')
    return measure
  }
  switch (name) {
    case 'count':
      if (argument !== '') break
      return onEvents ? ofEvents({ of: 'events' }) : { of: 'requests', ...of }
    case 'count_unique':
      if (argument !== 'user' || !onEvents) break
      return ofEvents({ of: 'users' })
    case 'failure_rate':
      if (argument !== '' || onEvents) break
      return { of: 'failure-rate', ...of }
    case 'apdex':
      if (!/^\d+$/.test(argument) || onEvents) break
      return { of: 'apdex', thresholdMs: Number(argument), ...of }
    case 'silence':
      return { of: 'silence' }
    case 'outcomes':
      return { of: 'outcomes', outcomes: argument.split(', ') }
    case 'percentage': {
      const what = CRASHES[argument]
      if (what === undefined) break
      return ofEvents({ of: 'crash-free', what })
    }
  }
  const percentile = /^p(50|75|95|99)$/.exec(name)?.[1] ?? percentileOf(name, argument)
  const ofDuration = argument === '' || /^(?:transaction|span)\.duration(?:, ?0\.\d+)?$/.test(argument)
  if (percentile === undefined || onEvents || !ofDuration)
    throw badField(
      'aggregate',
      `"${aggregate.slice(0, 60)}" of the dataset ${dataset} is not supported here.`,
    )
  return { of: 'duration', percentile: Number(percentile), ...of }
}

const CRASHES: Readonly<Record<string, 'sessions' | 'users'>> = byWord({
  'sessions_crashed, sessions': 'sessions',
  'users_crashed, users': 'users',
})

/** `percentile(transaction.duration, 0.95)` is `p95`. */
function percentileOf(name: string, argument: string): string | undefined {
  const share = name === 'percentile' ? /, ?(0\.\d+)$/.exec(argument)?.[1] : undefined
  const percent = share === undefined ? null : Math.round(Number(share) * 1_000) / 10
  return percent === null ? undefined : [50, 75, 95, 99].includes(percent) ? String(percent) : undefined
}
