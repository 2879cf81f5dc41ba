/** Answers about alert rules, channels and what was sent. */
import * as v from 'valibot'
import {
  anyObject,
  anything,
  counts,
  digits,
  empty,
  flag,
  maybe,
  named,
  number,
  numberOrNull,
  open,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
} from './words.ts'

const RECEIVER = v.object({
  target: open({ to: text }),
  fromLevel: v.picklist(['warning', 'critical']),
})
const LEVEL = v.picklist(['ok', 'warning', 'critical'])

/** `when`: moments of an issue, or what a metric is measured by. */
export const RULE = named(
  'AlertRule',
  v.object({
    ...{ id: whole, name: text, kind: v.picklist(['issue', 'metric']), isOn: flag, isPreset: flag },
    projects: v.nullable(v.array(whole)),
    when: v.union([v.array(open({ on: text })), open({ measure: open({ of: text }), windowMinutes: whole })]),
    ...{ whenMatch: v.optional(v.picklist(['any', 'all'])), owner: textOrNull },
    if: v.object({ match: v.picklist(['all', 'any', 'none']), conditions: v.array(open({ is: text })) }),
    notify: v.array(RECEIVER),
    ...{ everyMinutes: whole, isQuiet: flag, sentence: text, created: time, changed: time },
    ...{ createdBy: text, changedBy: text },
    mute: v.nullable(v.object({ until: timeOrNull, by: text })),
    state: v.nullable(v.object({ level: LEVEL, since: time, value: numberOrNull })),
    ...{ firedByDay: v.array(whole), lastFired: timeOrNull },
  }),
)
export const RULES = v.array(RULE)

const FIRED = v.picklist(['info', 'warning', 'critical'])
export const FIRINGS = v.array(
  named(
    'Firing',
    v.object({
      ...{ id: whole, ruleId: whole, ruleName: text, project: wholeOrNull, issue: textOrNull, level: FIRED },
      ...{ started: time, ended: timeOrNull, extreme: numberOrNull, headline: text, because: text },
      untold: v.nullable(v.picklist(['muted', 'storm'])),
    }),
  ),
)

export const PREVIEW = v.object({
  ...{
    start: time,
    end: time,
    values: v.nullable(v.array(numberOrNull)),
    enough: v.nullable(v.array(v.boolean())),
    messages: whole,
    atNight: whole,
  },
  notes: v.array(text),
  variants: v.array(v.object({ label: text, times: whole })),
  minimum: v.nullable(
    v.object({
      ...{ hours: whole, enough: whole, most: whole, worst: numberOrNull },
      offers: v.array(v.object({ windowMinutes: whole, atLeast: whole, times: whole })),
    }),
  ),
  firings: v.array(
    v.object({ started: time, ended: timeOrNull, level: FIRED, extreme: numberOrNull, issue: textOrNull }),
  ),
})

export const TESTED = v.object({ messages: whole })
export const QUIET_HOURS = v.object({
  ...{ isOn: flag, fromMinute: whole, untilMinute: whole, timeZone: text, weekends: flag },
})

/** Secrets go in and never come out: which are set is told. */
export const CHANNEL = named(
  'Channel',
  v.object({
    ...{ id: digits, kind: text, name: text, settings: v.record(text, text), secretsSet: v.array(text) },
    ...{ createdBy: text, dateCreated: time, dateChanged: time },
    last: v.nullable(v.object({ isDelivered: flag, says: text, date: time })),
  }),
)
export const CHANNELS = v.array(CHANNEL)
export const CHANNEL_PREVIEW = v.object({ body: anything })
export const CHANNEL_TESTED = v.object({ sent: flag, says: text })

const MESSAGE_FIELDS = {
  ...{ id: digits, rule: v.nullable(v.object({ id: whole, name: text })), moment: text, level: text },
  ...{ headline: text, channelId: wholeOrNull, kind: text, to: text, state: text, says: textOrNull },
  ...{ issue: textOrNull, date: time, heldUntil: timeOrNull, next: timeOrNull, settled: timeOrNull },
  tries: v.array(v.object({ date: time, says: text, tookMs: number })),
  gatheredIn: v.nullable(digits),
}
export const MESSAGE = named('AlertMessage', v.object(MESSAGE_FIELDS))
export const MESSAGE_SENT = v.object({ ...MESSAGE_FIELDS, message: anyObject })
export const MESSAGE_LOG = v.object({ messages: v.array(MESSAGE), counts, medianMs: numberOrNull })

/** Conditions, filters and actions have the ids of Sentry, or `errata.…`. */
const PART = open({ id: text, name: maybe(text) })
const METRIC_ACTION = v.object({
  ...{ id: text, alertRuleTriggerId: text, type: text, targetType: text, targetIdentifier: textOrNull },
  ...{ inputChannelId: v.null(), integrationId: v.null(), sentryAppId: v.null() },
})
const MAKER = v.nullable(v.object({ id: whole, name: text }))

export const ISSUE_RULE_ANSWER = named(
  'IssueRule',
  v.object({
    ...{
      id: digits,
      name: text,
      actionMatch: v.picklist(['any', 'all']),
      filterMatch: v.picklist(['all', 'any', 'none']),
    },
    ...{ frequency: whole, conditions: v.array(PART), filters: v.array(PART), actions: v.array(PART) },
    ...{ environment: textOrNull, projects: v.array(text), owner: textOrNull, dateCreated: time },
    ...{ status: v.picklist(['active', 'disabled']), snooze: flag, createdBy: MAKER },
  }),
)

export const METRIC_RULE_ANSWER = named(
  'MetricRule',
  v.object({
    ...{ id: digits, name: text, organizationId: digits, status: v.picklist([0, 4]), dataset: text },
    ...{ aggregate: text, query: text, timeWindow: whole, thresholdType: v.picklist([0, 1]) },
    resolveThreshold: numberOrNull,
    triggers: v.array(
      v.object({
        ...{ id: text, label: v.picklist(['critical', 'warning']), alertThreshold: number },
        ...{ alertRuleId: digits, thresholdType: v.picklist([0, 1]), resolveThreshold: numberOrNull },
        actions: v.array(METRIC_ACTION),
      }),
    ),
    ...{ environment: textOrNull, projects: v.array(text), owner: textOrNull, comparisonDelta: v.null() },
    ...{ dateCreated: time, dateModified: time, snooze: flag, createdBy: MAKER },
  }),
)

const GROUP_FIELDS = { id: text, organizationId: digits, logicType: text }
const DATA_CONDITION = v.object({ id: text, type: text, comparison: anything, conditionResult: anything })

export const WORKFLOW_ANSWER = named(
  'Workflow',
  v.object({
    ...{ id: digits, name: text, organizationId: digits, enabled: flag, detectorIds: v.array(digits) },
    ...{ config: v.object({ frequency: whole }), environment: textOrNull, owner: textOrNull },
    triggers: v.object({ ...GROUP_FIELDS, conditions: v.array(DATA_CONDITION), actions: empty }),
    actionFilters: v.array(
      v.object({
        ...{ ...GROUP_FIELDS, conditions: v.array(DATA_CONDITION) },
        actions: v.array(open({ id: text, type: text, data: anyObject, config: anyObject })),
      }),
    ),
    ...{ status: text, frequency: whole, actionMatch: text, filterMatch: text },
    ...{ conditions: v.array(PART), filters: v.array(PART), actions: v.array(PART) },
    ...{ createdBy: textOrNull, dateCreated: time, dateUpdated: time, lastTriggered: v.null() },
  }),
)

export const DETECTOR_ANSWER = named(
  'Detector',
  v.object({
    ...{ id: digits, name: text, type: v.picklist(['metric_issue', 'error']), organizationId: digits },
    ...{ projectId: v.nullable(digits), projectSlug: textOrNull, projects: maybe(v.array(text)) },
    status: maybe(whole),
    ...{ enabled: flag, owner: textOrNull, createdBy: textOrNull, dateCreated: time, dateUpdated: time },
    dataSources: v.array(
      open({ id: digits, queryObj: open({ snubaQuery: open({ dataset: text, aggregate: text }) }) }),
    ),
    conditionGroup: v.nullable(
      v.object({ ...GROUP_FIELDS, conditions: v.array(DATA_CONDITION), actions: empty }),
    ),
    ...{ config: anyObject, workflowIds: empty },
  }),
)

export const SLACK_ANSWER = v.object({ response_type: text, replace_original: flag, text })
