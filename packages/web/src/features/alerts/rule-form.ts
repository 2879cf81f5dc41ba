/** A rule as the fields of a form, and back: texts alone, lists side by side. Pure. */
import type { RuleDraft } from '@errata/server/queries'

/** Fields as `form-body.ts` reads a form. */
export interface RuleFields {
  readonly kind: 'issue' | 'metric'
  readonly name: string
  readonly projects: readonly string[]
  readonly match: string
  /** Match of issue rules: whether any moment fires, or all at once. */
  readonly whenMatch: string
  readonly everyMinutes: string
  readonly isQuiet: boolean
  readonly isOn: boolean
  /** Moments of issue rules. */
  readonly when: readonly WhenRow[]
  readonly metric: MetricFields
  readonly conditions: readonly ConditionRow[]
  readonly receivers: readonly ReceiverRow[]
}

export interface WhenRow {
  readonly on: string
  readonly of: string
  readonly count: string
  readonly minutes: string
  readonly times: string
}

export interface ConditionRow {
  readonly is: string
  readonly how: string
  readonly key: string
  readonly value: string
}

export interface ReceiverRow {
  /** `members`, `assignee`, `owners:nobody`, `channel:3`, `user:5`, `team:2`. */
  readonly to: string
  readonly from: string
}

export interface MetricFields {
  readonly measure: string
  readonly route: string
  readonly requestKind: string
  readonly thresholdMs: string
  readonly windowMinutes: string
  readonly direction: string
  readonly critical: string
  readonly warning: string
  readonly resolved: string
  readonly atLeast: string
  readonly timesLastWeek: string
}

type IssueWhen = Extract<RuleDraft, { readonly kind: 'issue' }>['when'][number]
type MetricWhen = Extract<RuleDraft, { readonly kind: 'metric' }>['when']
type Condition = RuleDraft['if']['conditions'][number]

export const NO_WHEN: WhenRow = { on: 'new', of: 'events', count: '100', minutes: '60', times: '2' }
export const NO_CONDITION: ConditionRow = { is: '', how: '', key: '', value: '' }
export const NO_RECEIVER: ReceiverRow = { to: '', from: 'warning' }

const METRIC_DEFAULT: MetricFields = {
  ...{ measure: 'failure-rate', route: '', requestKind: '', thresholdMs: '300', windowMinutes: '5' },
  ...{ direction: 'above', critical: '10', warning: '5', resolved: '', atLeast: '50', timesLastWeek: '' },
}

export function newRule(kind: RuleFields['kind']): RuleFields {
  return {
    ...{
      kind,
      name: '',
      projects: [],
      match: 'all',
      whenMatch: 'any',
      everyMinutes: '60',
      isQuiet: true,
      isOn: true,
    },
    ...{ when: [NO_WHEN], metric: METRIC_DEFAULT, conditions: [] },
    receivers: [{ to: 'members', from: 'warning' }],
  }
}

export function ruleFields(draft: RuleDraft): RuleFields {
  const { name, projects, isOn, isQuiet, everyMinutes, notify } = draft
  return {
    ...newRule(draft.kind),
    ...{ name, isOn, isQuiet, everyMinutes: String(everyMinutes), match: draft.if.match },
    projects: (projects ?? []).map(String),
    conditions: draft.if.conditions.map(conditionRow),
    receivers: notify.map(({ target, fromLevel }) => ({ to: targetText(target), from: fromLevel })),
    ...(draft.kind === 'issue'
      ? { when: draft.when.map(whenRow), whenMatch: draft.whenMatch ?? 'any' }
      : { metric: metricFields(draft.when) }),
  }
}

function targetText(target: RuleDraft['notify'][number]['target']): string {
  if (target.to === 'channel') return `channel:${target.channelId}`
  if (target.to === 'user') return `user:${target.userId}`
  if (target.to === 'owners') return `owners:${target.otherwise}`
  return target.to === 'team' ? `team:${target.teamId}` : target.to
}

function whenRow(when: IssueWhen): WhenRow {
  const counted =
    'atLeast' in when ? { count: String(when.atLeast), minutes: String(when.withinMinutes) } : {}
  const of = 'of' in when ? { of: when.of } : {}
  const times = 'times' in when ? { times: String(when.times) } : {}
  const what = when.on === 'activity' ? { of: when.what.join('+') } : {}
  return { ...NO_WHEN, on: when.on, ...counted, ...of, ...times, ...what }
}

function conditionRow(condition: Condition): ConditionRow {
  const row = { ...NO_CONDITION, is: condition.is }
  switch (condition.is) {
    case 'level':
      return { ...row, how: condition.how, value: condition.level }
    case 'priority':
      return { ...row, how: condition.how, value: condition.priority }
    case 'tag':
      return { ...row, how: condition.how, key: condition.key, value: condition.value }
    case 'handled':
      return { ...row, value: condition.value ? 'yes' : 'no' }
    case 'age':
      return { ...row, how: condition.than, value: String(condition.minutes) }
    case 'assignee':
      return { ...row, value: condition.userId === null ? 'nobody' : String(condition.userId) }
    default:
      return { ...row, value: condition.value }
  }
}

function metricFields({ measure, ...when }: MetricWhen): MetricFields {
  const text = (value: number | null) => (value === null ? '' : String(value))
  const requests = 'route' in measure ? { route: measure.route ?? '', requestKind: measure.kind ?? '' } : {}
  return {
    ...METRIC_DEFAULT,
    measure: measureText(measure),
    ...requests,
    ...(measure.of === 'apdex' ? { thresholdMs: String(measure.thresholdMs) } : {}),
    ...{
      windowMinutes: String(when.windowMinutes),
      direction: when.direction,
      atLeast: String(when.atLeast),
    },
    ...{ critical: text(when.critical), warning: text(when.warning), resolved: text(when.resolved) },
    timesLastWeek: text(when.timesLastWeek),
  }
}

function measureText(measure: MetricWhen['measure']): string {
  if (measure.of === 'duration') return `duration-${measure.percentile}`
  if (measure.of === 'crash-free') return `crash-free-${measure.what}`
  return measure.of === 'outcomes' ? `outcomes-${measure.outcomes.join('+')}` : measure.of
}

/** Builds the draft that the command reads; the command reports what is wrong. */
export function draftOf(fields: RuleFields): unknown {
  const { kind, name, projects, match, isOn, isQuiet, everyMinutes } = fields
  return {
    ...{ kind, name, isOn, isQuiet, everyMinutes: typedNumber(everyMinutes) },
    projects: projects.length === 0 ? null : projects.map(typedNumber),
    if: { match, conditions: fields.conditions.filter(({ is }) => is !== '').map(conditionOf) },
    notify: fields.receivers
      .filter(({ to }) => to !== '')
      .map(({ to, from }) => ({ target: targetOf(to), fromLevel: from })),
    ...(kind === 'issue' && fields.whenMatch === 'all' ? { whenMatch: 'all' } : {}),
    when: kind === 'issue' ? fields.when.filter(({ on }) => on !== '').map(whenOf) : metricOf(fields.metric),
  }
}

function typedNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

function orNull(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

function targetOf(to: string): unknown {
  const [sort = '', id = ''] = to.split(':')
  if (sort === 'owners') return { to: sort, otherwise: id }
  const key = { channel: 'channelId', user: 'userId', team: 'teamId' }[sort]
  return key === undefined ? { to: sort } : { to: sort, [key]: typedNumber(id) }
}

function whenOf({ on, of, count, minutes, times }: WhenRow): unknown {
  const counted = { atLeast: typedNumber(count), withinMinutes: typedNumber(minutes) }
  switch (on) {
    case 'frequency':
      return { on, of: of === 'users' ? of : 'events', ...counted }
    case 'increase':
      return { on, of: of === 'users' ? of : 'events', times: typedNumber(times), ...counted }
    case 'digest':
      return { on, ...counted }
    case 'activity':
      return { on, what: of.split('+').filter((what) => what === 'comment' || what === 'assignment') }
    default:
      return { on }
  }
}

function conditionOf({ is, how, key, value }: ConditionRow): unknown {
  switch (is) {
    case 'level':
      return { is, how: how === '' ? 'at least' : how, level: value }
    case 'priority':
      return { is, how: how === '' ? 'at least' : how, priority: value }
    case 'tag':
      return { is, how: how === '' ? 'is' : how, key, value }
    case 'handled':
      return { is, value: value === 'yes' }
    case 'age':
      return { is, than: how === '' ? 'newer' : how, minutes: typedNumber(value) }
    case 'assignee':
      return { is, userId: value === 'nobody' ? null : typedNumber(value) }
    default:
      return { is, value }
  }
}

function metricOf(metric: MetricFields): unknown {
  return {
    measure: measureOf(metric),
    ...{ windowMinutes: typedNumber(metric.windowMinutes), direction: metric.direction },
    ...{
      critical: orNull(metric.critical),
      warning: orNull(metric.warning),
      resolved: orNull(metric.resolved),
    },
    ...{ atLeast: metric.atLeast.trim() === '' ? 0 : Number(metric.atLeast) },
    timesLastWeek: orNull(metric.timesLastWeek),
  }
}

function measureOf({ measure, route, requestKind, thresholdMs }: MetricFields): unknown {
  const requests = {
    route: route.trim() === '' ? null : route,
    kind: requestKind === '' ? null : requestKind,
  }
  if (measure === 'requests' || measure === 'failure-rate') return { of: measure, ...requests }
  if (measure === 'apdex') return { of: 'apdex', thresholdMs: typedNumber(thresholdMs), ...requests }
  const [, sort = '', rest = ''] = /^(duration|crash-free|outcomes)-(.+)$/.exec(measure) ?? []
  if (sort === 'duration') return { of: 'duration', percentile: Number(rest), ...requests }
  if (sort === 'crash-free') return { of: 'crash-free', what: rest }
  return sort === 'outcomes' ? { of: 'outcomes', outcomes: rest.split('+') } : { of: measure }
}
