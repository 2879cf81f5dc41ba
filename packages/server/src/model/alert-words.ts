/** Rules in words: the same in the list, the log, messages and the API. */
import type {
  AlertRule,
  IssueRule,
  IssueWhen,
  Measure,
  MetricWhen,
  RequestMeasure,
  RuleCondition,
  RuleDraft,
  RuleState,
} from './alert-rule.ts'
import type { RequestKind } from './event.ts'

/** How people read what the rule names by id. */
export interface RuleNames {
  readonly person: (id: number) => string
}

const NO_NAMES: RuleNames = { person: (id) => `person ${id}` }

/**
 * Describes a rule in one sentence without a full stop: `failure rate of /checkout action over 10 % for 5
 * min, in production`.
 */
export function ruleSentence(rule: RuleDraft | AlertRule, names: RuleNames = NO_NAMES): string {
  const what = rule.kind === 'issue' ? momentsSentence(rule) : metricSentence(rule.when)
  const { match, conditions } = rule.if
  const words = conditions.map((condition) => conditionWords(condition, names))
  if (words.length === 0) return what
  return match === 'none'
    ? `${what}, none of: ${words.join(', ')}`
    : `${what}, ${words.join(match === 'all' ? ', ' : ' or ')}`
}

export function momentsSentence({ when, whenMatch }: Pick<IssueRule, 'when' | 'whenMatch'>): string {
  return when.map(momentWords).join(whenMatch === 'all' ? ', and ' : ', or ')
}

/** Why many alerts come as one. */
export const ONE_FOR_ALL = 'several alerts at once, sent as one message'

export function momentWords(when: IssueWhen): string {
  switch (when.on) {
    case 'new':
      return 'a new issue'
    case 'regressed':
      return 'a resolved issue regresses'
    case 'escalating':
      return 'an issue exceeds the forecast of its own past week'
    case 'resolved':
      return 'an issue is resolved'
    case 'frequency':
      return `an issue ${when.of === 'users' ? 'affects' : 'has'} ${countedPeople(when.atLeast, when.of)} within ${spanOfMinutes(when.withinMinutes)}`
    case 'increase':
      return `an issue has ${numberText(when.times)} times more ${when.of} than in the ${spanOfMinutes(when.withinMinutes)} before, at least ${numberText(when.atLeast)}`
    case 'digest':
      return `a digest is looked up by ${countedPeople(when.atLeast, 'people')} within ${spanOfMinutes(when.withinMinutes)}`
    case 'activity':
      return when.what.map((what) => (what === 'comment' ? 'a comment' : 'an assignment')).join(' or ')
  }
}

export function conditionWords(condition: RuleCondition, names: RuleNames = NO_NAMES): string {
  switch (condition.is) {
    case 'level':
      return condition.how === 'exactly'
        ? `level ${condition.level}`
        : `level ${condition.how} ${condition.level}`
    case 'priority':
      return condition.how === 'exactly'
        ? `priority ${condition.priority}`
        : `priority ${condition.how} ${condition.priority}`
    case 'environment':
      return `in ${condition.value}`
    case 'release':
      return condition.value === 'latest' ? 'in the latest release' : `in release ${condition.value}`
    case 'text':
      return `title has “${condition.value}”`
    case 'tag':
      return `${condition.key} ${condition.how} ${condition.value}`.trimEnd()
    case 'kind':
      return kindWords(condition.value)
    case 'handled':
      return condition.value ? 'handled' : 'unhandled'
    case 'age':
      return `${condition.than} than ${spanOfMinutes(condition.minutes)}`
    case 'assignee':
      return condition.userId === null ? 'unassigned' : `assigned to ${names.person(condition.userId)}`
  }
}

function metricSentence({ measure, windowMinutes, direction, ...when }: MetricWhen): string {
  if (measure.of === 'silence')
    return `no event and no trace for ${spanOfMinutes(when.critical ?? when.warning ?? 0)}`
  const beyond = [when.critical, when.warning].find((each) => each !== null) ?? 0
  const side = direction === 'above' ? 'over' : 'below'
  const what = when.atLeast === 1 ? volumeWords(measure).replace(/s$/, '') : volumeWords(measure)
  const least = when.atLeast > 0 ? `, at least ${numberText(when.atLeast)} ${what}` : ''
  const week =
    when.timesLastWeek === null ? '' : `, and ${numberText(when.timesLastWeek)} times the same hour last week`
  return `${measureWords(measure)} ${side} ${valueWords(measure, beyond)} for ${spanOfMinutes(windowMinutes)}${least}${week}`
}

export function measureWords(measure: Measure): string {
  switch (measure.of) {
    case 'events':
      return 'events'
    case 'users':
      return 'affected users'
    case 'silence':
      return 'no event and no trace'
    case 'requests':
      return `requests${requestWords(measure)}`
    case 'failure-rate':
      return `failure rate${requestWords(measure)}`
    case 'apdex':
      return `apdex${requestWords(measure)} at ${durationWords(measure.thresholdMs)}`
    case 'duration':
      return `p${measure.percentile}${requestWords(measure)}`
    case 'crash-free':
      return `crash-free ${measure.what}`
    case 'outcomes':
      return `items ${measure.outcomes.map((outcome) => outcome.replaceAll('_', ' ')).join(' or ')}`
  }
}

function requestWords({ route, kind }: Pick<RequestMeasure, 'route' | 'kind'>): string {
  if (route === null) return kind === null ? '' : ` of ${ALL_OF[kind]}`
  return kind === null ? ` of ${route}` : ` of ${route} ${kindWords(kind)}`
}

function kindWords(kind: RequestKind): string {
  return kind.replaceAll('-', ' ')
}

/** Without a route it is about all of a kind. */
const ALL_OF: Readonly<Record<RequestKind, string>> = {
  document: 'documents',
  'page-data': 'page data',
  prefetch: 'prefetches',
  action: 'actions',
  'route-handler': 'route handlers',
  static: 'static files',
  browser: 'browsers',
  other: 'other requests',
}

/** Names what the rule's minimum counts. */
export function volumeWords({ of }: Measure): string {
  if (of === 'crash-free') return 'sessions'
  if (of === 'events' || of === 'users') return 'events'
  return of === 'outcomes' ? 'items' : 'requests'
}

/** Formats a value for people: `15.0 %`, `1.2 s`, `2,340`. */
export function valueWords(measure: Measure, value: number): string {
  switch (measure.of) {
    case 'failure-rate':
      return `${numberInWords(value, 1)} %`
    case 'crash-free':
      return `${numberInWords(value, 2)} %`
    case 'apdex':
      return numberInWords(value, 2)
    case 'duration':
      return durationWords(value)
    case 'silence':
      return spanOfMinutes(Math.floor(value))
    default:
      return numberText(Math.round(value))
  }
}

/** Returns the unit of the thresholds; `''` for plain numbers. */
export function unitOf({ of }: Measure): string {
  if (of === 'failure-rate' || of === 'crash-free') return '%'
  if (of === 'duration') return 'ms'
  return of === 'silence' ? 'min' : ''
}

export function conditionOf(when: MetricWhen, level: RuleState): string {
  const { measure, direction, windowMinutes } = when
  if (level === 'ok') {
    const resolved = when.resolved ?? when.warning ?? when.critical
    return resolved === null
      ? 'back to normal'
      : `back to normal: ${direction === 'above' ? 'at most' : 'at least'} ${valueWords(measure, resolved)}`
  }
  const beyond = (level === 'critical' ? when.critical : when.warning) ?? when.critical ?? 0
  if (measure.of === 'silence') return `for more than ${spanOfMinutes(beyond)}`
  return `${direction === 'above' ? 'over' : 'below'} ${valueWords(measure, beyond)} for ${spanOfMinutes(windowMinutes)}`
}

/** `5 min`, `1 h`, `2 d`. */
export function spanOfMinutes(minutes: number): string {
  if (minutes >= 1_440 && minutes % 1_440 === 0) return `${minutes / 1_440} d`
  return minutes >= 60 && minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

/** The same of any time, in the unit that matters: `15 min`, `3 h`, `2 d`. */
export function roughSpan(minutes: number): string {
  if (minutes < 100) return spanOfMinutes(Math.max(1, Math.round(minutes)))
  const unit = minutes < 2_880 ? 60 : 1_440
  return spanOfMinutes(Math.round(minutes / unit) * unit)
}

function durationWords(ms: number): string {
  return ms >= 1_000 ? `${numberInWords(ms / 1_000, 2)} s` : `${Math.round(ms)} ms`
}

export function countedPeople(count: number, of: 'events' | 'users' | 'people'): string {
  const one = { events: 'event', users: 'user', people: 'person' }[of]
  return `${numberText(count)} ${count === 1 ? one : of}`
}

function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 })
}

function numberInWords(value: number, digits: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
