/** Alert rules, what they watch, and the messages of what fires. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { RuleDraft } from '../alert-rule.ts'
import {
  bytes,
  flag,
  greatest,
  id,
  json,
  kept,
  oneOf,
  orNull,
  real,
  ref,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

/** Each goes to one channel or one person. No foreign keys to rule, firing, channel and person: they may go, what was sent stays. */
export const ALERT_MESSAGES = table(
  'alert_messages',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    // NULL: of several projects.
    projectId: orNull(ref<ProjectId>('projects')),
    ruleId: orNull(whole()),
    firingId: orNull(whole()),
    channelId: orNull(whole()),
    userId: orNull(whole<UserId>()),
    kind: text(),
    // What the receiver was called then.
    receiver: text(),
    key: text(),
    // JSON of AlertMessage; of one that others were gathered in, as it was sent.
    message: json(),
    headline: text(),
    level: text(),
    state: oneOf('waiting', 'sending', 'sent', 'failed', 'cancelled', 'gathered'),
    atMs: time(),
    heldUntilMs: orNull(time()),
    tries: withDefault(0, whole()),
    // While waiting: the next try. While sending: when the lease ends. NULL once settled.
    dueMs: orNull(time()),
    lease: orNull(text()),
    says: orNull(text()),
    settledMs: orNull(time()),
    // JSON array of MessageTry.
    tried: withDefault('[]', json()),
    gatheredIn: orNull(whole()),
    projects: orNull(json()),
    issueId: orNull(whole<IssueId>()),
    occasion: orNull(text()),
    occasionMs: orNull(time()),
    // Of what several people are told, in place of `message`; NULL once others were gathered in it.
    textId: orNull(ref('alert_texts')),
  },
  {
    key: ['id'],
    unique: [['key']],
    indices: {
      alert_messages_by_org: { on: ['orgId', 'id'] },
      alert_messages_by_age: { on: ['atMs'] },
      alert_messages_by_project: { on: ['projectId', 'orgId'] },
      alert_messages_by_text: { on: ['textId'], where: 'text_id IS NOT NULL' },
      alert_messages_due: { on: ['dueMs'], where: 'due_ms IS NOT NULL' },
      alert_messages_to_channel: { on: ['channelId', 'atMs'], where: 'channel_id IS NOT NULL' },
      alert_messages_to_person: { on: ['userId', 'atMs'], where: 'user_id IS NOT NULL' },
      alert_messages_of_channel: {
        on: ['channelId', 'dueMs'],
        where: "due_ms IS NOT NULL AND kind <> 'email'",
      },
      alert_messages_of_org: { on: ['orgId', 'dueMs'], where: "due_ms IS NOT NULL AND kind = 'email'" },
      alert_messages_of_firing: { on: ['firingId', 'id'], where: 'due_ms IS NOT NULL' },
      alert_messages_of_issue: {
        on: ['issueId', 'userId'],
        where: 'user_id IS NOT NULL AND issue_id IS NOT NULL',
      },
      alert_messages_of_incidents: {
        on: ['issueId'],
        where: 'channel_id IS NOT NULL AND issue_id IS NOT NULL',
      },
    },
  },
)

/** Texts that several people are told, once for all of them: JSON of AlertMessage. */
export const ALERT_TEXTS = table(
  'alert_texts',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    projectId: orNull(ref<ProjectId>('projects')),
    message: json(),
  },
  {
    key: ['id'],
    indices: {
      alert_texts_by_org: { on: ['orgId'] },
      alert_texts_by_project: { on: ['projectId'], where: 'project_id IS NOT NULL' },
    },
  },
)

/** Service's ids of the first messages of threads. */
export const ALERT_THREADS = table(
  'alert_threads',
  {
    channelId: ref('channels'),
    story: text(),
    thread: kept(text()),
    atMs: kept(time()),
  },
  {
    key: ['channelId', 'story'],
    indices: {
      alert_threads_by_age: { on: ['atMs'] },
    },
  },
)

export const ALERT_RULES = table(
  'alert_rules',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    draft: json<RuleDraft>(),
    isPreset: flag(),
    createdBy: text(),
    createdById: orNull(whole()),
    createdMs: time(),
    changedBy: text(),
    changedMs: time(),
    // JSON of RuleMute; NULL: not muted.
    mute: orNull(json()),
  },
  {
    key: ['id'],
    indices: {
      alert_rules_by_org: { on: ['orgId', 'id'] },
    },
  },
)

/** States of metric rules. For issue rules: a storm that is still to be told. */
export const ALERT_STATES = table(
  'alert_states',
  {
    ruleId: ref('alert_rules'),
    level: oneOf('ok', 'warning', 'critical'),
    sinceMs: time(),
    value: orNull(real()),
    // The firing that lasts, and when it was last told of.
    firingId: orNull(whole()),
    toldMs: orNull(time()),
    stormMs: orNull(time()),
    // Since when it cannot be evaluated as it is stored; NULL once it was.
    failedMs: orNull(time()),
  },
  {
    key: ['ruleId'],
  },
)

export const ALERT_FIRINGS = table(
  'alert_firings',
  {
    id: id(),
    ruleId: ref('alert_rules'),
    // NULL: of a metric over several projects.
    projectId: orNull(ref<ProjectId>('projects')),
    // No foreign key: the issue may be merged or deleted.
    issueId: orNull(whole<IssueId>()),
    issueNumber: orNull(whole()),
    level: oneOf('info', 'warning', 'critical'),
    startedMs: time(),
    // NULL while a metric is still away from normal.
    endedMs: orNull(time()),
    // The worst value of a metric.
    extreme: orNull(real()),
    headline: text(),
    because: text(),
    // Why nobody was told: muted, or storm; NULL where messages were queued.
    untold: orNull(text()),
  },
  {
    key: ['id'],
    indices: {
      alert_firings_by_rule: { on: ['ruleId', 'startedMs'] },
      alert_firings_by_issue: { on: ['ruleId', 'issueId', 'startedMs'] },
      alert_firings_by_project: { on: ['projectId'], where: 'project_id IS NOT NULL' },
    },
  },
)

/** Changes of issues that rules watch, still to be looked at; a moment of an issue waits once. */
export const ALERT_CANDIDATES = table(
  'alert_candidates',
  {
    id: id(),
    projectId: kept(ref<ProjectId>('projects')),
    issueId: ref<IssueId>('issues'),
    moment: text(),
    atMs: greatest(time()),
    // JSON of SeenFacts.
    facts: json(),
  },
  {
    key: ['id'],
    unique: [['issueId', 'moment']],
    indices: {
      alert_candidates_by_project: { on: ['projectId'] },
    },
  },
)

/** Counters by time of receipt, of what rules look at and of nothing else. `key`: see `alerts/rules/slots.ts`. */
export const ALERT_SLOTS = table(
  'alert_slots',
  {
    key: text(),
    // Minutes of a slot; `slot` counts them since 1970.
    width: whole(),
    slot: whole(),
    count: real(),
    failed: real(),
    usersExact: flag(),
    users: bytes(),
    sketch: orNull(bytes()),
    aliases: orNull(bytes()),
  },
  {
    key: ['key', 'width', 'slot'],
    indices: {
      alert_slots_by_age: { on: ['width', 'slot'] },
    },
  },
)

export const ALERT_QUIET_HOURS = table(
  'alert_quiet_hours',
  {
    orgId: ref<OrgId>('organisations'),
    // JSON of QuietHours.
    hours: json(),
  },
  {
    key: ['orgId'],
  },
)

/** Emails that people switched off; email as a whole is in `notice_mail_off`. */
export const ALERT_EMAIL_OFF = table(
  'alert_email_off',
  {
    userId: ref<UserId>('users'),
    moment: text(),
  },
  {
    key: ['userId', 'moment'],
  },
)
