/** Bounds how many messages wait for a channel, or by mail in an organisation: what quiet hours hold takes no place of the rest. */
import { max } from '#limits/limits.ts'
import { INCIDENT_KINDS, readReceiverKey, receiverKey } from '#notices/rules/messages.ts'
import type { ChannelKind } from '#ports/channels.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'

interface Placed {
  readonly kind: ChannelKind
  readonly channelId: number | null
}

interface Count {
  /** Messages of others that wait, at most; exactly, once that would be too many. */
  waiting: number
  isExact: boolean
  taken: number
  /** Newest message when it was counted. */
  readonly lastId: number
}

type Sort = 'held' | 'due'

/** Places of the messages that are queued together: each receiver's are counted once. */
export class MessagePlaces {
  readonly #db: Connection
  readonly #counts = new Map<string, Count>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** False where too many wait already. For a test somebody waits, and the end of an incident closes it. */
  take({ orgId, heldUntilMs, message: { moment, level } }: NewMessage, to: Placed): boolean {
    if (moment === 'test' || (level === 'ok' && INCIDENT_KINDS.includes(to.kind))) return true
    const sort = heldUntilMs === null ? 'due' : 'held'
    const most = max(sort === 'held' ? 'alertMessagesHeldMax' : 'alertMessagesWaitingMax')
    const key = receiverKey({ ...to, orgId })
    const count = this.#counts.get(`${sort} ${key}`) ?? this.#count(key, most)
    this.#counts.set(`${sort} ${key}`, count)
    if (count.waiting + count.taken >= most && !count.isExact) {
      count.waiting = this.#countOfSort(key, { sort, most, lastId: count.lastId })
      count.isExact = true
    }
    if (count.waiting + count.taken >= most) return false
    count.taken++
    return true
  }

  /** All that wait, from the index alone. */
  #count(key: string, most: number): Count {
    const { own, id } = ownOf(key)
    const sql = `SELECT (SELECT max(id) FROM alert_messages) AS lastId, count(*) AS waiting
      FROM (SELECT 1 FROM alert_messages WHERE ${own} AND due_ms IS NOT NULL LIMIT :most)`
    const row = this.#db.get<{ lastId: number | null; waiting: number }>(sql, { id, most })
    return { waiting: row?.waiting ?? 0, isExact: false, taken: 0, lastId: row?.lastId ?? 0 }
  }

  /** Counts one sort. What was held and is due by now is still of the held: a morning keeps nothing out. */
  #countOfSort(
    key: string,
    { sort, most, lastId }: { readonly sort: Sort; readonly most: number; readonly lastId: number },
  ): number {
    const { own, id } = ownOf(key)
    const sql = `SELECT count(*) AS waiting FROM (SELECT 1 FROM alert_messages WHERE ${own} AND due_ms IS NOT NULL
      AND held_until_ms IS ${sort === 'held' ? 'NOT NULL' : 'NULL'} AND id <= :lastId LIMIT :most)`
    return this.#db.get<{ waiting: number }>(sql, { id, most, lastId })?.waiting ?? 0
  }
}

/** alert_messages_of_channel, alert_messages_of_org */
function ownOf(key: string): { readonly own: string; readonly id: number | null } {
  const { column, id } = readReceiverKey(key)
  return {
    own: column === 'mail' ? `org_id = :id AND kind = 'email'` : `channel_id = :id AND kind <> 'email'`,
    id,
  }
}
