/** Answers about issue trackers and the links of issues to theirs. */
import * as v from 'valibot'
import { TRACKER_KINDS } from '#ports/trackers.ts'
import { MESSAGE_TRY } from './alert.ts'
import {
  digits,
  flagSchema,
  namedSchema,
  textOrNull,
  textSchema,
  timeOrNullSchema,
  timeSchema,
  wholeSchema,
} from './words.ts'

const KIND = v.picklist(TRACKER_KINDS)

export const TRACKER = namedSchema(
  'Tracker',
  v.object({
    ...{ id: digits, kind: KIND, name: textSchema, createdBy: textSchema },
    ...{ resolvesHere: flagSchema, closesThere: flagSchema },
    ...{ settings: v.record(v.string(), textSchema), secretsSet: v.array(textSchema) },
    ...{ dateCreated: timeSchema, dateChanged: timeSchema, lastWebhook: timeOrNullSchema },
  }),
)
export const TRACKERS_SCHEMA = v.array(TRACKER)

export const TRACKER_LOG_ENTRY = v.object({
  ...{ id: digits, ref: textSchema },
  state: v.picklist(['waiting', 'sending', 'sent', 'failed', 'cancelled']),
  ...{
    says: textOrNull,
    issue: textOrNull,
    date: timeSchema,
    next: timeOrNullSchema,
    settled: timeOrNullSchema,
  },
  tries: v.array(MESSAGE_TRY),
})

/** Sentry's fields, and Errata's beside them. */
export const EXTERNAL_ISSUE = namedSchema(
  'ExternalIssue',
  v.object({
    ...{
      id: digits,
      issueId: digits,
      serviceType: KIND,
      displayName: textSchema,
      webUrl: textSchema,
    },
    title: textSchema,
    state: v.picklist(['open', 'closed', 'missing']),
    createdBy: textSchema,
    tracker: v.object({ id: digits, name: textSchema }),
    ...{ dateChecked: timeSchema, dateCreated: timeSchema },
  }),
)
export const EXTERNAL_ISSUES = v.array(EXTERNAL_ISSUE)

export const WEBHOOK_TAKEN = v.object({ resolved: wholeSchema })
