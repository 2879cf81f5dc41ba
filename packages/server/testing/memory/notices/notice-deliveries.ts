/** Deliveries of notices: made, claimed under a lease, settled. */
import { randomBytes } from 'node:crypto'
import type { ProjectId, UserId } from '#base/ids.ts'
import { addedBy } from '#issues/issue-sums.ts'
import { max } from '#limits/limits.ts'
import {
  claimed,
  type DeliveryProgress,
  FOLDED,
  ISSUE_DELETED,
  isLost,
  isMailed,
  lost,
  maySettle,
  reasonForNobody,
  settled,
  TOLD_BY_RULES,
  undeliverable,
} from '#notices/rules/deliveries.ts'
import { anyOf } from '#notices/rules/messages.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type {
  Claim,
  ClaimedDelivery,
  NoticeChannel,
  NoticeQueue,
  Settlement,
  Waiting,
} from '#ports/notices.ts'
import { ascending, earliest, inOrder } from '../order.ts'
import { groupsOf } from '../rows/issue-view.ts'
import {
  issueOfNotice,
  mailReceivers,
  noticeSettings,
  ownerOfNotice,
  readNotice,
} from '../rows/notice-rows.ts'
import { isToldByRule } from '../rows/told-occasions.ts'
import type { DeliveryRow, NoticeRow, Tables } from '../tables.ts'
import { holdCount } from './notice-queue.ts'

export function noticeQueue(to: Tables): NoticeQueue {
  return {
    openDueNotices: async (opening) => to.transaction(() => openDue(to, opening)),
    claimDeliveries: async (claim) => to.transaction(() => claimDue(to, claim)),
    settleDelivery: async (delivery, settlement, nowMs) =>
      to.transaction(() => settle(to, { ...delivery, settlement, nowMs })),
    waitingDeliveries: async (channel) =>
      earliest(
        to.deliveries.where((row) => row.channel === channel),
        (row) => ({ ...placeOf(to, row), isPager: false }),
      ),
    nextNoticeMs: async () => {
      const dues = to.notices.all().flatMap(({ dueMs }) => dueMs ?? [])
      return dues.length === 0 ? null : Math.min(...dues)
    },
    endLeases: async (nowMs) =>
      to.transaction(() => {
        for (const table of [to.deliveries, to.messages, to.letters, to.trackerWork])
          for (const { id } of table.where(({ state }) => state === 'sending'))
            table.change(id, { dueMs: nowMs })
      }),
  }
}

function placeOf(of: Tables, { noticeId, channel }: DeliveryRow): Pick<Waiting, 'receiver' | 'orgId'> {
  const projectId = of.notices.get(noticeId)?.projectId
  const orgId = projectId === undefined ? null : (of.projects.get(projectId)?.orgId ?? null)
  return { receiver: `${channel}:${channel === 'mail' ? orgId : projectId}`, orgId }
}

/** Due at a time, longest first. */
function due<Row extends { readonly dueMs: number | null; readonly id: number }>(
  rows: readonly Row[],
  nowMs: number,
): readonly Row[] {
  return rows
    .filter(({ dueMs }) => dueMs !== null && dueMs <= nowMs)
    .toSorted(
      inOrder(
        ascending(({ dueMs }) => dueMs ?? 0),
        ascending(({ id }) => id),
      ),
    )
}

type Opening = Parameters<NoticeQueue['openDueNotices']>[0]
type Dropped = Pick<NoticeRow, 'dropped'> & Partial<Pick<NoticeRow, 'echoOf'>>

function openDue(to: Tables, opening: Opening): number {
  const notices = due(to.notices.all(), opening.nowMs).slice(0, opening.limit)
  for (const notice of notices) {
    const dropped = reasonToDrop(to, notice, opening.nowMs) ?? makeDeliveries(to, notice, opening)
    to.notices.change(notice.id, { dueMs: null, ...dropped })
  }
  return notices.length
}

function reasonToDrop(to: Tables, notice: NoticeRow, nowMs: number): Dropped | null {
  if (notice.kind === 'summary') return null
  const owner = ownerOfNotice(to, notice)
  if (notice.isMirror && owner !== undefined && !isMirror(addedBy(groupsOf(to, owner.id)))) {
    holdCount(to, { project: notice.projectId, nowMs }, { reason: 'mirror', count: 1 })
    return { dropped: FOLDED, echoOf: owner.id }
  }
  return issueOfNotice(to, notice) === undefined ? { dropped: ISSUE_DELETED } : null
}

/** Answers why there is none. */
function makeDeliveries(
  to: Tables,
  { id, projectId, issueId, atMs }: NoticeRow,
  { nowMs, mail }: Opening,
): Dropped {
  const settings = noticeSettings(to, projectId)
  const readers = isMailed(settings, mail) ? mailReceivers(to, projectId) : []
  const people = readers.slice(0, max('membersPerOrgMax'))
  const waiting = { state: 'waiting', dueMs: nowMs, lease: null, tries: 0 } as const
  const insert = (channel: NoticeChannel, userId: UserId | null) =>
    insertDelivery(to, { ...waiting, noticeId: id, channel, userId, key: randomBytes(16).toString('hex') })
  const untold = people.filter((one) => issueId === null || !isToldByRule(to, { issueId, atMs }, one.id))
  for (const person of untold) insert('mail', person.id)
  if (settings.webhook !== null) insert('webhook', null)
  else if (people.length > 0 && untold.length === 0) return { dropped: TOLD_BY_RULES }
  return { dropped: reasonForNobody(settings, { mail, people: people.length }) }
}

export function insertDelivery(
  to: Tables,
  delivery: DeliveryProgress & Pick<DeliveryRow, 'noticeId' | 'channel' | 'userId' | 'key'>,
): number {
  const id = to.deliveries.nextId()
  to.deliveries.put(id, { ...delivery, id, says: null, settledMs: null })
  return id
}

function claimDue(to: Tables, claim: Claim): readonly ClaimedDelivery[] {
  const { channel, nowMs, limit, triesMax } = claim
  const dueNow = () =>
    due(
      to.deliveries.where((delivery) => delivery.channel === channel),
      nowMs,
    )
  for (const delivery of dueNow()) {
    const kind = to.notices.get(delivery.noticeId)?.kind
    if (kind !== undefined && isLost(delivery, { kind, triesMax }))
      to.deliveries.change(delivery.id, lost(nowMs))
  }
  const taken: ClaimedDelivery[] = []
  for (const wanted of claim.only ?? anyOf(limit))
    for (let one: ClaimedDelivery | null = null; one === null; ) {
      const next = dueNow().find((row) => wanted === null || placeOf(to, row).receiver === wanted)
      if (next === undefined) break
      one = claimOne(to, next, claim)
      if (one !== null) taken.push(one)
    }
  return taken
}

function claimOne(to: Tables, delivery: DeliveryRow, claim: Claim): ClaimedDelivery | null {
  const { id, key, noticeId, channel } = delivery
  const notice = readNotice(to, noticeId)
  const receiver = receiverOf(to, delivery)
  if (notice === null || receiver === null) {
    to.deliveries.change(id, undeliverable({ channel, hasIssue: notice !== null }, claim.nowMs))
    return null
  }
  const { tries } = to.deliveries.change(id, claimed(delivery.tries, claim))
  return {
    id,
    key,
    lease: claim.lease,
    receiver: placeOf(to, delivery).receiver,
    tries,
    to: receiver,
    notice,
  }
}

/** Asked again at each try: who may no longer read the project is told nothing of it. */
function receiverOf(of: Tables, { noticeId, channel, userId }: DeliveryRow): ClaimedDelivery['to'] | null {
  const project = of.notices.get(noticeId)?.projectId
  if (project === undefined) return null
  if (channel === 'webhook') {
    const target = webhookTarget(of, project)
    return target === null ? null : { channel, ...target }
  }
  if (!noticeSettings(of, project).mail) return null
  const person = mailReceivers(of, project).find(({ id }) => id === userId)
  return person === undefined ? null : { channel, email: person.email, name: person.name }
}

export function webhookTarget(
  of: Tables,
  project: ProjectId,
): { readonly url: string; readonly secret: string } | null {
  const webhook = of.noticeSettings.get(project)?.webhook ?? null
  return webhook === null ? null : { url: webhook.url, secret: webhook.secret }
}

interface Settling extends Pick<ClaimedDelivery, 'id' | 'lease'> {
  readonly settlement: Settlement
  readonly nowMs: number
}

export function settle(to: Tables, { id, lease, settlement, nowMs }: Settling): boolean {
  const delivery = to.deliveries.get(id)
  if (delivery === undefined || !maySettle(delivery, lease)) return false
  to.deliveries.change(id, settled(settlement, nowMs))
  return true
}
