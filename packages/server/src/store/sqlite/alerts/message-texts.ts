/** Texts of messages: what several people are told is stored once for all of them. */
import type { AlertMessage } from '#model/alert-message.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'

/** SQL of a message's text; `row` names its row of `alert_messages`. */
export function messageText(row: string): string {
  return `coalesce((SELECT t.message FROM alert_texts t WHERE t.id = ${row}.text_id), ${row}.message)`
}

/** Text of a row: its own, or that of all who are told the same. */
export interface StoredText {
  readonly message: string
  readonly textId: number | null
}

/** Stores texts of one firing as they are first needed. */
export class MessageTexts {
  readonly #db: Connection
  readonly #shared = new Map<AlertMessage, StoredText>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** Returns what to store with a row of somebody, of so many who are told. */
  of({ orgId, projectId, message }: NewMessage, receivers: number): StoredText {
    if (receivers < 2) return { message: JSON.stringify(message), textId: null }
    const found = this.#shared.get(message)
    if (found !== undefined) return found
    const sql = 'INSERT INTO alert_texts (org_id, project_id, message) VALUES (?, ?, ?)'
    const { lastId } = this.#db.run(sql, [orgId, projectId, JSON.stringify(message)])
    const text = { message: 'null', textId: lastId }
    this.#shared.set(message, text)
    return text
  }
}
