/** Answers about alert rules, channels and what was sent. */
import * as v from 'valibot'
import {
  anyObject,
  anything,
  counts,
  digits,
  empty,
  flagSchema,
  namedSchema,
  numberOrNull,
  numberSchema,
  openObject,
  optionalSchema,
  textOrNull,
  textSchema,
  timeOrNullSchema,
  timeSchema,
  wholeOrNull,
  wholeSchema,
} from './words.ts'

const RECEIVER = v.object({
  target: openObject({ to: textSchema }),
  fromLevel: v.picklist(['warning', 'critical']),
})
const LEVEL = v.picklist(['ok', 'warning', 'critical'])

/** `when`: moments of an issue, or what a metric is measured by. */
export const RULE = namedSchema(
  'AlertRule',
  v.object({
    ...{ name: textSchema, isOn: flagSchema, projects: v.nullable(v.array(wholeSchema)) },
    if: v.object({
      match: v.picklist(['all', 'any', 'none']),
      conditions: v.array(openObject({ is: textSchema })),
    }),
    ...{ notify: v.array(RECEIVER), everyMinutes: wholeSchema, isQuiet: flagSchema },
    kind: v.picklist(['issue', 'metric']),
    when: v.union([
      v.array(openObject({ on: textSchema })),
      openObject({ measure: openObject({ of: textSchema }), windowMinutes: wholeSchema }),
    ]),
    ...{ whenMatch: v.optional(v.picklist(['any', 'all'])), id: wholeSchema },
    ...{ createdBy: textSchema, changedBy: textSchema, isPreset: flagSchema, owner: textOrNull },
    ...{ sentence: textSchema, created: timeSchema, changed: timeSchema },
    mute: v.nullable(v.object({ until: timeOrNullSchema, by: textSchema })),
    state: v.nullable(v.object({ level: LEVEL, since: timeSchema, value: numberOrNull })),
    ...{ firedByDay: v.array(wholeSchema), lastFired: timeOrNullSchema },
  }),
)
export const RULES = v.array(RULE)

const FIRED = v.picklist(['info', 'warning', 'critical'])
export const FIRING = namedSchema(
  'Firing',
  v.object({
    ...{ id: wholeSchema, ruleId: wholeSchema, ruleName: textSchema, level: FIRED, extreme: numberOrNull },
    ...{ headline: textSchema, because: textSchema, untold: v.nullable(v.picklist(['muted', 'storm'])) },
    ...{ issue: textOrNull, project: wholeOrNull, started: timeSchema, ended: timeOrNullSchema },
  }),
)

export const PAST_FIRING = v.object({
  started: timeSchema,
  ended: timeOrNullSchema,
  level: FIRED,
  extreme: numberOrNull,
  issue: textOrNull,
})
export const PREVIEW = v.object({
  ...{
    start: timeSchema,
    end: timeSchema,
    values: v.nullable(v.array(numberOrNull)),
    enough: v.nullable(v.array(v.boolean())),
    messages: wholeSchema,
    atNight: wholeSchema,
  },
  notes: v.array(textSchema),
  variants: v.array(v.object({ label: textSchema, times: wholeSchema })),
  minimum: v.nullable(
    v.object({
      ...{ hours: wholeSchema, enough: wholeSchema, most: wholeSchema, worst: numberOrNull },
      offers: v.array(v.object({ windowMinutes: wholeSchema, atLeast: wholeSchema, times: wholeSchema })),
    }),
  ),
  firings: v.array(PAST_FIRING),
})

export const TESTED = v.object({ messages: wholeSchema })
export const QUIET_HOURS_SCHEMA = v.object({
  ...{
    isOn: flagSchema,
    fromMinute: wholeSchema,
    untilMinute: wholeSchema,
    timeZone: textSchema,
    weekends: flagSchema,
  },
})

export const CHANNEL_LAST = v.object({ isDelivered: flagSchema, says: textSchema, date: timeSchema })

/** Secrets go in and never come out: which are set is told. */
export const CHANNEL = namedSchema(
  'Channel',
  v.object({
    ...{ id: digits, kind: textSchema, name: textSchema, createdBy: textSchema },
    ...{ settings: v.record(textSchema, textSchema), secretsSet: v.array(textSchema) },
    ...{ dateCreated: timeSchema, dateChanged: timeSchema, last: v.nullable(CHANNEL_LAST) },
  }),
)
export const CHANNELS_SCHEMA = v.array(CHANNEL)
export const CHANNEL_PREVIEW = v.object({ body: anything })
export const CHANNEL_TESTED = v.object({ sent: flagSchema, says: textSchema })

export const MESSAGE_TRY = v.object({ date: timeSchema, says: textSchema, tookMs: numberSchema })
const MESSAGE_FIELDS = {
  ...{ id: digits, headline: textSchema, channelId: wholeOrNull, kind: textSchema, to: textSchema },
  ...{ state: textSchema, says: textOrNull },
  rule: v.nullable(v.object({ id: wholeSchema, name: textSchema })),
  ...{ moment: textSchema, level: textSchema, issue: textOrNull, date: timeSchema },
  ...{ heldUntil: timeOrNullSchema, next: timeOrNullSchema, settled: timeOrNullSchema },
  ...{ tries: v.array(MESSAGE_TRY), gatheredIn: v.nullable(digits) },
}
export const MESSAGE = namedSchema('AlertMessage', v.object(MESSAGE_FIELDS))
export const MESSAGE_SENT = v.object({ ...MESSAGE_FIELDS, message: anyObject })
/** Own alerts of projects have a project, and ids that begin with `p`; of their tries the number alone is kept. */
export const LOGGED_ALERT = namedSchema(
  'LoggedAlert',
  v.object({
    ...{ ...MESSAGE_FIELDS, id: textSchema },
    project: v.nullable(v.object({ slug: textSchema, name: textSchema })),
    ...{ tryCount: wholeSchema, cursor: textSchema },
  }),
)
export const MESSAGE_LOG = v.object({ messages: v.array(LOGGED_ALERT), counts, medianMs: numberOrNull })

/** Conditions, filters and actions have the ids of Sentry, or `errata.…`. */
const PART = openObject({ id: textSchema, name: optionalSchema(textSchema) })
const METRIC_ACTION = v.object({
  ...{
    id: textSchema,
    alertRuleTriggerId: textSchema,
    type: textSchema,
    targetType: textSchema,
    targetIdentifier: textOrNull,
  },
  ...{ inputChannelId: v.null(), integrationId: v.null(), sentryAppId: v.null() },
})
const MAKER = v.nullable(v.object({ id: wholeSchema, name: textSchema }))

export const ISSUE_RULE_ANSWER = namedSchema(
  'IssueRule',
  v.object({
    ...{
      id: digits,
      name: textSchema,
      actionMatch: v.picklist(['any', 'all']),
      filterMatch: v.picklist(['all', 'any', 'none']),
    },
    ...{ frequency: wholeSchema, conditions: v.array(PART), filters: v.array(PART), actions: v.array(PART) },
    ...{ environment: textOrNull, projects: v.array(textSchema), owner: textOrNull, dateCreated: timeSchema },
    ...{ status: v.picklist(['active', 'disabled']), snooze: flagSchema, createdBy: MAKER },
  }),
)

export const METRIC_RULE_ANSWER = namedSchema(
  'MetricRule',
  v.object({
    ...{
      id: digits,
      name: textSchema,
      organizationId: digits,
      status: v.picklist([0, 4]),
      dataset: textSchema,
    },
    ...{
      aggregate: textSchema,
      query: textSchema,
      timeWindow: wholeSchema,
      thresholdType: v.picklist([0, 1]),
    },
    resolveThreshold: numberOrNull,
    triggers: v.array(
      v.object({
        ...{ id: textSchema, label: v.picklist(['critical', 'warning']), alertThreshold: numberSchema },
        ...{ alertRuleId: digits, thresholdType: v.picklist([0, 1]), resolveThreshold: numberOrNull },
        actions: v.array(METRIC_ACTION),
      }),
    ),
    ...{
      environment: textOrNull,
      projects: v.array(textSchema),
      owner: textOrNull,
      comparisonDelta: v.null(),
    },
    ...{ dateCreated: timeSchema, dateModified: timeSchema, snooze: flagSchema, createdBy: MAKER },
  }),
)

const GROUP_FIELDS = { id: textSchema, organizationId: digits, logicType: textSchema }
const DATA_CONDITION = v.object({
  id: textSchema,
  type: textSchema,
  comparison: anything,
  conditionResult: anything,
})

export const WORKFLOW_ANSWER = namedSchema(
  'Workflow',
  v.object({
    ...{
      id: digits,
      name: textSchema,
      organizationId: digits,
      enabled: flagSchema,
      detectorIds: v.array(digits),
    },
    ...{ config: v.object({ frequency: wholeSchema }), environment: textOrNull, owner: textOrNull },
    triggers: v.object({ ...GROUP_FIELDS, conditions: v.array(DATA_CONDITION), actions: empty }),
    actionFilters: v.array(
      v.object({
        ...{ ...GROUP_FIELDS, conditions: v.array(DATA_CONDITION) },
        actions: v.array(
          openObject({ id: textSchema, type: textSchema, data: anyObject, config: anyObject }),
        ),
      }),
    ),
    ...{ status: textSchema, frequency: wholeSchema, actionMatch: textSchema, filterMatch: textSchema },
    ...{ conditions: v.array(PART), filters: v.array(PART), actions: v.array(PART) },
    ...{ createdBy: textOrNull, dateCreated: timeSchema, dateUpdated: timeSchema, lastTriggered: v.null() },
  }),
)

export const DETECTOR_ANSWER = namedSchema(
  'Detector',
  v.object({
    ...{ id: digits, name: textSchema, type: v.picklist(['metric_issue', 'error']), organizationId: digits },
    ...{
      projectId: v.nullable(digits),
      projectSlug: textOrNull,
      projects: optionalSchema(v.array(textSchema)),
    },
    status: optionalSchema(wholeSchema),
    ...{
      enabled: flagSchema,
      owner: textOrNull,
      createdBy: textOrNull,
      dateCreated: timeSchema,
      dateUpdated: timeSchema,
    },
    dataSources: v.array(
      openObject({
        id: digits,
        queryObj: openObject({ snubaQuery: openObject({ dataset: textSchema, aggregate: textSchema }) }),
      }),
    ),
    conditionGroup: v.nullable(
      v.object({ ...GROUP_FIELDS, conditions: v.array(DATA_CONDITION), actions: empty }),
    ),
    ...{ config: anyObject, workflowIds: empty },
  }),
)

export const SLACK_ANSWER = v.object({
  response_type: textSchema,
  replace_original: flagSchema,
  text: textSchema,
})
