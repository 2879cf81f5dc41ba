/** Inbox of one person. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { id, orNull, ref, table, text, time, whole } from './table.ts'

/** Inbox entries of one person: what people did, alerts for them, and deliveries that failed. */
export const INBOX = table(
  'inbox',
  {
    id: id(),
    userId: ref<UserId>('users'),
    orgId: ref<OrgId>('organisations'),
    // NULL: of the organisation; its owners and managers see it.
    projectId: orNull(ref<ProjectId>('projects')),
    kind: text(),
    atMs: time(),
    // NULL: unread.
    readMs: orNull(time()),
    // What happened to an issue: the entry goes with the record.
    activityId: orNull(ref('activities')),
    issueId: orNull(ref<IssueId>('issues')),
    // Of an alert and of a delivery that failed: what they said, and the rule.
    ruleId: orNull(whole()),
    headline: orNull(text()),
    level: orNull(text()),
    channelId: orNull(ref('channels')),
  },
  {
    key: ['id'],
    indices: {
      inbox_of_person: { on: ['userId', 'id'] },
      inbox_unread: { on: ['userId'], where: 'read_ms IS NULL' },
      inbox_by_activity: { on: ['activityId', 'userId'], isUnique: true },
      inbox_by_issue: { on: ['issueId', 'userId'] },
      inbox_by_channel: { on: ['channelId', 'userId'] },
      inbox_by_project: { on: ['projectId'] },
      inbox_by_org: { on: ['orgId'] },
      inbox_by_age: { on: ['atMs'] },
    },
  },
)

/** Kinds that a person switched off. */
export const INBOX_OFF = table(
  'inbox_off',
  {
    userId: ref<UserId>('users'),
    kind: text(),
  },
  {
    key: ['userId', 'kind'],
  },
)
