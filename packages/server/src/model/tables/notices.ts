/** Notices of projects: of new and returned issues, and their deliveries by mail and webhook. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { flag, id, kept, oneOf, orNull, ref, sum, table, text, time, whole, withDefault } from './table.ts'

/** A project without a row has the defaults of the port. */
export const NOTICE_SETTINGS = table(
  'notice_settings',
  {
    projectId: ref<ProjectId>('projects'),
    mail: flag(),
    quietHours: whole(),
    webhookUrl: orNull(text()),
    // Readable, because every delivery is signed with it. The file is for its owner alone.
    webhookSecret: orNull(text()),
    webhookChangedMs: orNull(time()),
  },
  {
    key: ['projectId'],
    checks: ['(webhook_url IS NULL) = (webhook_secret IS NULL)'],
  },
)

/** People who switched mail off. */
export const NOTICE_MAIL_OFF = table(
  'notice_mail_off',
  {
    userId: ref<UserId>('users'),
    atMs: kept(time()),
  },
  {
    key: ['userId'],
  },
)

export const NOTICES = table(
  'notices',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    kind: oneOf('new', 'regressed', 'unarchived', 'summary', 'test'),
    // No foreign key: the issue may be merged or deleted, the notice stays. The number leads to what it was
    // merged into.
    issueId: orNull(whole<IssueId>()),
    issueNumber: orNull(whole()),
    // 1: the issue is an echo of a server failure; held until its exception had time to arrive.
    isMirror: flag(),
    atMs: time(),
    // When its deliveries are made; NULL once they are, or it is dropped.
    dueMs: orNull(time()),
    // Why it was told to nobody.
    dropped: orNull(text()),
    // Of a dropped echo: the issue of its exception. Not everybody who reads the notice may read that one, so
    // its name is no part of the stored sentence.
    echoOf: orNull(whole()),
    // Times the issue came back within the quiet hours after it.
    heldBack: withDefault(0, whole()),
    // Of a summary; echoes are in neither of the first two.
    newIssues: withDefault(0, whole()),
    returnedIssues: withDefault(0, whole()),
    echoIssues: withDefault(0, whole()),
    // When the events came that it tells of; NULL: when it was queued.
    occasionMs: orNull(time()),
  },
  {
    key: ['id'],
    indices: {
      notices_by_project: { on: ['projectId', 'atMs'] },
      notices_by_issue: { on: ['issueId', 'atMs'], where: 'issue_id IS NOT NULL' },
      notices_due: { on: ['dueMs'], where: 'due_ms IS NOT NULL' },
      notices_by_age: { on: ['atMs'] },
    },
  },
)

export const DELIVERIES = table(
  'deliveries',
  {
    id: id(),
    noticeId: ref('notices'),
    channel: oneOf('mail', 'webhook'),
    // NULL for the webhook.
    userId: orNull(ref<UserId>('users')),
    // What receivers tell a repeat by: the same for every try.
    key: text(),
    state: oneOf('waiting', 'sending', 'sent', 'failed', 'cancelled'),
    tries: withDefault(0, whole()),
    // While waiting: the next try. While sending: when the lease ends. NULL once settled.
    dueMs: orNull(time()),
    lease: orNull(text()),
    says: orNull(text()),
    settledMs: orNull(time()),
    orgId: orNull(whole<OrgId>()),
    projectId: orNull(whole<ProjectId>()),
  },
  {
    key: ['id'],
    indices: {
      deliveries_by_user: { on: ['userId'], where: 'user_id IS NOT NULL' },
      deliveries_by_notice: { on: ['noticeId', 'channel', 'state'] },
      deliveries_due: { on: ['channel', 'dueMs'], where: 'due_ms IS NOT NULL' },
      deliveries_of_org: { on: ['orgId', 'dueMs'], where: "due_ms IS NOT NULL AND channel = 'mail'" },
      deliveries_of_project: {
        on: ['projectId', 'dueMs'],
        where: "due_ms IS NOT NULL AND channel = 'webhook'",
      },
    },
  },
)

/** Notices not told one by one, per hour. */
export const NOTICES_HELD_BACK = table(
  'notices_held_back',
  {
    projectId: ref<ProjectId>('projects'),
    hour: whole(),
    reason: oneOf('quiet', 'mirror', 'summarised', 'dropped'),
    count: sum(whole()),
  },
  {
    key: ['projectId', 'hour', 'reason'],
  },
)
