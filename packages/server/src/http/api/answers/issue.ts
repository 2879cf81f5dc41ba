/** Answers about issues. */
import * as v from 'valibot'
import { LEVELS } from '#model/event.ts'
import { PRIORITIES } from '#model/priority.ts'
import { CATEGORIES } from '#model/recognised.ts'
import { PROJECT_REF } from './organisation.ts'
import {
  anyObject,
  digits,
  empty,
  flag,
  maybe,
  named,
  numberOrNull,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
} from './words.ts'

const STATUS = v.picklist(['unresolved', 'resolved', 'ignored'])
/** Details of a status: how the issue was resolved, or what is left until it returns. */
const STATUS_DETAILS = v.object({
  inNextRelease: maybe(flag),
  inRelease: maybe(text),
  inCommit: maybe(v.object({ commit: text })),
  untilEscalating: maybe(flag),
  ignoreCount: maybe(whole),
  ignoreUserCount: maybe(whole),
  /** Minutes; in answers to changes alone. */
  ignoreDuration: maybe(whole),
  ignoreUntil: maybe(time),
})
const SUBSTATUS = v.nullable(
  v.picklist([
    ...(['new', 'ongoing', 'regressed', 'escalating', 'waiting'] as const),
    ...(['archived_forever', 'archived_until_condition_met', 'archived_until_escalating'] as const),
  ]),
)
const ASSIGNEE = v.object({ type: v.picklist(['user', 'team']), id: digits, name: text, email: maybe(text) })
/** `[second, count]` pairs by the name of the period. */
const STATS = v.record(text, v.array(v.tuple([whole, whole])))
const SUBSCRIPTION = v.nullable(v.object({ reason: maybe(text), disabled: maybe(flag) }))

const STATE = {
  ...{ status: STATUS, substatus: SUBSTATUS, statusDetails: STATUS_DETAILS },
  assignedTo: v.nullable(ASSIGNEE),
  priority: v.picklist(PRIORITIES),
  ...{ isBookmarked: flag, isSubscribed: flag, subscriptionDetails: SUBSCRIPTION },
}

/** `count` is text, as at Sentry. */
const ISSUE_FIELDS = {
  ...{ id: digits, shareId: v.null(), shortId: text, title: text, culprit: text, permalink: text },
  ...{ logger: textOrNull, level: v.picklist(LEVELS), isPublic: flag, platform: text, project: PROJECT_REF },
  type: v.picklist(['error', 'default']),
  metadata: v.object({
    ...{ title: maybe(text), type: text, value: text, filename: textOrNull, function: textOrNull },
  }),
  ...{ numComments: whole, priorityLockedAt: timeOrNull, hasSeen: flag, annotations: empty },
  ...STATE,
  ...{ isUnhandled: flag, count: digits, userCount: whole, firstSeen: time, lastSeen: time },
  stats: maybe(STATS),
}
/** Matching events, in lists only; `null` if the search asks nothing of events, or there were too many. */
const FILTERED = v.nullable(
  v.object({ count: digits, userCount: whole, firstSeen: timeOrNull, lastSeen: timeOrNull, stats: STATS }),
)
/** Figures of all of an issue's events, in lists alone; `count` is of the range that was asked for. */
const LIFETIME = v.object({ count: digits, userCount: whole, firstSeen: time, lastSeen: time })
const ERRATA = { category: v.picklist(CATEGORIES), digest: maybe(text) }

export const ISSUE = named(
  'Issue',
  v.object({
    ...ISSUE_FIELDS,
    lifetime: maybe(LIFETIME),
    filtered: maybe(FILTERED),
    errata: v.object(ERRATA),
  }),
)

/** By search. */
export const ISSUE_COUNTS = v.record(text, whole)

export const ACTIVITY = named(
  'Activity',
  v.object({
    ...{ id: digits, type: text, user: v.nullable(v.object({ id: digits, name: text })) },
    ...{ data: anyObject, dateCreated: time, dateUpdated: maybe(time) },
  }),
)

const MIRRORS = v.object({
  ...{ count: whole, events: whole, eventsElsewhere: whole },
  folded: v.array(
    v.object({
      project: v.object({ id: digits, slug: text }),
      ...{ hash: text, title: text, count: whole, firstSeen: time, lastSeen: time, matchedBy: text },
      ...{ confidence: v.union([text, v.number(), v.null()]), distanceMs: numberOrNull },
    }),
  ),
})
const RELEASE_REF = v.nullable(v.object({ version: text }))
const TAG_COUNT = v.object({ key: text, name: text, totalValues: whole })

export const ISSUE_DETAIL = named(
  'IssueDetail',
  v.object({
    ...ISSUE_FIELDS,
    errata: v.object({
      ...ERRATA,
      mirrors: MIRRORS,
      mirror: maybe(v.object({ waitsUntil: timeOrNull, missing: v.unknown() })),
    }),
    ...{ firstRelease: RELEASE_REF, lastRelease: RELEASE_REF },
    participants: v.array(
      v.object({ type: v.literal('user'), id: digits, name: text, email: text, username: text }),
    ),
    seenBy: empty,
    activity: v.array(ACTIVITY),
    tags: v.array(TAG_COUNT),
  }),
)

/** Answer to a change of many: the changed fields with their new values. */
export const ISSUE_CHANGED = named(
  'IssueChange',
  v.object({
    ...v.partial(v.object(STATE)).entries,
    merge: maybe(v.object({ parent: digits, children: v.array(digits) })),
  }),
)

export const TAG_VALUE = named(
  'TagValue',
  v.object({ key: text, name: text, value: text, count: whole, firstSeen: time, lastSeen: time }),
)
export const TAG = named(
  'Tag',
  v.object({ ...TAG_COUNT.entries, uniqueValues: whole, otherValues: whole, topValues: v.array(TAG_VALUE) }),
)

export const ACTIVITIES = v.object({ activity: v.array(ACTIVITY) })

export const SIMILAR = v.array(
  v.object({
    ...{ id: digits, shortId: text, title: text, culprit: text, status: STATUS, count: digits },
    ...{ firstSeen: time, lastSeen: time },
    errata: v.object({ sameType: flag, samePlace: flag, sameMessage: flag }),
  }),
)

export const SHARE = v.object({
  ...{ isPublic: flag, shareId: textOrNull, url: textOrNull, dateExpires: timeOrNull },
  ...{ dateCreated: time, createdBy: textOrNull },
})
export const MARKDOWN = v.object({ markdown: text })
export const PARTED = v.object({ issue: digits })
export const KEPT_APART = v.object({ issues: v.array(digits) })

export const DIGEST = named(
  'Digest',
  v.object({
    digest: text,
    matches: v.array(
      v.object({
        ...{ issueId: digits, shortId: text, title: text, project: text, release: textOrNull },
        ...{ environment: textOrNull, route: textOrNull, requestKind: textOrNull, eventId: text },
        ...{ traceId: textOrNull, count: digits, firstSeen: time, lastSeen: time },
      }),
    ),
  }),
)

export const SHORT_ID = v.object({
  ...{ organizationSlug: text, projectSlug: text, groupId: digits, group: ISSUE_DETAIL, shortId: text },
})

/** Deploys with clicks in tabs of an old build. */
const DEPLOY_SKEW = {
  ...{ id: text, project: textOrNull, projects: v.array(text), environment: textOrNull, release: textOrNull },
  fromReleases: v.array(text),
  ...{ count: whole, users: whole, isUsersEstimated: flag },
  causes: v.object({ action: whole, chunk: whole, 'page-data': whole }),
  why: v.array(v.object({ cause: text, count: whole })),
  ...{ reloads: whole, halfLifeMs: numberOrNull, deployedAt: time, isDeployTold: flag },
  ...{ firstSeen: time, lastSeen: time, issueId: maybe(digits) },
}
export const SKEW = v.object({ data: v.array(named('DeploySkew', v.object(DEPLOY_SKEW))) })
const FAILURES = v.record(text, whole)
export const SKEW_DETAIL = named(
  'DeploySkewDetail',
  v.object({
    ...DEPLOY_SKEW,
    ...{ failures: FAILURES, lastHour: whole, bucketMs: whole, crawled: whole },
    olderTabs: v.nullable(v.object({ views: v.array(whole), isEstimated: flag })),
    hours: v.array(v.object({ start: time, action: whole, chunk: whole, 'page-data': whole })),
    builds: v.array(v.object({ release: textOrNull, ageMs: numberOrNull, failures: FAILURES, users: whole })),
    places: v.array(
      v.object({
        ...{ failure: text, route: textOrNull, count: whole, users: whole, httpStatus: wholeOrNull },
        ...{ subject: textOrNull, eventId: textOrNull, traceId: textOrNull, issueId: v.nullable(digits) },
      }),
    ),
  }),
)
