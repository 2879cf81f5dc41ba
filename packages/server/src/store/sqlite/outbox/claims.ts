/**
 * Claims and settles whatever goes out: deliveries of a project's own alerts, messages of alert rules, letters, and calls of
 * issue trackers. Each has a table of its own, with the same columns of progress; a queue says what is special about one.
 */
import {
  claimDelivery,
  isLost,
  loseDelivery,
  maySettle,
  type Settled,
  settleDelivery,
} from '#notices/rules/deliveries.ts'
import { anyOf } from '#notices/rules/messages.ts'
import type { Claim, DeliveryState, Settlement } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'

/** Tables that are claimed under a lease. */
const TABLES = ['deliveries', 'alert_messages', 'letters', 'tracker_work'] as const

/** A row as every queue selects it, with what it needs besides. */
export interface Waited {
  readonly id: number
  readonly state: DeliveryState
  readonly lease: string | null
  readonly tries: number
}

export interface Queue<Row extends Waited, Content extends object, Done extends Settlement = Settlement> {
  readonly table: (typeof TABLES)[number]
  /** SELECT of rows, whose own table is called `own`; conditions follow. */
  readonly select: string
  /** Condition for a receiver's next row and its order; `null`: any receiver. */
  next(receiver: string | null): {
    readonly where: string
    readonly params: Readonly<Record<string, number | null>>
  }
  /** Whether nobody tries it again once its lease ended: somebody waits for it. */
  isTest?(row: Row): boolean
  /** Reads what is sent and to whom; `null`: it is not sent any more, and was ended. */
  content(row: Row, nowMs: number): Content | null
  /** Writes what follows once it is settled, given up, or waits for its next try; a settlement is absent from one that was lost. */
  after?(row: Row, ended: Ended<Done>): void
}

export interface Ended<Done extends Settlement = Settlement> {
  readonly after: Settled
  readonly settlement: Done | null
  readonly nowMs: number
}

export interface ClaimedRow {
  readonly id: number
  readonly lease: string
  /** This one included. */
  readonly tries: number
}

/** Claims rows that are due, one for each receiver that is named. */
export function claimDueRows<Row extends Waited, Content extends object, Done extends Settlement>(
  db: Connection,
  queue: Queue<Row, Content, Done>,
  claim: Claim,
): readonly (Content & ClaimedRow)[] {
  const taken: (Content & ClaimedRow)[] = []
  for (const receiver of claim.only ?? anyOf(claim.limit)) {
    // What is not sent any more has no due time, so each round sees others.
    for (let one: (Content & ClaimedRow) | null = null; one === null; ) {
      const { where, params } = queue.next(receiver)
      const row = db.get<Row>(`${queue.select} WHERE own.due_ms <= :now AND ${where} LIMIT 1`, {
        ...{ ...params, now: claim.nowMs },
      })
      if (row === undefined) break
      if (endLost(db, queue, { row, claim })) continue
      one = claimOne(db, queue, { row, claim })
      if (one !== null) taken.push(one)
    }
  }
  return taken
}

function claimOne<Row extends Waited, Content extends object, Done extends Settlement>(
  db: Connection,
  queue: Queue<Row, Content, Done>,
  { row, claim }: { readonly row: Row; readonly claim: Claim },
): (Content & ClaimedRow) | null {
  const content = queue.content(row, claim.nowMs)
  if (content === null) return null
  const { state, lease, dueMs, tries } = claimDelivery(row.tries, claim)
  const sql = `UPDATE ${queue.table} SET state = ?, lease = ?, due_ms = ?, tries = ? WHERE id = ?`
  db.run(sql, [state, lease, dueMs, tries, row.id])
  return { ...content, id: row.id, lease: claim.lease, tries }
}

/** Gives up what nobody settled often enough; false for all else, which goes out again, under the same key. */
function endLost<Row extends Waited, Content extends object, Done extends Settlement>(
  db: Connection,
  queue: Queue<Row, Content, Done>,
  { row, claim: { nowMs, triesMax } }: { readonly row: Row; readonly claim: Claim },
): boolean {
  const kind = queue.isTest?.(row) === true ? 'test' : 'new'
  if (!isLost(row, { kind, triesMax })) return false
  const after = loseDelivery(nowMs)
  writeSettled(db, queue.table, { id: row.id, after })
  queue.after?.(row, { after, settlement: null, nowMs })
  return true
}

/** False, and nothing changed, when the lease is another's by now, or it was cancelled meanwhile. */
export function settleClaimed<Row extends Waited, Content extends object, Done extends Settlement>(
  db: Connection,
  queue: Queue<Row, Content, Done>,
  done: {
    readonly id: number
    readonly lease: string
    readonly settlement: Done
    readonly nowMs: number
  },
): boolean {
  const { id, lease, settlement, nowMs } = done
  const row = db.get<Row>(`${queue.select} WHERE own.id = ?`, [id])
  if (row === undefined || !maySettle(row, lease)) return false
  const after = settleDelivery(settlement, nowMs)
  writeSettled(db, queue.table, { id, after })
  queue.after?.(row, { after, settlement, nowMs })
  return true
}

export function writeSettled(
  db: Connection,
  table: (typeof TABLES)[number],
  { id, after }: { readonly id: number; readonly after: Settled },
): void {
  const sql = `UPDATE ${table} SET state = ?, says = ?, due_ms = ?, lease = ?, settled_ms = ? WHERE id = ?`
  db.run(sql, [after.state, after.says, after.dueMs, after.lease, after.settledMs, id])
}

/** Whatever a process that ended had claimed is due at once. */
export function endLeases(db: Connection, nowMs: number): void {
  for (const table of TABLES)
    db.run(`UPDATE ${table} SET due_ms = ? WHERE due_ms > ? AND state = 'sending'`, [nowMs, nowMs])
}
