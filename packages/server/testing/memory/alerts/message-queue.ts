/** Messages of alerts: queued with a firing, claimed under a lease, settled; and their log. */
import { randomBytes } from 'node:crypto'
import type { IssueId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { emailMomentOf } from '#model/email-moment.ts'
import { claimed, isLost, lost, maySettle, settled } from '#notices/rules/deliveries.ts'
import { countsByState, median } from '#notices/rules/message-log.ts'
import {
  activeSince,
  anyOf,
  asOne,
  CHANNEL_DELETED,
  dueMsOf,
  isGathered,
  isPager,
  nobody,
  oldestMessageMs,
  RECEIVER_GONE,
  receiverKey,
  sinceOccasion,
  TOLD_IN_ANOTHER,
  withTry,
} from '#notices/rules/messages.ts'
import type {
  ClaimedMessage,
  MessageLogEntry,
  MessageLogQuery,
  MessageQueue,
  MessageReceiver,
  MessageSettlement,
  MessagesRead,
  NewMessage,
} from '#ports/messages.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { MessageRow } from '../alert-tables.ts'
import { ascending, byId, descending, earliest, inOrder } from '../order.ts'
import { opensToMail } from '../rows/notice-rows.ts'
import { isOf, ON_ITS_WAY } from '../rows/told-occasions.ts'
import type { Tables, UserRow } from '../tables.ts'
import { targetOf } from './channels.ts'

export function messageQueue(to: Tables): MessageQueue {
  return {
    queueMessages: async (messages, nowMs) => to.transaction(() => insertMessages(to, messages, nowMs)),
    claimMessages: async (claim) => to.transaction(() => claimDue(to, claim)),
    settleMessage: async (message, settlement, nowMs) =>
      to.transaction(() => settle(to, { ...message, settlement, nowMs })),
    waitingMessages: async (by) => {
      const rows = inTurn(to).filter(({ kind }) => (kind === 'email') === (by === 'mail'))
      return earliest(rows, (row) => ({
        receiver: receiverKey(row),
        orgId: row.orgId,
        isPager: isPager(row.kind),
      }))
    },
    sendAgain: async (org, id, nowMs) =>
      to.transaction(() => {
        const row = to.messages.get(id)
        if (row === undefined || row.orgId !== org) return false
        if (row.state !== 'sent' && row.state !== 'failed' && row.state !== 'cancelled') return false
        if (row.userId === null && (row.channelId === null || !to.channels.has(row.channelId))) return false
        const anew = { state: 'waiting', dueMs: nowMs, tries: 0, says: null, settledMs: null } as const
        to.messages.change(id, { ...anew, lease: null, heldUntilMs: null, key: newKey() })
        return true
      }),
  }
}

export function messagesRead(of: Tables): MessagesRead {
  return {
    messageLog: async (scope, query) => {
      const wanted = of.messages
        .where((row) => isReadable(of, scope, row) && matches(row, query))
        .sort(descending(({ id }) => id))
      const sums = countsByState(wanted.map(({ state }) => ({ state, count: 1 })))
      const took = wanted.flatMap(({ state, heldUntilMs, settledMs, atMs }) =>
        state === 'sent' && heldUntilMs === null ? (settledMs ?? atMs) - atMs : [],
      )
      const { states, before, limit } = query
      const rows = wanted.filter(
        ({ id, state }) => (states?.includes(state) ?? true) && (before === null || id < before),
      )
      const medianMs = median(took.sort((one, other) => one - other))
      return { entries: rows.slice(0, limit).map(entryOf), counts: sums, medianMs }
    },
    messageSent: async (scope, id) => {
      const row = of.messages.get(id)
      if (row === undefined || !isReadable(of, scope, row)) return null
      return { entry: entryOf(row), message: row.message }
    },
  }
}

/** One that others were gathered in says what they say: it is read by those alone who may read all of them. */
function isReadable(of: Tables, { orgId, projects }: ReadScope, row: MessageRow): boolean {
  const isOpen = (one: MessageRow) =>
    one.projectId === null
      ? one.projects === null || one.projects.some((id) => projects.includes(id))
      : projects.includes(one.projectId)
  const gathered = of.messages.where(({ gatheredIn }) => gatheredIn === row.id)
  return row.orgId === orgId && isOpen(row) && gathered.every(isOpen)
}

function matches(row: MessageRow, { ruleId, kind, channelId, sinceMs, text }: MessageLogQuery): boolean {
  const said = `${row.message.headline}\n${row.receiver}\n${row.says ?? ''}`.toLowerCase()
  return (
    row.atMs >= sinceMs &&
    (ruleId === null || row.message.rule?.id === ruleId) &&
    (kind === null || row.kind === kind) &&
    (channelId === null || row.channelId === channelId) &&
    said.includes(text.toLowerCase())
  )
}

function entryOf(row: MessageRow): MessageLogEntry {
  const { rule, moment, level, headline, issue } = row.message
  const { id, atMs, channelId, kind, state, says, heldUntilMs, dueMs, settledMs, tried, gatheredIn } = row
  return {
    ...{
      id,
      atMs,
      rule,
      moment,
      level,
      headline,
      channelId,
      kind,
      to: row.receiver,
      state,
      says,
      heldUntilMs,
    },
    ...{ nextMs: state === 'waiting' ? dueMs : null, settledMs, tries: tried, gatheredIn },
    issue: issue?.shortId ?? null,
  }
}

function newKey(): string {
  return randomBytes(16).toString('hex')
}

type Receiver = Pick<MessageRow, 'channelId' | 'userId' | 'kind' | 'receiver'>

/** Writes what a firing says, one row a receiver. Call it inside of the firing's transaction. */
export function insertMessages(to: Tables, messages: readonly NewMessage[], nowMs: number): void {
  const told = new Map<AlertMessage, Set<UserId>>()
  for (const message of messages) {
    const receivers = receiversOf(to, message)
    for (const receiver of receivers) {
      if (receiver.userId !== null) {
        const people = told.get(message.message) ?? new Set()
        if (people.has(receiver.userId)) continue
        told.set(message.message, people.add(receiver.userId))
      }
      const before = toldBefore(to, message, receiver)
      if (before !== null) {
        const row = { ...receiver, state: 'gathered', dueMs: null, says: TOLD_IN_ANOTHER } as const
        to.messages.change(insert(to, { message, nowMs, row }), { gatheredIn: before.id })
        continue
      }
      const { heldUntilMs } = message
      const lastMs = lastTo(to, receiver)
      const { moment } = message.message
      const dueMs = dueMsOf({ kind: receiver.kind, heldUntilMs, moment }, { nowMs, lastMs })
      const id = insert(to, { message, nowMs, row: { ...receiver, state: 'waiting', dueMs, says: null } })
      if (heldUntilMs === null) tellHeldBefore(to, { message, nowMs, receiver, id })
    }
    if (receivers.length > 0) continue
    const { target } = message
    const nothing = { channelId: null, userId: null, kind: 'email', receiver: target.to } as const
    const row = { ...nothing, state: 'cancelled', dueMs: null, says: nobody(target) } as const
    insert(to, { message, nowMs, row })
  }
}

function toldBefore(
  of: Tables,
  { issueId, occasion }: NewMessage,
  { userId }: Receiver,
): { readonly id: number | null } | null {
  if (occasion === null || issueId === null || userId === null) return null
  const sinceMs = sinceOccasion(occasion.atMs)
  const other = of.messages
    .where((row) => isOf(row, { issueId, userId, of: occasion.of, sinceMs }))
    .sort(byId)[0]
  if (other !== undefined || occasion.of !== 'events') return other ?? null
  const own = of.deliveries.find((row) => {
    const notice = of.notices.get(row.noticeId)
    const isSame = notice?.issueId === issueId && notice.atMs >= sinceMs
    return isSame && row.channel === 'mail' && row.userId === userId && ON_ITS_WAY.includes(row.state)
  })
  return own === undefined ? null : { id: null }
}

function insert(
  to: Tables,
  given: {
    readonly message: NewMessage
    readonly nowMs: number
    readonly row: Receiver & Pick<MessageRow, 'state' | 'dueMs' | 'says'>
  },
): number {
  const { orgId, projectId, projects, firingId, issueId, occasion, heldUntilMs, message } = given.message
  const id = to.messages.nextId()
  const fresh = { tries: 0, lease: null, tried: [], gatheredIn: null, key: newKey() } as const
  const settledMs = given.row.dueMs === null ? given.nowMs : null
  const own = {
    id,
    orgId,
    projectId,
    projects,
    firingId,
    issueId,
    occasion,
    heldUntilMs,
    message,
    atMs: given.nowMs,
    settledMs,
  }
  to.messages.put(id, { ...own, ...fresh, ...given.row })
  return id
}

function tellHeldBefore(
  to: Tables,
  given: {
    readonly message: NewMessage
    readonly nowMs: number
    readonly receiver: Receiver
    readonly id: number
  },
): void {
  const { message, nowMs, receiver, id } = given
  const { firingId } = message
  const ended = { state: 'gathered', says: TOLD_IN_ANOTHER, dueMs: null, settledMs: nowMs } as const
  for (const row of to.messages.where((one) => firingId !== null && one.firingId === firingId))
    if (sameReceiver(row, receiver) && row.heldUntilMs !== null && row.state === 'waiting' && row.tries === 0)
      to.messages.change(row.id, { ...ended, gatheredIn: id })
}

function receiversOf(of: Tables, message: NewMessage): readonly Receiver[] {
  const { target } = message
  if (target.to === 'channel') {
    const channel = of.channels.get(target.channelId)
    if (channel === undefined || channel.orgId !== message.orgId) return []
    return [{ channelId: channel.id, userId: null, kind: channel.kind, receiver: channel.name }]
  }
  const moment = emailMomentOf(message.message)
  const isOff = (id: UserId) => moment !== null && of.emailMomentsOff.get(id)?.off.includes(moment) === true
  return peopleOf(of, message, target)
    .filter(({ id }) => !isOff(id))
    .slice(0, max('membersPerOrgMax'))
    .map(({ id, name }) => ({ channelId: null, userId: id, kind: 'email', receiver: name }))
}

function peopleOf(
  of: Tables,
  { orgId, projectId, issueId, message }: Pick<NewMessage, 'orgId' | 'projectId' | 'issueId' | 'message'>,
  target: Exclude<NewMessage['target'], { readonly to: 'channel' }>,
): readonly UserRow[] {
  const readers = opensToMail(of, orgId, projectId)
  switch (target.to) {
    case 'members':
      return readers
    case 'owners': {
      const owners = readers.filter(({ id }) => ownersOf(of, issueId).has(id))
      if (owners.length > 0 || target.otherwise === 'nobody') return owners
      const sinceMs = activeSince(message.atMs)
      const isActive = (id: UserId) =>
        of.sessions.where((one) => one.userId === id && one.seenMs >= sinceMs).length > 0
      return target.otherwise === 'members' ? readers : readers.filter(({ id }) => isActive(id))
    }
    case 'user':
      return readers.filter(({ id }) => id === target.userId)
    case 'team':
      return readers.filter(({ id }) => of.teams.get(target.teamId)?.members.includes(id))
    case 'assignee':
      return readers.filter(({ id }) => id === assigneeOf(of, issueId))
  }
}

function ownersOf(of: Tables, issueId: IssueId | null): ReadonlySet<UserId> {
  if (issueId === null) return new Set()
  const issue = of.issues.get(issueId)
  const named = (of.owners.get(issueId)?.owners ?? []).map(({ owner }) => owner)
  const teams = named.flatMap((owner) => (typeof owner === 'object' ? [owner.team] : []))
  if (issue?.assigneeTeamId != null) teams.push(issue.assigneeTeamId)
  const people = named.flatMap((owner) => (typeof owner === 'object' ? [] : [owner]))
  if (issue?.assigneeId != null) people.push(issue.assigneeId)
  return new Set([...people, ...teams.flatMap((team) => [...(of.teams.get(team)?.members ?? [])])])
}

function assigneeOf(of: Tables, issue: IssueId | null): UserId | null {
  return issue === null ? null : (of.issues.get(issue)?.assigneeId ?? null)
}

function sameReceiver(one: Receiver, other: Receiver): boolean {
  return one.channelId === other.channelId && one.userId === other.userId
}

/** When the newest was queued that went out, or goes out, at once, tests apart. */
function lastTo(of: Tables, receiver: Receiver): number | null {
  const times = of.messages
    .where((row) => sameReceiver(row, receiver) && row.heldUntilMs === null && row.gatheredIn === null)
    .filter(({ message }) => message.moment !== 'test')
    .flatMap(({ dueMs, atMs, tries }) => (dueMs === null || dueMs <= atMs || tries > 0 ? [atMs] : []))
  return times.length === 0 ? null : Math.max(...times)
}

/** On its way, and behind nothing that the same receiver is yet to get of the same firing. */
function inTurn(of: Tables): readonly MessageRow[] {
  const onTheWay = of.messages.where(({ dueMs }) => dueMs !== null)
  const isBehind = (row: MessageRow, earlier: MessageRow) =>
    row.firingId !== null &&
    earlier.firingId === row.firingId &&
    earlier.id < row.id &&
    sameReceiver(earlier, row)
  return onTheWay.filter((row) => !onTheWay.some((earlier) => isBehind(row, earlier)))
}

type Claiming = Parameters<MessageQueue['claimMessages']>[0]

function claimDue(to: Tables, claim: Claiming): readonly ClaimedMessage[] {
  const { nowMs, triesMax, limit } = claim
  const due = (rows: readonly MessageRow[]) =>
    rows
      .filter(({ dueMs }) => dueMs !== null && dueMs <= nowMs)
      .sort(
        inOrder(
          ascending(({ dueMs }) => dueMs ?? 0),
          ascending(({ id }) => id),
        ),
      )
  for (const { id, state, tries } of due(to.messages.all()))
    if (state === 'sending' && isLost({ state, tries }, { kind: 'new', triesMax })) {
      const { says, settledMs } = lost(nowMs)
      to.messages.change(id, { state: 'failed', says, settledMs, dueMs: null, lease: null })
    }
  const taken: ClaimedMessage[] = []
  for (const receiver of claim.only ?? anyOf(limit))
    for (let one: ClaimedMessage | null = null; one === null; ) {
      const next = due(inTurn(to)).find((row) => receiver === null || receiverKey(row) === receiver)
      if (next === undefined) break
      one = claimOne(to, next, claim)
      if (one !== null) taken.push(one)
    }
  return taken
}

function claimOne(to: Tables, due: MessageRow, claim: Claiming): ClaimedMessage | null {
  const message = gather(to, due, claim.nowMs)
  const receiver = receiverNow(to, due, message)
  if (receiver === null) {
    const says = due.channelId === null ? RECEIVER_GONE : CHANNEL_DELETED
    const ended = { state: 'cancelled', says, dueMs: null, lease: null } as const
    to.messages.change(due.id, { ...ended, settledMs: claim.nowMs })
    return null
  }
  const { lease, dueMs, tries } = claimed(due.tries, claim)
  to.messages.change(due.id, { state: 'sending', lease, dueMs, tries, message })
  const { id, key } = due
  return { id, key, lease: claim.lease, receiver: receiverKey(due), tries, to: receiver, message }
}

function gather(to: Tables, due: MessageRow, nowMs: number): AlertMessage {
  if (due.tries > 0 || !isGathered({ kind: due.kind, moment: due.message.moment })) return due.message
  const others = to.messages
    .where(
      (row) =>
        sameReceiver(row, due) &&
        row.id !== due.id &&
        row.orgId === due.orgId &&
        row.message.moment !== 'test' &&
        row.state === 'waiting' &&
        row.tries === 0 &&
        row.dueMs !== null &&
        row.dueMs <= nowMs &&
        (row.userId === null || receiverNow(to, row, row.message) !== null),
    )
    .sort(byId)
  const ended = { state: 'gathered', says: TOLD_IN_ANOTHER, dueMs: null } as const
  for (const { id } of others) to.messages.change(id, { ...ended, settledMs: nowMs, gatheredIn: due.id })
  return asOne([due.message, ...others.map(({ message }) => message)], due.heldUntilMs !== null)
}

function receiverNow(of: Tables, due: MessageRow, { story }: AlertMessage): MessageReceiver | null {
  if (due.channelId === null) {
    const user = due.userId
    if (user === null) return null
    const [person] = peopleOf(of, { ...due, issueId: null }, { to: 'user', userId: user })
    return person === undefined ? null : { to: 'person', email: person.email, name: person.name }
  }
  const channel = of.channels.get(due.channelId)
  if (channel === undefined) return null
  const thread = of.threads.get(threadKey(channel.id, story))?.thread ?? null
  return { to: 'channel', channel: targetOf(channel), thread }
}

function threadKey(channel: number, story: string): string {
  return `${channel}:${story}`
}

function settle(
  to: Tables,
  given: {
    readonly id: number
    readonly lease: string
    readonly settlement: MessageSettlement
    readonly nowMs: number
  },
): boolean {
  const { id, lease, settlement, nowMs } = given
  const row = to.messages.get(id)
  if (row === undefined || row.state === 'gathered' || !maySettle({ ...row, state: row.state }, lease))
    return false
  const { state, says, dueMs, settledMs, ...after } = settled(settlement, nowMs)
  const tried = withTry(row.tried, { atMs: nowMs, says, tookMs: settlement.tookMs })
  to.messages.change(id, { state, says, dueMs, settledMs, lease: after.lease, tried })
  if (row.channelId === null) return true
  const last = { isDelivered: settlement.state === 'sent', says, atMs: nowMs }
  to.channels.change(row.channelId, { last })
  const { thread } = settlement
  const key = threadKey(row.channelId, row.message.story)
  if (thread !== undefined && !to.threads.has(key))
    to.threads.put(key, { channelId: row.channelId, thread: thread.slice(0, 200), atMs: nowMs })
  return true
}

/** What has reached its age or number, once a day. */
export function pruneMessages(to: Tables, nowMs: number): void {
  const oldestMs = oldestMessageMs(nowMs)
  to.messages.deleteWhere(({ atMs }) => atMs < oldestMs)
  to.threads.deleteWhere(({ atMs }) => atMs < oldestMs)
  const counts = new Map<number, number>()
  for (const { id, orgId, dueMs } of to.messages.all().sort(descending((row) => row.id))) {
    const place = (counts.get(orgId) ?? 0) + 1
    counts.set(orgId, place)
    if (place > max('alertMessagesPerOrgMax') && dueMs === null) to.messages.delete(id)
  }
}
