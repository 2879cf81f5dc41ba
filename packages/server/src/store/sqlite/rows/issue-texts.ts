/**
 * The searchable texts of issues. The index knows which trigrams they have; the texts themselves follow from the rows of
 * the issues, but for those beyond ASCII, which SQLite cannot fold. What is taken from the index has to be as it was put in:
 * a text that was never there would count as one less. A batch writes its texts together at its end, in the order of their
 * rows: the index flushes what it holds in memory before any statement that may have to undo itself, which would cost 25 µs
 * an issue, and before a row that lies below the last one, which would cost 100.
 */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { foldedIssueText } from '#issues/issue-names.ts'
import type { Connection } from '../connection.ts'

/** Parts of an issue's text. */
interface Named {
  readonly title: string
  readonly culprit: string
}

interface Change {
  /** Text in the index; `null` for an issue that it has nothing of. */
  readonly before: Named | null
  readonly after: Named
}

export interface TextChange extends Change {
  readonly id: IssueId
}

export class IssueTexts {
  readonly #db: Connection
  readonly #changes = new Map<IssueId, Change>()

  constructor(db: Connection) {
    this.#db = db
  }

  add(id: IssueId, after: Named): void {
    this.#changes.set(id, { before: null, after })
  }

  /** Changes the text of an issue that is searched for. */
  change(id: IssueId, { before, after }: { readonly before: Named; readonly after: Named }): void {
    const pending = this.#changes.get(id)
    this.#changes.set(id, { before: pending === undefined ? before : pending.before, after })
  }

  finish(): void {
    const changes = [...this.#changes].map(([id, change]) => ({ id, ...change }))
    this.#changes.clear()
    writeTexts(this.#db, changes)
  }
}

/** Each issue once. */
export function writeTexts(db: Connection, texts: readonly TextChange[]): void {
  const changes = texts.toSorted((a, b) => a.id - b.id)
  const gone = changes.flatMap(({ id, before }) => (before === null ? [] : [{ id, before }]))
  // All that goes, then all that comes: each in the order of the rows.
  db.runEach(
    TAKE,
    gone.map(({ id, before }) => [id, foldedIssueText(before)]),
  )
  const ownGone = gone.filter(({ before }) => !isFoldedBySql(before))
  db.runEach(
    'DELETE FROM issue_own_texts WHERE issue_id = ?',
    ownGone.map(({ id }) => [id]),
  )
  db.runEach(
    'INSERT INTO issue_text (text, rowid) VALUES (?, ?)',
    changes.map(({ id, after }) => [foldedIssueText(after), id]),
  )
  const own = changes.filter(({ after }) => !isFoldedBySql(after))
  db.runEach(
    'INSERT INTO issue_own_texts (issue_id, text) VALUES (?, ?)',
    own.map(({ id, after }) => [id, foldedIssueText(after)]),
  )
}

const TAKE = `INSERT INTO issue_text (issue_text, rowid, text) VALUES ('delete', ?, ?)`

function isFoldedBySql({ title, culprit }: Named): boolean {
  const text = title + culprit
  return !/\P{ASCII}/u.test(text) && !text.includes('\u0000')
}

/** Writes the text of one issue that is searched for from now on. */
export function addText(db: Connection, id: IssueId, named: Named): void {
  const texts = new IssueTexts(db)
  texts.add(id, named)
  texts.finish()
}

/** Forgets texts of issues, before their rows go. What waits is not in the index. */
export function forgetIssueTexts(db: Connection, ids: readonly IssueId[]): void {
  db.runEach(
    `DELETE FROM issue_text WHERE rowid = (${SEARCHED} AND id = ?)`,
    ids.map((id) => [id]),
  )
}

/** Forgets the text of one issue, as `forgetIssueTexts` does. */
export function forgetText(db: Connection, id: IssueId): void {
  forgetIssueTexts(db, [id])
}

/** Forgets the texts of all issues of a project. */
export function forgetTexts(db: Connection, project: ProjectId): void {
  db.run(`DELETE FROM issue_text WHERE rowid IN (${SEARCHED} AND project_id = ?)`, [project])
}

const SEARCHED = `SELECT id FROM issues WHERE substatus IS NOT 'waiting'`
