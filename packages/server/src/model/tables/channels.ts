/** Channels of alerts, and who people are there. */
import type { OrgId, UserId } from '#base/ids.ts'
import { flag, id, json, orNull, ref, rowId, table, text, time } from './table.ts'

export const CHANNELS = table(
  'channels',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    kind: text(),
    name: text(),
    // JSON objects, field to value. Secrets are readable, because every message is sent with them; never read
    // back.
    settings: json<Readonly<Record<string, string>>>(),
    secrets: json<Readonly<Record<string, string>>>(),
    createdBy: text(),
    createdMs: time(),
    changedMs: time(),
    // What the receiver answered last.
    lastDelivered: orNull(flag()),
    lastSays: orNull(text()),
    lastMs: orNull(time()),
  },
  {
    key: ['id'],
    unique: [['orgId', 'kind', 'name']],
  },
)

/**
 * Slack identities of people, as they confirmed while signed in. Per app: whoever signs with another secret
 * is another.
 */
export const SLACK_PEOPLE = table(
  'slack_people',
  {
    id: rowId(),
    orgId: ref<OrgId>('organisations'),
    app: text(),
    slackUser: text(),
    slackName: text(),
    userId: ref<UserId>('users'),
    // 1: said in a session that the organisation's provider began.
    byProvider: flag(),
    linkedMs: time(),
  },
  {
    key: ['id'],
    unique: [['orgId', 'app', 'slackUser']],
    indices: {
      slack_people_by_user: { on: ['userId'] },
    },
  },
)
