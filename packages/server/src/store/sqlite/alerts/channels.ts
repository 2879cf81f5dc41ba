/** Channels of an organisation. */
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type {
  Channel,
  ChannelKind,
  ChannelsRead,
  ChannelTarget,
  ChannelValues,
  LastAnswer,
} from '#ports/channels.ts'
import type { Connection } from '../connection.ts'
import { slackPeopleRead } from './slack-people.ts'

interface ChannelRow {
  readonly id: number
  readonly orgId: OrgId
  readonly kind: ChannelKind
  readonly name: string
  readonly settings: string
  readonly secrets: string
  readonly createdBy: string
  readonly createdMs: number
  readonly changedMs: number
  readonly lastDelivered: number | null
  readonly lastSays: string | null
  readonly lastMs: number | null
}

const CHANNEL = `SELECT id, org_id AS orgId, kind, name, settings, secrets, created_by AS createdBy,
  created_ms AS createdMs, changed_ms AS changedMs, last_delivered AS lastDelivered, last_says AS lastSays,
  last_ms AS lastMs FROM channels`

export function channelsRead(db: Connection): ChannelsRead {
  return {
    channels: async ({ orgId }) =>
      db.all<ChannelRow>(`${CHANNEL} WHERE org_id = ? ORDER BY name, kind`, [orgId]).map(readChannel),
    channel: async ({ orgId }, id) => {
      const row = channelRow(db, orgId, id)
      return row === null ? null : readChannel(row)
    },
    channelTarget: async (org, id) => {
      const row = channelRow(db, org, id)
      return row === null ? null : target(row)
    },
    channelForCallback: async (id) => {
      const row = db.get<ChannelRow>(`${CHANNEL} WHERE id = ?`, [id])
      return row === undefined ? null : { ...target(row), orgId: row.orgId }
    },
    ...slackPeopleRead(db),
  }
}

export function writeLastAnswer(db: Connection, channel: number, answer: LastAnswer): void {
  const says = answer.says.slice(0, max('noticeSaysCharsMax'))
  const sql = 'UPDATE channels SET last_delivered = ?, last_says = ?, last_ms = ? WHERE id = ?'
  db.run(sql, [answer.isDelivered ? 1 : 0, says, answer.atMs, channel])
}

export function channelTargetById(db: Connection, id: number): ChannelTarget | null {
  const row = db.get<ChannelRow>(`${CHANNEL} WHERE id = ?`, [id])
  return row === undefined ? null : target(row)
}

function channelRow(db: Connection, org: OrgId, id: number): ChannelRow | null {
  return db.get<ChannelRow>(`${CHANNEL} WHERE id = ? AND org_id = ?`, [id, org]) ?? null
}

function readChannel({
  lastDelivered,
  lastSays,
  lastMs,
  settings,
  secrets,
  orgId,
  ...row
}: ChannelRow): Channel {
  return {
    ...row,
    settings: readChannelValues(settings),
    secretsSet: Object.keys(readChannelValues(secrets)),
    last: lastMs === null ? null : { isDelivered: lastDelivered === 1, says: lastSays ?? '', atMs: lastMs },
  }
}

function target({ id, kind, name, settings, secrets }: ChannelRow): ChannelTarget {
  return { id, kind, name, values: { ...readChannelValues(settings), ...readChannelValues(secrets) } }
}

function readChannelValues(text: string): ChannelValues {
  return JSON.parse(text)
}
