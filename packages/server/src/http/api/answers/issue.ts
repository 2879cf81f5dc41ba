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
  flagSchema,
  namedSchema,
  numberOrNull,
  optionalSchema,
  textOrNull,
  textSchema,
  timeOrNullSchema,
  timeSchema,
  wholeOrNull,
  wholeSchema,
} from './words.ts'

const STATUS = v.picklist(['unresolved', 'resolved', 'ignored'])
/** Details of a status: how the issue was resolved, or what is left until it returns. */
const STATUS_DETAILS = v.object({
  inNextRelease: optionalSchema(flagSchema),
  inRelease: optionalSchema(textSchema),
  inCommit: optionalSchema(v.object({ commit: textSchema })),
  untilEscalating: optionalSchema(flagSchema),
  ignoreCount: optionalSchema(wholeSchema),
  ignoreUserCount: optionalSchema(wholeSchema),
  /** Minutes; in answers to changes alone. */
  ignoreDuration: optionalSchema(wholeSchema),
  ignoreUntil: optionalSchema(timeSchema),
})
const SUBSTATUS = v.nullable(
  v.picklist([
    ...(['new', 'ongoing', 'regressed', 'escalating', 'waiting'] as const),
    ...(['archived_forever', 'archived_until_condition_met', 'archived_until_escalating'] as const),
  ]),
)
const ASSIGNEE = v.object({
  type: v.picklist(['user', 'team']),
  id: digits,
  name: textSchema,
  email: optionalSchema(textSchema),
})
/** `[second, count]` pairs by the name of the period. */
const STATS = v.record(textSchema, v.array(v.tuple([wholeSchema, wholeSchema])))
const SUBSCRIPTION = v.nullable(
  v.object({ reason: optionalSchema(textSchema), disabled: optionalSchema(flagSchema) }),
)

const STATE = {
  ...{ status: STATUS, substatus: SUBSTATUS, statusDetails: STATUS_DETAILS },
  assignedTo: v.nullable(ASSIGNEE),
  priority: v.picklist(PRIORITIES),
  ...{ isBookmarked: flagSchema, isSubscribed: flagSchema, subscriptionDetails: SUBSCRIPTION },
}

/** `count` is text, as at Sentry. */
const ISSUE_FIELDS = {
  ...{
    id: digits,
    shareId: v.null(),
    shortId: textSchema,
    title: textSchema,
    culprit: textSchema,
    permalink: textSchema,
  },
  ...{
    logger: textOrNull,
    level: v.picklist(LEVELS),
    isPublic: flagSchema,
    platform: textSchema,
    project: PROJECT_REF,
  },
  type: v.picklist(['error', 'default']),
  metadata: v.object({
    ...{
      title: optionalSchema(textSchema),
      type: textSchema,
      value: textSchema,
      filename: textOrNull,
      function: textOrNull,
    },
  }),
  ...{
    numComments: wholeSchema,
    priorityLockedAt: timeOrNullSchema,
    hasSeen: flagSchema,
    annotations: empty,
  },
  ...STATE,
  ...{
    isUnhandled: flagSchema,
    count: digits,
    userCount: wholeSchema,
    firstSeen: timeSchema,
    lastSeen: timeSchema,
  },
  stats: optionalSchema(STATS),
}
/** Matching events, in lists only; `null` if the search asks nothing of events, or there were too many. */
const FILTERED = v.nullable(
  v.object({
    count: digits,
    userCount: wholeSchema,
    firstSeen: timeOrNullSchema,
    lastSeen: timeOrNullSchema,
    stats: STATS,
  }),
)
/** Figures of all of an issue's events, in lists alone; `count` is of the range that was asked for. */
const LIFETIME = v.object({
  count: digits,
  userCount: wholeSchema,
  firstSeen: timeSchema,
  lastSeen: timeSchema,
})
const ERRATA = { category: v.picklist(CATEGORIES), digest: optionalSchema(textSchema) }

export const ISSUE_SCHEMA = namedSchema(
  'Issue',
  v.object({
    ...ISSUE_FIELDS,
    lifetime: optionalSchema(LIFETIME),
    filtered: optionalSchema(FILTERED),
    errata: v.object(ERRATA),
  }),
)

/** By search. */
export const ISSUE_COUNTS = v.record(textSchema, wholeSchema)

export const ACTIVITY = namedSchema(
  'Activity',
  v.object({
    ...{ id: digits, type: textSchema, user: v.nullable(v.object({ id: digits, name: textSchema })) },
    ...{ data: anyObject, dateCreated: timeSchema, dateUpdated: optionalSchema(timeSchema) },
  }),
)

const MIRRORS = v.object({
  ...{ count: wholeSchema, events: wholeSchema, eventsElsewhere: wholeSchema },
  folded: v.array(
    v.object({
      project: v.object({ id: digits, slug: textSchema }),
      ...{
        hash: textSchema,
        title: textSchema,
        count: wholeSchema,
        firstSeen: timeSchema,
        lastSeen: timeSchema,
        matchedBy: textSchema,
      },
      ...{ confidence: v.union([textSchema, v.number(), v.null()]), distanceMs: numberOrNull },
    }),
  ),
})
export const PARTICIPANT = v.object({
  ...{ type: v.literal('user'), id: digits, name: textSchema, email: textSchema, username: textSchema },
})
const RELEASE_REF = v.nullable(v.object({ version: textSchema }))
const TAG_COUNT = v.object({ key: textSchema, name: textSchema, totalValues: wholeSchema })

export const ISSUE_DETAIL = namedSchema(
  'IssueDetail',
  v.object({
    ...ISSUE_FIELDS,
    errata: v.object({
      ...ERRATA,
      mirrors: MIRRORS,
      mirror: optionalSchema(v.object({ waitsUntil: timeOrNullSchema, missing: v.unknown() })),
    }),
    ...{ firstRelease: RELEASE_REF, lastRelease: RELEASE_REF },
    participants: v.array(PARTICIPANT),
    seenBy: empty,
    activity: v.array(ACTIVITY),
    tags: v.array(TAG_COUNT),
  }),
)

/** Answer to a change of many: the changed fields with their new values. */
export const ISSUE_CHANGED = namedSchema(
  'IssueChange',
  v.object({
    ...v.partial(v.object(STATE)).entries,
    merge: optionalSchema(v.object({ parent: digits, children: v.array(digits) })),
  }),
)

export const TAG_VALUE = namedSchema(
  'TagValue',
  v.object({
    key: textSchema,
    name: textSchema,
    value: textSchema,
    count: wholeSchema,
    firstSeen: timeSchema,
    lastSeen: timeSchema,
  }),
)
export const TAG = namedSchema(
  'Tag',
  v.object({
    ...TAG_COUNT.entries,
    uniqueValues: wholeSchema,
    otherValues: wholeSchema,
    topValues: v.array(TAG_VALUE),
  }),
)

export const ACTIVITIES_SCHEMA = v.object({ activity: v.array(ACTIVITY) })

export const SIMILAR_ISSUE = v.object({
  ...{ id: digits, shortId: textSchema, title: textSchema, culprit: textSchema, status: STATUS },
  ...{ count: digits, firstSeen: timeSchema, lastSeen: timeSchema },
  errata: v.object({ sameType: flagSchema, samePlace: flagSchema, sameMessage: flagSchema }),
})

export const SHARE = v.object({
  ...{ isPublic: flagSchema, shareId: textOrNull, url: textOrNull, dateExpires: timeOrNullSchema },
  ...{ dateCreated: timeSchema, createdBy: textOrNull },
})
export const MARKDOWN = v.object({ markdown: textSchema })
export const PARTED = v.object({ issue: digits })
export const KEPT_APART = v.object({ issues: v.array(digits) })

export const DIGEST = namedSchema(
  'Digest',
  v.object({
    digest: textSchema,
    matches: v.array(
      v.object({
        ...{
          issueId: digits,
          shortId: textSchema,
          title: textSchema,
          project: textSchema,
          release: textOrNull,
        },
        ...{ environment: textOrNull, route: textOrNull, requestKind: textOrNull, eventId: textSchema },
        ...{ traceId: textOrNull, count: digits, firstSeen: timeSchema, lastSeen: timeSchema },
      }),
    ),
  }),
)

export const SHORT_ID = v.object({
  ...{
    organizationSlug: textSchema,
    projectSlug: textSchema,
    groupId: digits,
    group: ISSUE_DETAIL,
    shortId: textSchema,
  },
})

/** Deploys with clicks in tabs of an old build. */
const DEPLOY_SKEW_FIELDS = {
  ...{
    id: textSchema,
    project: textOrNull,
    environment: textOrNull,
    projects: v.array(textSchema),
    release: textOrNull,
  },
  fromReleases: v.array(textSchema),
  ...{ count: wholeSchema, users: wholeSchema, isUsersEstimated: flagSchema },
  causes: v.object({ action: wholeSchema, chunk: wholeSchema, 'page-data': wholeSchema }),
  why: v.array(v.object({ cause: textSchema, count: wholeSchema })),
  ...{ reloads: wholeSchema, halfLifeMs: numberOrNull, deployedAt: timeSchema, isDeployTold: flagSchema },
  ...{ firstSeen: timeSchema, lastSeen: timeSchema, issueId: optionalSchema(digits) },
}
export const DEPLOY_SKEW = namedSchema('DeploySkew', v.object(DEPLOY_SKEW_FIELDS))
export const SKEW = v.object({ data: v.array(DEPLOY_SKEW) })
const FAILURES = v.record(textSchema, wholeSchema)
export const SKEW_DETAIL = namedSchema(
  'DeploySkewDetail',
  v.object({
    ...DEPLOY_SKEW_FIELDS,
    ...{ failures: FAILURES, lastHour: wholeSchema, bucketMs: wholeSchema, crawled: wholeSchema },
    olderTabs: v.nullable(v.object({ views: v.array(wholeSchema), isEstimated: flagSchema })),
    hours: v.array(
      v.object({ start: timeSchema, action: wholeSchema, chunk: wholeSchema, 'page-data': wholeSchema }),
    ),
    builds: v.array(
      v.object({ release: textOrNull, ageMs: numberOrNull, failures: FAILURES, users: wholeSchema }),
    ),
    places: v.array(
      v.object({
        ...{
          failure: textSchema,
          route: textOrNull,
          count: wholeSchema,
          users: wholeSchema,
          httpStatus: wholeOrNull,
        },
        ...{ subject: textOrNull, eventId: textOrNull, traceId: textOrNull, issueId: v.nullable(digits) },
      }),
    ),
  }),
)
