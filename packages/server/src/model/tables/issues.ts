/** Issues, and what people have to do with them. */
import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import {
  computed,
  flag,
  id,
  json,
  looseRef,
  oneOf,
  orNull,
  ref,
  rowId,
  sql,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

/** Every number is the sum or union over the issue's groups, kept here so that a list reads one row an issue. */
export const ISSUES = table(
  'issues',
  {
    id: id<IssueId>(),
    projectId: ref<ProjectId>('projects'),
    number: whole(),
    status: oneOf('unresolved', 'resolved', 'archived'),
    // As stored; `new` reads as `ongoing` once the issue is older than `issueNewDays`.
    substatus: orNull(text()),
    // While archived until so many more events: those still to come.
    archivedEventsLeft: orNull(whole()),
    // The number of users with which it comes back.
    archivedUsersAt: orNull(whole()),
    archivedUntilMs: orNull(time()),
    statusChangedMs: time(),
    assigneeId: orNull(looseRef<UserId>('users')),
    level: text(),
    firstSeenMs: time(),
    lastSeenMs: time(),
    eventCount: whole(),
    mirrorCount: whole(),
    // Events that keep their payload.
    payloadCount: withDefault(0, whole()),
    // Events in one hour of receipt, the newest (hours since 1970): what caps payloads.
    windowHour: withDefault(0, whole()),
    windowEvents: withDefault(0, whole()),
    userCount: whole(),
    usersExact: flag(),
    groupCount: whole(),
    commentCount: withDefault(0, whole()),
    firstRelease: orNull(text()),
    firstReleaseMs: orNull(time()),
    ownLastRelease: orNull(text()),
    ownLastReleaseMs: orNull(time()),
    // Time of the event that the title facts are taken from: the newest.
    factsMs: time(),
    ownTitle: text(),
    type: text(),
    value: text(),
    filename: orNull(text()),
    function: orNull(text()),
    culprit: text(),
    platform: text(),
    logger: orNull(text()),
    handled: orNull(flag()),
    // JSON objects, name to count.
    kinds: json(),
    routes: json(),
    resolvedIn: orNull(json()),
    category: withDefault('other', text()),
    priority: orNull(oneOf('high', 'medium', 'low')),
    prioritySetMs: orNull(time()),
    assigneeTeamId: orNull(looseRef<TeamId>('teams')),
    title: computed("iif(own_title = '' AND type <> '', type || ': ' || value, own_title)", text()),
    lastRelease: computed('coalesce(own_last_release, first_release)', text()),
    lastReleaseMs: computed('coalesce(own_last_release_ms, first_release_ms)', time()),
  },
  {
    key: ['id'],
    unique: [['projectId', 'number']],
    indices: {
      issues_for_list: {
        on: [
          'projectId',
          'lastSeenMs',
          'firstSeenMs',
          'status',
          'substatus',
          'level',
          'assigneeId',
          'eventCount',
          'userCount',
          'handled',
          'priority',
          'assigneeTeamId',
          'category',
        ],
      },
      issues_archived_until: { on: ['archivedUntilMs'], where: 'archived_until_ms IS NOT NULL' },
      issues_by_assignee: { on: ['assigneeId'], where: 'assignee_id IS NOT NULL' },
      issues_resolved_in: { on: ['projectId'], where: 'resolved_in IS NOT NULL' },
      issues_by_first_release: { on: ['projectId', 'firstRelease'] },
      issues_by_assigned_team: { on: ['assigneeTeamId'], where: 'assignee_team_id IS NOT NULL' },
      issues_new: {
        on: ['projectId', 'firstSeenMs'],
        where: "status = 'unresolved' AND substatus = 'new'",
      },
      issues_returned: {
        on: ['projectId', 'lastSeenMs'],
        where: "status = 'unresolved' AND substatus IN ('regressed', 'escalating')",
      },
    },
  },
)

/** Targets of a merged issue's links. */
export const ISSUE_REDIRECTS = table(
  'issue_redirects',
  {
    id: rowId(),
    projectId: whole<ProjectId>(),
    number: whole(),
    issueId: ref<IssueId>('issues'),
  },
  {
    key: ['id'],
    unique: [['projectId', 'number']],
    indices: {
      issue_redirects_by_issue: { on: ['issueId'] },
    },
  },
)

export const ACTIVITIES = table(
  'activities',
  {
    id: id(),
    issueId: ref<IssueId>('issues'),
    kind: text(),
    atMs: time(),
    userId: orNull(whole<UserId>()),
    actor: text(),
    detail: json<Readonly<Record<string, string | number | boolean | null>>>(),
    // JSON of the state that a person's change replaced, so that it can be taken back; NULL where no state
    // changed.
    stateBefore: orNull(json()),
    editedMs: orNull(time()),
    choicesBefore: orNull(json()),
  },
  {
    key: ['id'],
    indices: {
      activities_by_issue: { on: ['issueId', 'id'] },
      activities_regressed: {
        on: [sql("json_extract(detail, '$.release')"), 'issueId'],
        where: "kind = 'regressed'",
      },
    },
  },
)

/**
 * Relations of people to issues: who follows one, who bookmarked it, and emails that tell followers of it.
 */
export const ISSUE_PEOPLE = table(
  'issue_people',
  {
    issueId: ref<IssueId>('issues'),
    userId: ref<UserId>('users'),
    // Why they follow it; 'off': they unsubscribed; NULL: never asked for.
    subscription: orNull(oneOf('manual', 'comment', 'assigned', 'mentioned', 'off')),
    isBookmarked: withDefault(false, flag()),
    // They are told nothing of it.
    isMuted: withDefault(false, flag()),
  },
  {
    key: ['issueId', 'userId'],
    indices: {
      issue_people_by_user: { on: ['userId', 'issueId'] },
    },
  },
)

/** Owners that the rules named when an issue began, in order. One of the two is set. */
export const ISSUE_OWNERS = table(
  'issue_owners',
  {
    issueId: ref<IssueId>('issues'),
    position: whole(),
    userId: orNull(ref<UserId>('users')),
    teamId: orNull(ref<TeamId>('teams')),
    rule: text(),
  },
  {
    key: ['issueId', 'position'],
    indices: {
      issue_owners_by_user: { on: ['userId'], where: 'user_id IS NOT NULL' },
      issue_owners_by_team: { on: ['teamId'], where: 'team_id IS NOT NULL' },
    },
  },
)

export const ISSUE_SHARES = table(
  'issue_shares',
  {
    issueId: ref<IssueId>('issues'),
    tokenHash: text(),
    // To show the link again: sealed with a key that this database does not hold.
    sealedToken: orNull(text()),
    // NULL: until it is revoked.
    expiresMs: orNull(time()),
    createdMs: time(),
    createdBy: text(),
  },
  {
    key: ['issueId'],
    unique: [['tokenHash']],
  },
)

/** Texts that do not follow from the issue's row: folded by the store where they are ASCII, and as the program folded them where they are not. */
export const ISSUE_OWN_TEXTS = table(
  'issue_own_texts',
  {
    issueId: ref<IssueId>('issues'),
    text: text(),
  },
  {
    key: ['issueId'],
  },
)

/** The last merge into an issue, for as long as it can be taken back: what it merged, as it was. */
export const MERGES = table(
  'merges',
  {
    issueId: ref<IssueId>('issues'),
    userId: whole<UserId>(),
    atMs: time(),
    // JSON of KeptMerge.
    kept: json(),
  },
  {
    key: ['issueId'],
    indices: {
      merges_by_age: { on: ['atMs'] },
    },
  },
)
