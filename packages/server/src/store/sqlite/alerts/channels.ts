/** Channels of an organisation. */
import type { OrgId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { CHANNEL_REFUSALS, refuseChannels } from '#notices/rules/channels.ts'
import { CHANNEL_DELETED } from '#notices/rules/messages.ts'
import type {
  Channel,
  ChannelChange,
  ChannelKind,
  ChannelsRead,
  ChannelsWrite,
  ChannelTarget,
  ChannelValues,
  LastAnswer,
  NewChannel,
} from '#ports/channels.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeAudit } from '../rows/audit.ts'
import { removeReceiver } from './alert-rows.ts'
import { slackPeopleRead, slackPeopleWrite } from './slack-people.ts'

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
      db.all<ChannelRow>(`${CHANNEL} WHERE org_id = ? ORDER BY name, kind`, [orgId]).map(shown),
    channel: async ({ orgId }, id) => {
      const row = channelRow(db, orgId, id)
      return row === null ? null : shown(row)
    },
    ...slackPeopleRead(db),
  }
}

export function channelsWrite(db: Connection): ChannelsWrite {
  return {
    createChannel: async (org, channel, actor) => db.transaction(() => create(db, { org, channel }, actor)),
    changeChannel: async (org, id, change, actor) =>
      db.transaction(() => changeChannel(db, { org, id, change }, actor)),
    deleteChannel: async (org, id, actor) => db.transaction(() => remove(db, { org, id }, actor)),
    noteAnswer: async (org, id, answer) =>
      db.transaction(() => {
        if (channelRow(db, org, id) !== null) writeLastAnswer(db, id, answer)
      }),
    channelTarget: async (org, id) => {
      const row = channelRow(db, org, id)
      return row === null ? null : target(row)
    },
    channelForCallback: async (id) => {
      const row = db.get<ChannelRow>(`${CHANNEL} WHERE id = ?`, [id])
      return row === undefined ? null : { ...target(row), orgId: row.orgId }
    },
    ...slackPeopleWrite(db),
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

function shown({ lastDelivered, lastSays, lastMs, settings, secrets, orgId, ...row }: ChannelRow): Channel {
  return {
    ...row,
    settings: readValues(settings),
    secretsSet: Object.keys(readValues(secrets)),
    last: lastMs === null ? null : { isDelivered: lastDelivered === 1, says: lastSays ?? '', atMs: lastMs },
  }
}

function target({ id, kind, name, settings, secrets }: ChannelRow): ChannelTarget {
  return { id, kind, name, values: { ...readValues(settings), ...readValues(secrets) } }
}

function readValues(text: string): ChannelValues {
  return JSON.parse(text)
}

function isTaken(
  db: Connection,
  org: OrgId,
  { kind, name, id }: Pick<ChannelRow, 'kind' | 'name' | 'id'>,
): boolean {
  const sql = 'SELECT 1 FROM channels WHERE org_id = ? AND kind = ? AND name = ? AND id != ?'
  return db.get(sql, [org, kind, name, id]) !== undefined
}

function create(
  db: Connection,
  { org, channel }: { readonly org: OrgId; readonly channel: NewChannel },
  actor: Actor,
): Result<{ readonly id: number }> {
  const { count } = db.get<{ count: number }>('SELECT count(*) AS count FROM channels WHERE org_id = ?', [
    org,
  ]) ?? {
    count: 0,
  }
  const refused = refuseChannels(count)
  if (refused !== null) return refused
  const { kind, name, settings, secrets } = channel
  if (isTaken(db, org, { kind, name, id: 0 })) return CHANNEL_REFUSALS.nameTaken()
  const sql = `INSERT INTO channels (org_id, kind, name, settings, secrets, created_by, created_ms, changed_ms)
    VALUES (:org, :kind, :name, :settings, :secrets, :by, :now, :now) RETURNING id`
  const values = { settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) }
  const row = db.get<{ id: number }>(sql, { org, kind, name, ...values, by: actor.label, now: actor.atMs })
  if (row === undefined) return refuse('conflict', 'The channel could not be created.')
  writeAudit(db, org, actor, { action: 'channel.created', target: name, detail: { kind } })
  return ok(row)
}

function changeChannel(
  db: Connection,
  { org, id, change: given }: { readonly org: OrgId; readonly id: number; readonly change: ChannelChange },
  actor: Actor,
): Result<null> {
  const { seen, ...change } = given
  const before = channelRow(db, org, id)
  if (before === null) return CHANNEL_REFUSALS.noChannel()
  const unseen = refuseUnseen({ name: before.name, settings: readValues(before.settings) }, seen)
  if (unseen !== null) return unseen
  const name = change.name ?? before.name
  if (isTaken(db, org, { kind: before.kind, name, id })) return CHANNEL_REFUSALS.nameTaken()
  const settings = change.settings ?? readValues(before.settings)
  const secrets = { ...readValues(before.secrets), ...change.secrets }
  const sql = 'UPDATE channels SET name = ?, settings = ?, secrets = ?, changed_ms = ? WHERE id = ?'
  db.run(sql, [name, JSON.stringify(settings), JSON.stringify(secrets), actor.atMs, id])
  const detail = { kind: before.kind, changed: Object.keys(change).join(', ') }
  writeAudit(db, org, actor, { action: 'channel.changed', target: name, detail })
  return ok(null)
}

function remove(
  db: Connection,
  { org, id }: { readonly org: OrgId; readonly id: number },
  actor: Actor,
): Result<null> {
  const before = channelRow(db, org, id)
  if (before === null) return CHANNEL_REFUSALS.noChannel()
  // alert_messages_to_channel
  const cancel = `UPDATE alert_messages SET state = 'cancelled', says = ?, due_ms = NULL, lease = NULL, settled_ms = ?
    WHERE channel_id = ? AND state IN ('waiting', 'sending')`
  db.run(cancel, [CHANNEL_DELETED, actor.atMs, id])
  db.run('DELETE FROM channels WHERE id = ?', [id])
  removeReceiver(db, org, id)
  writeAudit(db, org, actor, {
    action: 'channel.deleted',
    target: before.name,
    detail: { kind: before.kind },
  })
  return ok(null)
}
