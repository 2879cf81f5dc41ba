/** The outbox over its four tables: who waits for what of a sender, what is claimed, how it is settled. */
import type { Claim, Settlement, Waiting } from '#ports/notices.ts'
import type { Outbox, Outgoing, SenderName } from '#ports/outbox.ts'
import { lettersDue, lettersDueNext, nextLetterMs } from './accounts/letters.ts'
import { messagesDue, messagesWaiting } from './alerts/message-queue.ts'
import type { Connection } from './connection.ts'
import { deliveriesBy, deliveriesWaiting } from './notices/notice-deliveries.ts'
import {
  type ClaimedRow,
  claimDueRows,
  endLeases,
  type Queue,
  settleClaimed,
  type Waited,
} from './outbox/claims.ts'
import { trackersWaiting, trackerWorkDue } from './trackers/tracker-work.ts'

/** Part of one sender, whatever its rows are. */
interface Part<Claimed> {
  waiting(): readonly Waiting[]
  claim(claim: Claim): readonly Claimed[]
  settle(done: Parameters<typeof settleClaimed>[2]): boolean
}

type Parts = { readonly [N in SenderName]: Part<Outgoing[N]> }

export function outbox(db: Connection): Outbox {
  const parts = outboxParts(db)
  return {
    waitingFor: async (sender) => parts[sender].waiting(),
    claimFor: async (sender, claim) => {
      const claimed = parts[sender].claim
      // Nearly every look at letters finds nothing: no transaction for it.
      const isNothingDue = sender === 'letters' && (nextLetterMs(db) ?? claim.nowMs + 1) > claim.nowMs
      return isNothingDue ? [] : db.transaction(() => claimed(claim))
    },
    settleFor: async (sender, { id, lease }, settlement, nowMs) =>
      db.transaction(() => parts[sender].settle({ id, lease, settlement, nowMs })),
    endLeases: async (nowMs) => db.transaction(() => endLeases(db, nowMs)),
  }
}

function outboxParts(db: Connection): Parts {
  const part = <Row extends Waited, Content extends object, Done extends Settlement>(
    queue: Queue<Row, Content, Done>,
    waiting: () => readonly Waiting[],
  ): Part<Content & ClaimedRow> => ({
    waiting,
    claim: (claim) => claimDueRows(db, queue, claim),
    settle: (done) => settleClaimed(db, queue, done),
  })
  return {
    alertMails: part(messagesDue(db), () => messagesWaiting(db, 'mail')),
    alertCalls: part(messagesDue(db), () => messagesWaiting(db, 'call')),
    mails: part(deliveriesBy(db, 'mail'), () => deliveriesWaiting(db, 'mail')),
    webhooks: part(deliveriesBy(db, 'webhook'), () => deliveriesWaiting(db, 'webhook')),
    letters: part(lettersDue(db), () => lettersDueNext(db)),
    trackerCalls: part(trackerWorkDue(db), () => trackersWaiting(db)),
  }
}
