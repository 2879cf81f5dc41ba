/** Issues, their tags and their activity as JSON, in Sentry's words: what Errata calls archived is `ignored` there. */
import type { Follower, IssueMark, SubscriptionReason } from '#ports/issue-people.ts'
import type {
  Activity,
  ActivityKind,
  Issue,
  MatchingEvents,
  ResolvedIn,
  ResolveIn,
  Series,
  TagDistribution,
} from '#ports/issues.ts'
import type { FoldedHalves, LoneMirror } from '#ports/mirrors.ts'
import type { Project } from '#ports/projects.ts'
import { ACTIVITY, PARTICIPANT, TAG, TAG_VALUE } from '../answers/issue.ts'
import { picks } from '../pick.ts'
import { projectRefShape } from './organisation.ts'
import { isoTimeText } from './times.ts'

interface IssueContext {
  readonly url: string
  readonly organisation: string
  readonly project: Project
  /** The newest of the issue. */
  readonly digest: string | null
  /** Mark of the person who asks; `null` if they made none. */
  readonly mark: IssueMark | null
  /** Name and counts of `stats`. */
  readonly stats: { readonly period: string; readonly series: Series } | null
}

export function issueShape(issue: Issue, context: IssueContext) {
  const { url, organisation, project, digest, stats, mark } = context
  return {
    id: String(issue.id),
    shareId: null,
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${url}/${organisation}/issues/${issue.id}`,
    logger: issue.logger,
    level: issue.level,
    ...statusShape(issue),
    isPublic: false,
    platform: issue.platform,
    project: projectRefShape(project),
    type: issue.type === 'Message' ? 'default' : 'error',
    metadata: metadataShape(issue),
    numComments: issue.commentCount,
    assignedTo: assigneeShape(issue),
    priority: issue.priority,
    priorityLockedAt: issue.prioritySetMs === null ? null : isoTimeText(issue.prioritySetMs),
    ...markShape(mark),
    hasSeen: false,
    annotations: [],
    isUnhandled: issue.handled === false,
    count: String(issue.eventCount),
    userCount: issue.users.count,
    firstSeen: isoTimeText(issue.firstSeenMs),
    lastSeen: isoTimeText(issue.lastSeenMs),
    errata: { category: issue.category, ...(digest === null ? {} : { digest }) },
    ...(stats === null ? {} : { stats: { [stats.period]: points(stats.series) } }),
  }
}

const REASONS: Readonly<Record<SubscriptionReason, string>> = {
  manual: 'unknown',
  comment: 'comment',
  assigned: 'assigned',
  mentioned: 'mentioned',
}

/** Shapes a mark; subscribing by hand has the reason `unknown`, as at Sentry. */
function markShape(mark: IssueMark | null) {
  const subscription = mark?.subscription ?? null
  const isSubscribed = subscription !== null && subscription !== 'off'
  return {
    isBookmarked: mark?.isBookmarked ?? false,
    isSubscribed,
    subscriptionDetails: isSubscribed ? { reason: REASONS[subscription] } : null,
  }
}

export const participantShape = picks(PARTICIPANT).from<Follower>({
  type: () => 'user',
  id: ({ userId }) => String(userId),
  name: ({ name, email }) => (name === '' ? email : name),
  username: ({ email }) => email,
})

const STATUSES = { unresolved: 'unresolved', resolved: 'resolved', archived: 'ignored' } as const

type IssueState = Pick<
  Issue,
  'status' | 'substatus' | 'archivedEventsLeft' | 'archivedUsersLeft' | 'archivedUntilMs' | 'resolvedIn'
>

function statusShape(issue: IssueState) {
  return {
    status: STATUSES[issue.status],
    substatus: issue.substatus === 'archived_until' ? 'archived_until_condition_met' : issue.substatus,
    statusDetails: issue.status === 'archived' ? archiveDetails(issue) : resolutionDetails(issue.resolvedIn),
  }
}

/** Shapes how an issue is resolved, if not now, as it was asked for. */
export function resolutionDetails(within: ResolveIn | ResolvedIn | null) {
  if (within === null) return {}
  if (within.how === 'next') return { inNextRelease: true }
  if (within.how === 'release') return { inRelease: within.release }
  return { inCommit: { commit: within.commit } }
}

/** Shapes what is left until an archived issue returns; empty if it never does. */
function archiveDetails({ substatus, archivedEventsLeft, archivedUsersLeft, archivedUntilMs }: IssueState) {
  return {
    ...(substatus === 'archived_until_escalating' ? { untilEscalating: true } : {}),
    ...(archivedEventsLeft === null ? {} : { ignoreCount: archivedEventsLeft }),
    ...(archivedUsersLeft === null ? {} : { ignoreUserCount: archivedUsersLeft }),
    ...(archivedUntilMs === null ? {} : { ignoreUntil: isoTimeText(archivedUntilMs) }),
  }
}

export function assigneeShape({ assignee, assigneeTeam }: Pick<Issue, 'assignee' | 'assigneeTeam'>) {
  if (assigneeTeam !== null) return { type: 'team', id: String(assigneeTeam.teamId), name: assigneeTeam.slug }
  if (assignee === null) return null
  const { userId, name, email } = assignee
  return { type: 'user', id: String(userId), name: name === '' ? email : name, email }
}

function metadataShape({ type, value, filename, function: name, title }: Issue) {
  return type === 'Message'
    ? { title, type, value, filename, function: name }
    : { type, value, filename, function: name }
}

/** Returns the shape that Sentry has, of the whole issue, whatever range was asked for. */
export function lifetimeShape({ eventCount, users, firstSeenMs, lastSeenMs }: Issue) {
  return {
    count: String(eventCount),
    userCount: users.count,
    firstSeen: isoTimeText(firstSeenMs),
    lastSeen: isoTimeText(lastSeenMs),
  }
}

/** Returns the shape that Sentry has, of what a search matches. */
export function filteredShape(matching: MatchingEvents | null, period: string) {
  if (matching === null) return null
  const { events, users, firstSeenMs, lastSeenMs, trend } = matching
  const isAny = events > 0
  return {
    count: String(events),
    userCount: users.count,
    firstSeen: isAny ? isoTimeText(firstSeenMs) : null,
    lastSeen: isAny ? isoTimeText(lastSeenMs) : null,
    stats: { [period]: points(trend) },
  }
}

/** `[second, count]` pairs. */
function points({ startMs, stepMs, counts }: Series): readonly (readonly [number, number])[] {
  return counts.map((count, index) => [Math.floor((startMs + index * stepMs) / 1000), count])
}

/** `topMax`: how many of the values. */
export const tagShape = picks(TAG).from<TagDistribution, number>({
  name: ({ key }) => key,
  totalValues: ({ total }) => total,
  uniqueValues: ({ valuesKept }) => valuesKept,
  otherValues: ({ otherCount }) => otherCount,
  topValues: ({ key, values }, topMax) => values.slice(0, topMax).map((value) => tagValueShape(value, key)),
})

export const tagValueShape = picks(TAG_VALUE).from<TagDistribution['values'][number], string>({
  key: (_, key) => key,
  name: ({ value }) => value,
  firstSeen: ({ firstSeenMs }) => isoTimeText(firstSeenMs),
  lastSeen: ({ lastSeenMs }) => isoTimeText(lastSeenMs),
})

const ACTIVITIES: Readonly<Record<ActivityKind, string>> = {
  first_seen: 'first_seen',
  resolved: 'set_resolved',
  unresolved: 'set_unresolved',
  regressed: 'set_regression',
  archived: 'set_ignored',
  unarchived: 'set_unresolved',
  assigned: 'assigned',
  unassigned: 'unassigned',
  merged: 'merge',
  prioritised: 'set_priority',
  unmerged: 'unmerge_source',
  split_off: 'unmerge_destination',
  kept_apart: 'mirror_kept_apart',
  commented: 'note',
  comment_deleted: 'note_deleted',
  escalated: 'set_escalating',
  linked: 'create_issue',
  unlinked: 'external_issue_unlinked',
  sent: 'sent',
}

/** Shapes browsers' copies of an issue, or what a mirror lacks. */
export function mirrorsShape(
  { halves, total, events, eventsElsewhere }: FoldedHalves,
  lone: LoneMirror | null,
) {
  return {
    mirrors: {
      ...{ count: total, events, eventsElsewhere },
      folded: halves.map((half) => ({
        project: { id: String(half.projectId), slug: half.projectSlug },
        ...{ hash: half.hash, title: half.title, count: half.eventCount },
        firstSeen: isoTimeText(half.firstSeenMs),
        lastSeen: isoTimeText(half.lastSeenMs),
        ...{ matchedBy: half.match, confidence: half.confidence, distanceMs: half.distanceMs },
      })),
    },
    ...(lone === null
      ? {}
      : {
          mirror: {
            waitsUntil: lone.waitsUntilMs === null ? null : isoTimeText(lone.waitsUntilMs),
            missing: lone.missing,
          },
        }),
  }
}

export const activityShape = picks(ACTIVITY).from<Activity>({
  id: ({ id }) => String(id),
  type: ({ kind }) => ACTIVITIES[kind],
  user: ({ userId, actor }) => (userId === null ? null : { id: String(userId), name: actor }),
  data: ({ kind, detail }) => (kind === 'commented' ? { text: detail.text } : detail),
  dateCreated: ({ atMs }) => isoTimeText(atMs),
  dateUpdated: ({ editedMs }) => (editedMs === null ? undefined : isoTimeText(editedMs)),
})
