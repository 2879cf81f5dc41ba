/** Messages of alerts: queued within the transaction that makes a rule fire, claimed under a lease, settled. */
import { assert } from '#base/errors.ts'
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { foldEmail } from '#model/account-rules.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { emailMomentOf } from '#model/email-moment.ts'
import {
  asOne,
  CHANNEL_DELETED,
  dueMsOf,
  HELD_FOR_PERSON,
  isGathered,
  isHeldForPeople,
  isPager,
  RECEIVER_GONE,
  readReceiverKey,
  receiverKey,
  sinceOccasion,
  TOLD_IN_ANOTHER,
  tooManyWait,
  whyNobody,
  withTry,
} from '#notices/rules/messages.ts'
import type { ChannelKind } from '#ports/channels.ts'
import type {
  ClaimedMessage,
  MessageReceiver,
  MessageSettlement,
  MessageState,
  NewMessage,
} from '#ports/messages.ts'
import type { Waiting } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { forgetHeld, holdEmail, personQuietUntil } from '../inbox/held-emails.ts'
import { enterAlert, enterFailure } from '../inbox/inbox-rows.ts'
import type { ClaimedRow, Ended, Queue, Waited } from '../outbox/claims.ts'
import { type FindEarlierEmail, findEarlierEmail, receiverEmail } from '../rows/told-occasions.ts'
import { channelTargetById, writeLastAnswer } from './channels.ts'
import { Crowd, LAST_TOLD } from './crowd.ts'
import { switchedOff } from './email-moments.ts'
import { emailedPerson, type Person, peopleOfTarget } from './message-people.ts'
import { MessagePlaces } from './message-places.ts'
import { MessageTexts, messageText, type StoredText } from './message-texts.ts'

/**
 * Condition that keeps a firing's messages to one receiver in order: a trigger that is tried again after its
 * end went out would stay open there. By alert_messages_of_firing.
 */
const IN_TURN = `NOT EXISTS (SELECT 1 FROM alert_messages AS earlier WHERE earlier.due_ms IS NOT NULL
  AND earlier.firing_id = own.firing_id AND earlier.id < own.id
  AND +earlier.channel_id IS own.channel_id AND +earlier.user_id IS own.user_id)`

/** alert_messages_of_channel, alert_messages_of_org: nearly every look finds nothing. */
export function messagesWaiting(db: Connection, by: 'mail' | 'call'): readonly Waiting[] {
  if (by === 'mail') {
    // Of each the first is found, without a look at those behind it: a firing may be told to thousands.
    const sql = `SELECT o.id AS orgId, (
        SELECT own.due_ms FROM alert_messages own WHERE own.org_id = o.id AND own.due_ms IS NOT NULL AND own.kind = 'email'
          AND ${IN_TURN} ORDER BY own.due_ms LIMIT 1) AS dueMs
      FROM organisations o WHERE EXISTS (
        SELECT 1 FROM alert_messages WHERE org_id = o.id AND due_ms IS NOT NULL AND kind = 'email')`
    const found = db.all<{ orgId: OrgId; dueMs: number | null }>(sql)
    const rows = found.flatMap(({ orgId, dueMs }) => (dueMs === null ? [] : [{ orgId, dueMs }]))
    return rows.map((row) => ({
      ...row,
      receiver: receiverKey({ kind: 'email', ...row, channelId: null }),
      isPager: false,
    }))
  }
  const sql = `SELECT org_id AS orgId, channel_id AS channelId, kind, min(due_ms) AS dueMs FROM alert_messages own
    WHERE due_ms IS NOT NULL AND kind <> 'email' AND ${IN_TURN} GROUP BY channel_id`
  const rows = db.all<Pick<DueMessage, 'orgId' | 'channelId' | 'kind'> & { readonly dueMs: number }>(sql)
  return rows.map(({ orgId, dueMs, ...row }) => {
    return { receiver: receiverKey({ orgId, ...row }), orgId, isPager: isPager(row.kind), dueMs }
  })
}

/** Receiver of a message: a channel, a person, or nobody. */
interface Receiver {
  readonly channelId: number | null
  readonly userId: UserId | null
  readonly kind: ChannelKind
  readonly name: string
  /** Address of a person, as addresses are compared. */
  readonly address?: string
}

/** Writes what a firing says, one row a receiver. Call it inside of the firing's transaction. */
export function insertMessages(db: Connection, messages: readonly NewMessage[], nowMs: number): void {
  const texts = new MessageTexts(db)
  /** Several targets of one rule may name a person, or a channel their address: that is one email. */
  const told = new Map<AlertMessage, Set<string>>()
  const places = new MessagePlaces(db)
  for (const message of messages) {
    const people = message.target.to === 'channel' ? [] : peopleOfTarget(db, message, message.target)
    enterAlert(
      db,
      message,
      people.map(({ id }) => id),
      nowMs,
    )
    const receivers = receiversOf(db, message, people)
    const before = findEarlierEmail(db, message)
    const text = texts.of(message, receivers.length)
    const beyond: Receiver[] = []
    const crowd = new Crowd(db, {
      message,
      text,
      people: receivers.flatMap(({ userId }) => userId ?? []),
      nowMs,
    })
    for (const receiver of receivers) {
      const address = receiver.address ?? receiverEmail(db, receiver)
      const addresses = told.get(message.message) ?? new Set()
      if (address !== null && addresses.has(address)) {
        if (receiver.channelId !== null) insertTold(db, { message, text, receiver, nowMs, by: null })
        continue
      }
      if (tellOne(db, { message, text, receiver, nowMs }, { earlier: before(address), crowd, places })) {
        if (address !== null) told.set(message.message, addresses.add(address))
      } else beyond.push(receiver)
    }
    crowd.save()
    if (beyond.length > 0) insertBeyond(db, message, { beyond, nowMs })
    if (receivers.length === 0) insertForNobody(db, message, nowMs)
  }
}

function receiversOf(db: Connection, message: NewMessage, people: readonly Person[]): readonly Receiver[] {
  const { target } = message
  if (target.to === 'channel') {
    const channel = db.get<{ id: number; kind: ChannelKind; name: string }>(
      'SELECT id, kind, name FROM channels WHERE id = ? AND org_id = ?',
      [target.channelId, message.orgId],
    )
    if (channel === undefined) return []
    return [{ channelId: channel.id, userId: null, kind: channel.kind, name: channel.name }]
  }
  const moment = emailMomentOf(message.message)
  const off = switchedOff(db, moment ?? '')
  return people
    .filter(({ id, takesEmail }) => takesEmail && !off.has(id))
    .map(({ id, name, email }) => ({
      ...{ channelId: null, userId: id, kind: 'email', name },
      address: foldEmail(email),
    }))
}

interface Telling {
  readonly earlier: ReturnType<FindEarlierEmail>
  readonly crowd: Crowd
  readonly places: MessagePlaces
}

/** False where too many wait for the receiver: neither this message nor another one tells them. */
function tellOne(db: Connection, given: Inserted, { earlier, crowd, places }: Telling): boolean {
  const { message, receiver } = given
  const { userId, name } = receiver
  if (earlier !== null) {
    if (userId !== null) crowd.addTold(userId, name, earlier.id)
    else insertTold(db, { ...given, by: earlier.id })
    return true
  }
  const isOfCrowd = userId !== null && crowd.has(userId)
  if (!isOfCrowd) crowd.save()
  if (!isOfCrowd && holdForPerson(db, given)) return true
  if (!places.take(message, receiver)) return false
  if (isOfCrowd) crowd.take(userId, name)
  else insertMessage(db, given)
  return true
}

function insertMessage(db: Connection, { message, text, receiver, nowMs }: Inserted): void {
  const { heldUntilMs, firingId } = message
  const { moment } = message.message
  if (receiver.userId !== null && firingId !== null) forgetHeld(db, receiver.userId, firingId)
  const dueMs = dueMsOf({ kind: receiver.kind, heldUntilMs, moment }, { nowMs, lastMs: lastTo(db, receiver) })
  const id = insertRow(db, { message, text, receiver, nowMs, state: 'waiting', dueMs, says: null })
  if (heldUntilMs === null && firingId !== null) tellHeldBefore(db, { message, receiver, nowMs, id })
}

/** Keeps the message for the email after the person's quiet hours; false where they do not hold it. */
function holdForPerson(db: Connection, { message, text, receiver, nowMs }: Inserted): boolean {
  const { userId } = receiver
  const { message: said, heldUntilMs, occasion } = message
  if (userId === null || !isHeldForPeople(said)) return false
  const untilMs = personQuietUntil(db, userId, heldUntilMs ?? nowMs)
  if (untilMs === null) return false
  const { orgId, projectId, issueId, firingId } = message
  const told = { orgId, projectId, issueId, firingId, ruleId: said.rule?.id ?? null, headline: said.headline }
  holdEmail(db, userId, { ...told, atMs: occasion?.atMs ?? nowMs, untilMs })
  // Held: what goes out at once does not wait for the minute after it.
  const held = { ...message, heldUntilMs: untilMs }
  insertRow(db, {
    message: held,
    text,
    receiver,
    nowMs,
    state: 'gathered',
    dueMs: null,
    says: HELD_FOR_PERSON,
  })
  return true
}

/** Inserts an entry for the log only: another message tells it. */
function insertTold(db: Connection, { by, ...row }: Inserted & { readonly by: number | null }): void {
  const id = insertRow(db, { ...row, state: 'gathered', dueMs: null, says: TOLD_IN_ANOTHER })
  db.run('UPDATE alert_messages SET gathered_in = ? WHERE id = ?', [by, id])
}

/**
 * Tells now what quiet hours hold of the same firing: later it would be wrong, or for the same occasion told
 * twice.
 */
function tellHeldBefore(
  db: Connection,
  given: Pick<NewRow, 'message' | 'receiver' | 'nowMs'> & { readonly id: number },
): void {
  const { message, receiver, nowMs, id } = given
  const { channelId, userId } = receiver
  // alert_messages_to_channel, alert_messages_to_person
  const [column, to] = channelId === null ? ['user_id', userId] : ['channel_id', channelId]
  const sql = `UPDATE alert_messages SET state = 'gathered', says = :says, due_ms = NULL, settled_ms = :now, gathered_in = :id
    WHERE ${column} = :to AND (firing_id = :firing OR issue_id = :issue AND occasion = :of AND occasion_ms >= :since)
      AND held_until_ms IS NOT NULL AND state = 'waiting' AND tries = 0`
  const { firingId: firing, issueId: issue, occasion } = message
  const same = {
    issue,
    of: occasion?.of ?? null,
    since: occasion === null ? 0 : sinceOccasion(occasion.atMs),
  }
  db.run(sql, { says: TOLD_IN_ANOTHER, now: nowMs, id, to, firing, ...same })
}

function insertForNobody(db: Connection, message: NewMessage, nowMs: number): void {
  const { target } = message
  const receiver: Receiver = { channelId: null, userId: null, kind: 'email', name: target.to }
  const text = new MessageTexts(db).of(message, 1)
  insertRow(db, { message, text, receiver, nowMs, state: 'cancelled', dueMs: null, says: whyNobody(target) })
}

/** Notes in the log, as one entry, who is not told because too many messages wait. */
function insertBeyond(
  db: Connection,
  message: NewMessage,
  { beyond, nowMs }: { readonly beyond: readonly Receiver[]; readonly nowMs: number },
): void {
  const [first] = beyond
  if (first === undefined) return
  const name = beyond.length === 1 ? first.name : `${beyond.length} people`
  const receiver = beyond.length === 1 ? first : { ...first, name, userId: null }
  const says = tooManyWait(first.kind, message.heldUntilMs !== null)
  const text = new MessageTexts(db).of(message, 1)
  insertRow(db, { message, text, receiver, nowMs, state: 'failed', dueMs: null, says })
  const { orgId } = message
  const { channelId } = first
  if (channelId !== null) enterFailure(db, { orgId, projectId: null, channelId, says }, nowMs)
}

interface Inserted {
  readonly message: NewMessage
  readonly text: StoredText
  readonly receiver: Receiver
  readonly nowMs: number
}

interface NewRow extends Inserted {
  readonly state: MessageState
  readonly dueMs: number | null
  readonly says: string | null
}

function insertRow(db: Connection, { message, text, receiver, nowMs, state, dueMs, says }: NewRow): number {
  const { orgId, projectId, projects, issueId, occasion, firingId, heldUntilMs, message: said } = message
  const sql = `INSERT INTO alert_messages (org_id, project_id, projects, rule_id, firing_id, issue_id, occasion, occasion_ms,
      channel_id, user_id, kind, receiver, key, message, text_id, headline, level, state, at_ms, held_until_ms, due_ms, says,
      settled_ms)
    VALUES (:org, :project, :projects, :rule, :firing, :issue, :occasion, :occasionMs,
      :channel, :user, :kind, :receiver, lower(hex(randomblob(16))), :message, :textId, :headline, :level, :state, :now, :held, :due, :says, :settled)`
  const { lastId } = db.run(sql, {
    projects: projects === null ? null : JSON.stringify(projects),
    ...{ org: orgId, project: projectId, rule: said.rule?.id ?? null, firing: firingId, issue: issueId },
    ...{ occasion: occasion?.of ?? null, occasionMs: occasion?.atMs ?? null },
    ...{ channel: receiver.channelId, user: receiver.userId, kind: receiver.kind, receiver: receiver.name },
    ...{ ...text, headline: said.headline, level: said.level },
    ...{ state, now: nowMs, held: heldUntilMs, due: dueMs, says, settled: dueMs === null ? nowMs : null },
  })
  return lastId
}

/** When the newest was queued that went out, or goes out, at once, tests apart. */
function lastTo(db: Connection, { channelId, userId }: Receiver): number | null {
  // alert_messages_to_channel, alert_messages_to_person
  const [column, id] = channelId === null ? ['user_id', userId] : ['channel_id', channelId]
  const sql = `${LAST_TOLD} AND ${column} = ? ORDER BY at_ms DESC LIMIT 1`
  return db.get<{ at_ms: number }>(sql, [id])?.at_ms ?? null
}

interface DueMessage extends Waited {
  readonly orgId: OrgId
  readonly projectId: ProjectId | null
  readonly issueId: IssueId | null
  readonly channelId: number | null
  readonly userId: UserId | null
  readonly kind: ChannelKind
  readonly key: string
  readonly message: string
  readonly heldUntilMs: number | null
  readonly tried: string
}

const DUE = `SELECT own.id, own.state, own.lease, own.tries, own.org_id AS orgId, own.project_id AS projectId,
    own.issue_id AS issueId, own.channel_id AS channelId, own.user_id AS userId, own.kind, own.key,
    ${messageText('own')} AS message, own.held_until_ms AS heldUntilMs, own.tried
  FROM alert_messages own`

type Content = Omit<ClaimedMessage, keyof ClaimedRow>

export function messagesDue(db: Connection): Queue<DueMessage, Content, MessageSettlement> {
  return {
    table: 'alert_messages',
    select: DUE,
    next(receiver) {
      const { column, id } = readReceiverKey(receiver)
      // alert_messages_of_channel, alert_messages_of_org
      const own = {
        channel: `own.channel_id = :id AND own.kind <> 'email'`,
        mail: `own.org_id = :id AND own.kind = 'email'`,
        any: ':id IS NULL',
      }
      return { where: `${own[column]} AND ${IN_TURN} ORDER BY own.due_ms, own.id`, params: { id } }
    },
    content: (due, nowMs) => messageContent(db, due, nowMs),
    after(row, { after, settlement, nowMs }) {
      if (settlement !== null) noteTry(db, row, { after, settlement, nowMs })
      if (after.state === 'failed') tellFailure(db, row, { says: after.says, nowMs })
    },
  }
}

/**
 * Notes a failure. The sender of a test sees its result; a person's own mailbox is no matter of the
 * organisation's.
 */
function tellFailure(
  db: Connection,
  { orgId, channelId, message }: DueMessage,
  { says, nowMs }: { readonly says: string; readonly nowMs: number },
): void {
  const { moment }: AlertMessage = JSON.parse(message)
  if (channelId === null || moment === 'test') return
  enterFailure(db, { orgId, projectId: null, channelId, says }, nowMs)
}

function endMessage(
  db: Connection,
  id: number,
  { state, says, nowMs }: { readonly state: MessageState; readonly says: string; readonly nowMs: number },
): void {
  const sql =
    'UPDATE alert_messages SET state = ?, says = ?, due_ms = NULL, lease = NULL, settled_ms = ? WHERE id = ?'
  db.run(sql, [state, says, nowMs, id])
}

function messageContent(db: Connection, due: DueMessage, nowMs: number): Content | null {
  // Before anything is gathered: what is due besides must not be told in a message that nobody gets.
  if (receiverNow(db, due, JSON.parse(due.message)) === null) {
    const says = due.channelId === null ? RECEIVER_GONE : CHANNEL_DELETED
    endMessage(db, due.id, { state: 'cancelled', says, nowMs })
    return null
  }
  const message = gather(db, due, nowMs)
  const to = receiverNow(db, due, message)
  assert(to !== null, 'who may be told is told of what is gathered as well')
  if (message.gathered !== null && due.tries === 0) writeGathered(db, due.id, message)
  return { key: due.key, receiver: receiverKey(due), to, message }
}

function writeGathered(db: Connection, id: number, message: AlertMessage): void {
  const sql = 'UPDATE alert_messages SET message = ?, text_id = NULL, headline = ?, level = ? WHERE id = ?'
  db.run(sql, [JSON.stringify(message), message.headline, message.level, id])
}

/** With what else is due for the receiver; one that was tried before goes out as it was. */
function gather(db: Connection, due: DueMessage, nowMs: number): AlertMessage {
  const own: AlertMessage = JSON.parse(due.message)
  if (due.tries > 0 || !isGathered({ kind: due.kind, moment: own.moment })) return own
  const [column, receiver] = due.channelId === null ? ['user_id', due.userId] : ['channel_id', due.channelId]
  // alert_messages_to_channel, alert_messages_to_person; alert_messages_of_channel, which has none by mail
  const isDue = due.kind === 'email' ? '+own.due_ms <= :now' : `own.kind <> 'email' AND own.due_ms <= :now`
  const sql = `${DUE} WHERE own.${column} = :receiver AND ${isDue} AND own.state = 'waiting' AND own.tries = 0
    AND own.id != :id AND +own.org_id = :org AND json_extract(${messageText('own')}, '$.moment') NOT IN ('test', 'sent')
    ORDER BY own.id`
  const { id, orgId: org } = due
  const others = db.all<DueMessage>(sql, { receiver, now: nowMs, id, org })
  const told = others.filter(
    (other) => other.userId === null || emailedPerson(db, other, other.userId) !== null,
  )
  for (const other of told) {
    endMessage(db, other.id, { state: 'gathered', says: TOLD_IN_ANOTHER, nowMs })
    db.run('UPDATE alert_messages SET gathered_in = ? WHERE id = ?', [due.id, other.id])
  }
  const all: readonly AlertMessage[] = [own, ...told.map(({ message }) => JSON.parse(message))]
  return asOne(all, due.heldUntilMs !== null)
}

/** Asked again at each try: who may no longer read the project is told nothing of it. */
function receiverNow(db: Connection, due: DueMessage, { story }: AlertMessage): MessageReceiver | null {
  if (due.channelId === null) {
    const person = due.userId === null ? null : emailedPerson(db, due, due.userId)
    return person === null ? null : { to: 'person', email: person.email, name: person.name }
  }
  const channel = channelTargetById(db, due.channelId)
  if (channel === null) return null
  const sql = 'SELECT thread FROM alert_threads WHERE channel_id = ? AND story = ?'
  const thread = db.get<{ thread: string }>(sql, [due.channelId, story])?.thread ?? null
  return { to: 'channel', channel, thread }
}

function noteTry(
  db: Connection,
  { id, channelId, message, tried }: DueMessage,
  { after, settlement, nowMs }: Ended & { readonly settlement: MessageSettlement },
): void {
  const { tookMs, thread } = settlement
  const all = withTry(JSON.parse(tried), { atMs: nowMs, says: after.says, tookMs })
  db.run('UPDATE alert_messages SET tried = ? WHERE id = ?', [JSON.stringify(all), id])
  if (channelId === null) return
  const answer = { isDelivered: settlement.state === 'sent', says: settlement.says, atMs: nowMs }
  writeLastAnswer(db, channelId, answer)
  if (thread === undefined) return
  const { story }: AlertMessage = JSON.parse(message)
  const sql = `INSERT INTO alert_threads (channel_id, story, thread, at_ms) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING`
  db.run(sql, [channelId, story, thread.slice(0, 200), nowMs])
}

export function sendAgain(
  db: Connection,
  { org, id, nowMs }: { readonly org: OrgId; readonly id: number; readonly nowMs: number },
): boolean {
  const sql = `UPDATE alert_messages SET state = 'waiting', due_ms = :now, tries = 0, says = NULL, settled_ms = NULL,
      lease = NULL, held_until_ms = NULL, key = lower(hex(randomblob(16)))
    WHERE id = :id AND org_id = :org AND state IN ('sent', 'failed', 'cancelled')
      AND (channel_id IN (SELECT id FROM channels) OR user_id IS NOT NULL)`
  return db.run(sql, { now: nowMs, id, org }).changes > 0
}
