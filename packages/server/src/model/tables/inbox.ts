/** Inbox of one person, and what waits for the end of their quiet hours. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { QuietHours } from '../alert-rule.ts'
import { flag, id, json, orNull, ref, table, text, time, whole, withDefault } from './table.ts'

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

/** When a person is not to be emailed, in their own time zone. Without a row they have none. */
export const PERSON_QUIET_HOURS = table(
  'person_quiet_hours',
  {
    userId: ref<UserId>('users'),
    hours: json<QuietHours>(),
  },
  {
    key: ['userId'],
  },
)

/** Lines of the one email that a person gets when their quiet hours end: `letterId` is that email. */
export const HELD_EMAILS = table(
  'held_emails',
  {
    id: id(),
    letterId: ref('letters'),
    orgId: ref<OrgId>('organisations'),
    // NULL: of the organisation; its owners and managers see it.
    projectId: orNull(ref<ProjectId>('projects')),
    issueId: orNull(ref<IssueId>('issues')),
    // A change of the issue; what it says is read when the email is sent.
    activityId: orNull(ref('activities')),
    isMention: withDefault(false, flag()),
    // Of an alert; what is told of its firing at once is left out here.
    firingId: orNull(whole()),
    ruleId: orNull(whole()),
    // Of an alert and of a project's notice.
    headline: orNull(text()),
    atMs: time(),
  },
  {
    key: ['id'],
    indices: {
      held_emails_by_letter: { on: ['letterId', 'id'] },
      held_emails_by_issue: { on: ['issueId'], where: 'issue_id IS NOT NULL' },
      held_emails_by_activity: { on: ['activityId'], where: 'activity_id IS NOT NULL' },
      held_emails_by_org: { on: ['orgId'] },
      held_emails_by_project: { on: ['projectId'] },
    },
  },
)
