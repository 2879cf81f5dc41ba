/** Answers about issue trackers and the links of issues to theirs. */
import * as v from 'valibot'
import { TRACKER_KINDS } from '#ports/trackers.ts'
import { digits, flag, named, text, textOrNull, time, timeOrNull, whole } from './words.ts'

const KIND = v.picklist(TRACKER_KINDS)

export const TRACKER = named(
  'Tracker',
  v.object({
    ...{ id: digits, kind: KIND, name: text, settings: v.record(v.string(), text) },
    secretsSet: v.array(text),
    ...{ resolvesHere: flag, closesThere: flag, createdBy: text },
    ...{ dateCreated: time, dateChanged: time, lastWebhook: timeOrNull },
  }),
)
export const TRACKERS = v.array(TRACKER)

export const TRACKER_LOG = v.array(
  v.object({
    ...{ id: digits, ref: text, issue: textOrNull, says: textOrNull },
    state: v.picklist(['waiting', 'sending', 'sent', 'failed', 'cancelled']),
    ...{ date: time, next: timeOrNull, settled: timeOrNull },
    tries: v.array(v.object({ date: time, says: text, tookMs: whole })),
  }),
)

/** Sentry's fields, and Errata's beside them. */
export const EXTERNAL_ISSUE = named(
  'ExternalIssue',
  v.object({
    ...{ id: digits, issueId: digits, serviceType: KIND, displayName: text, webUrl: text, title: text },
    state: v.picklist(['open', 'closed', 'missing']),
    createdBy: text,
    tracker: v.object({ id: digits, name: text }),
    ...{ dateChecked: time, dateCreated: time },
  }),
)
export const EXTERNAL_ISSUES = v.array(EXTERNAL_ISSUE)

export const WEBHOOK_TAKEN = v.object({ resolved: whole })
