/**
 * Metric rules as Sentry's API of detectors has them, and back, by way of the older shape. Every project also has the
 * detector of its errors, which rules of issues name: it is always there and never changes.
 */
import * as v from 'valibot'
import { byWord } from '#base/by-word.ts'
import type { ProjectId } from '#base/ids.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { Project } from '#ports/projects.ts'
import { readBody } from '../body.ts'
import { badField } from '../refusals.ts'
import { OWNER } from './issue-rule.ts'
import { METRIC_RULE, metricRuleShape } from './metric-rule.ts'
import { isoTimeText } from './times.ts'

type MetricRule = Extract<AlertRule, { readonly kind: 'metric' }>

/** Ids of rules are far below; a number, since tools make one of it. */
const ERRORS_FROM = 1_000_000_000_000

export function errorDetectorId(project: ProjectId): string {
  return String(ERRORS_FROM + project)
}

export function errorDetectorShape({ id, slug, createdMs }: Project, organizationId: string) {
  return {
    ...{ id: errorDetectorId(id), name: 'Error Monitor', type: 'error', organizationId },
    ...{ projectId: String(id), projectSlug: slug, enabled: true, owner: null, createdBy: null },
    ...{ dateCreated: isoTimeText(createdMs), dateUpdated: isoTimeText(createdMs) },
    ...{ dataSources: [], conditionGroup: null, config: {}, workflowIds: [] },
  }
}

const WINDOW_S = 60
/** Levels in Sentry's numbers; 0 means over. */
const RESULTS = { critical: 75, warning: 50, resolved: 0 } as const

export function detectorShape(rule: MetricRule, projects: readonly Project[], nowMs: number) {
  const { dataset, aggregate, query, timeWindow, environment, ...shape } = metricRuleShape(rule, [], nowMs)
  const [first] = projects
  const organizationId = String(rule.orgId)
  const id = String(rule.id)
  return {
    ...{
      id,
      name: rule.name,
      type: 'metric_issue',
      organizationId,
      enabled: rule.isOn,
      owner: rule.owner ?? null,
    },
    // Command-line tools show it so.
    status: rule.isOn ? 0 : 1,
    ...{ projectId: first === undefined ? null : String(first.id), projectSlug: first?.slug ?? null },
    projects: projects.map(({ slug }) => slug),
    createdBy: shape.createdBy === null ? null : String(shape.createdBy.id),
    ...{ dateCreated: shape.dateCreated, dateUpdated: shape.dateModified },
    dataSources: [
      {
        ...{ id, organizationId, type: 'snuba_query_subscription', sourceId: id },
        queryObj: {
          ...{ id, status: 0, subscription: null },
          snubaQuery: {
            ...{ id, dataset, aggregate, query, environment, timeWindow: timeWindow * WINDOW_S },
            eventTypes: dataset === 'events' ? ['error', 'default'] : ['trace_item_span'],
          },
        },
      },
    ],
    conditionGroup: {
      id,
      organizationId,
      logicType: 'any',
      conditions: detectorConditions(rule),
      actions: [],
    },
    ...{ config: { detectionType: 'static' }, workflowIds: [] },
  }
}

function detectorConditions({ id, when }: MetricRule) {
  const [over, back] = when.direction === 'above' ? ['gt', 'lte'] : ['lt', 'gte']
  return (['critical', 'warning', 'resolved'] as const).flatMap((name) => {
    const comparison = when[name]
    if (comparison === null) return []
    const type = name === 'resolved' ? back : over
    return [{ id: `${id}-${name}`, type, comparison, conditionResult: RESULTS[name] }]
  })
}

const QUERY = v.looseObject({
  aggregate: v.string('aggregate: text.'),
  dataset: v.string('dataset: text.'),
  query: v.optional(v.string('query: text.'), ''),
  timeWindow: v.number('timeWindow: seconds.'),
  environment: v.optional(v.nullable(v.string('environment: text.')), null),
})
const CONDITION = v.looseObject({
  type: v.optional(v.string('type: gt, gte, lt or lte.')),
  comparison: v.optional(v.number('comparison: a number.')),
  conditionResult: v.optional(v.number('conditionResult: 75, 50 or 0.')),
  /** Label that older tools send to the newer address. */
  label: v.optional(v.picklist(['critical', 'warning'], 'label: critical or warning.')),
  alertThreshold: v.optional(v.number('alertThreshold: a number.')),
  thresholdType: v.optional(v.picklist([0, 1], 'thresholdType: 0 for above, 1 for below.')),
  actions: v.optional(v.array(v.record(v.string(), v.unknown()))),
})

export const DETECTOR = v.object({
  owner: OWNER,
  name: v.string('name: text.'),
  type: v.literal('metric_issue', 'type: metric_issue alone is made here.'),
  enabled: v.optional(v.boolean('enabled: true or false.'), true),
  dataSources: v.pipe(v.array(QUERY), v.length(1, 'dataSources: one.')),
  config: v.optional(
    v.looseObject({
      detectionType: v.optional(
        v.literal('static', 'detectionType: static alone is supported here.'),
        'static',
      ),
    }),
  ),
  workflowIds: v.optional(
    v.pipe(
      v.array(v.union([v.string(), v.number()])),
      v.maxLength(0, 'workflowIds: here a metric rule names its receivers itself; leave these out.'),
    ),
  ),
  conditionGroup: v.optional(
    v.nullable(
      v.object({ conditions: v.pipe(v.array(CONDITION), v.minLength(1, 'conditions: at least one.')) }),
    ),
    null,
  ),
})
export type Detector = v.InferOutput<typeof DETECTOR>

const DATASETS: Readonly<Record<string, string>> = byWord({ errors: 'events', spans: 'transactions' })
/** Term that spans counted as requests need not be told by. */
const REQUESTS = /(^|\s)is_transaction:(true|1)(?=\s|$)/g

/** The same in the older words; thresholds that are left out stay those of the rule. */
export function metricRuleOf(detector: Detector, projects: readonly string[], rule: MetricRule | null) {
  const { name, dataSources, conditionGroup } = detector
  const [source] = dataSources
  const seconds = source?.timeWindow ?? 0
  const given = conditionGroup === null ? keepRule(rule) : readConditions(conditionGroup.conditions)
  return readBody(METRIC_RULE, {
    ...{ name, projects, owner: detector.owner, dataset: DATASETS[source?.dataset ?? ''] ?? source?.dataset },
    ...{ aggregate: source?.aggregate, query: (source?.query ?? '').replace(REQUESTS, ' ').trim() },
    ...{ timeWindow: seconds / WINDOW_S, environment: source?.environment || null, ...given },
  })
}

function keepRule(rule: MetricRule | null) {
  if (rule === null) throw badField('conditionGroup', 'conditionGroup: at least one condition.')
  const { thresholdType, resolveThreshold, triggers } = metricRuleShape(rule, [], 0)
  return { thresholdType, resolveThreshold, triggers }
}

function readConditions(conditions: readonly v.InferOutput<typeof CONDITION>[]) {
  const directions = new Set<0 | 1>()
  let resolveThreshold: number | null = null
  const triggers = conditions.flatMap((condition) => {
    const { type, comparison, conditionResult = RESULTS.critical, label, alertThreshold } = condition
    const threshold = alertThreshold ?? comparison
    if (threshold === undefined) throw badField('conditionGroup', 'comparison: a number.')
    if (conditionResult === RESULTS.resolved && label === undefined) {
      resolveThreshold = threshold
      return []
    }
    directions.add(condition.thresholdType ?? directionOf(type))
    const named = label ?? (conditionResult === RESULTS.warning ? 'warning' : 'critical')
    return [{ label: named, alertThreshold: threshold, actions: condition.actions ?? [] }]
  })
  const [thresholdType = 0, ...others] = directions
  if (others.length > 0) throw badField('conditionGroup', 'All conditions look above, or all below.')
  return { thresholdType, resolveThreshold, triggers }
}

/** Without one, as those who leave it out mean it. */
function directionOf(type = 'gt'): 0 | 1 {
  if (type === 'gt' || type === 'gte') return 0
  if (type === 'lt' || type === 'lte') return 1
  throw badField(
    'conditionGroup',
    `type ${JSON.stringify(type.slice(0, 40))} is not supported here: gt, gte, lt or lte.`,
  )
}
