/**
 * The searchable texts of issues. A batch writes them together at its end, in the order of their rows: the full-text
 * index flushes what it holds in memory before any statement that may have to undo itself, which would cost 25 µs an
 * issue, and before a row that lies below the last one, which would cost 100.
 */
import type { IssueId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

export class IssueTexts {
  readonly #db: Connection
  readonly #texts = new Map<IssueId, { text: string; readonly isNew: boolean }>()

  constructor(db: Connection) {
    this.#db = db
  }

  add(id: IssueId, text: string): void {
    this.#texts.set(id, { text, isNew: true })
  }

  change(id: IssueId, text: string): void {
    this.#texts.set(id, { text, isNew: this.#texts.get(id)?.isNew ?? false })
  }

  finish(): void {
    for (const [id, { text, isNew }] of [...this.#texts].sort(([a], [b]) => a - b)) {
      if (isNew) this.#db.run('INSERT INTO issue_text (text, rowid) VALUES (?, ?)', [text, id])
      else this.#db.run('UPDATE issue_text SET text = ? WHERE rowid = ?', [text, id])
    }
    this.#texts.clear()
  }
}
