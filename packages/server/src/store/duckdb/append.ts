/** Writing rows: one transaction per file, which holds the rows and the file's new `applied_seq`. */
import type { Log } from '#base/log.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { WrittenRow } from '#ports/telemetry.ts'
import type { AttachedFile } from './attached-file.ts'
import type { ColumnFiles } from './column-files.ts'
import { type DuckSession, isOutOfMemory } from './driver.ts'
import { type FileFacts, runFileTransaction } from './file-tables.ts'
import { joinLines, ROWS } from './table-sql.ts'

export class RowWriter {
  readonly #files: ColumnFiles
  readonly #session: DuckSession
  readonly #log: Log

  constructor(files: ColumnFiles, session: DuckSession, log: Log) {
    this.#files = files
    this.#session = session
    this.#log = log
  }

  /** Same as `TelemetryStore.append`. */
  async append(rows: readonly WrittenRow[], lastSeq: number): Promise<void> {
    for (const [file, ofFile] of groupRowsByFile(rows)) {
      await this.#guarded(file, (attached) => this.#appendTo(attached, ofFile, lastSeq))
    }
  }

  /** Same as `TelemetryStore.removeBeyond`. */
  async removeBeyond(seq: number): Promise<void> {
    for (const file of this.#files.names()) {
      const facts = await this.#files.facts(file)
      if (facts.appliedSeq <= seq) continue
      if (!(await this.#removeOrSetAside(file, seq))) continue
      this.#log.info('removed column rows of an unfinished batch', { file: fileStem(file), beyond: seq })
    }
    this.#files.noteFacts()
  }

  /** False where the file turned out to be damaged and was set aside: what it held beyond `seq` went with it. */
  async #removeOrSetAside(file: FileName, seq: number): Promise<boolean> {
    try {
      await this.#guarded(file, (attached) => this.#removeFrom(attached, seq))
      return true
    } catch (error) {
      if (this.#files.has(file)) throw error
      return false
    }
  }

  async #appendTo(attached: AttachedFile, rows: readonly WrittenRow[], lastSeq: number): Promise<void> {
    const before = await this.#files.facts(attached.file)
    if (before.appliedSeq >= lastSeq) return
    const fresh = rows.filter((row) => row.seq > before.appliedSeq)
    try {
      const facts = factsAfter(before, fresh, lastSeq)
      await runFileTransaction(this.#session, async () => {
        for (const part of joinLines(fresh)) await this.#files.insert(attached, part)
        await this.#writeFacts(attached, facts)
      })
      this.#files.setFacts(attached.file, facts)
    } catch (error) {
      const cut = isOutOfMemory(error) ? middle(fresh) : null
      if (cut === null) throw error
      // Two smaller transactions: each leaves `applied_seq` where its own rows end, so that a crash between is exact.
      this.#log.warn('column store was out of memory: rows go in smaller parts', { rows: fresh.length })
      await this.#files.checkpoint()
      const first = fresh.slice(0, cut)
      await this.#appendTo(attached, first, first.at(-1)?.seq ?? lastSeq)
      await this.#appendTo(attached, fresh.slice(cut), lastSeq)
    }
  }

  async #removeFrom(attached: AttachedFile, seq: number): Promise<void> {
    const { alias, file } = attached
    await runFileTransaction(this.#session, async () => {
      await this.#session.query(`DELETE FROM ${alias}.${ROWS} WHERE seq > $1::BIGINT`, [seq])
      await this.#session.query(
        `UPDATE ${alias}.facts SET applied_seq = $1::BIGINT, ` +
          `least_ms = (SELECT min(timestamp_ms) FROM ${alias}.${ROWS}), ` +
          `greatest_ms = (SELECT max(timestamp_ms) FROM ${alias}.${ROWS})`,
        [seq],
      )
    })
    await this.#files.forget(file)
  }

  async #writeFacts({ alias }: AttachedFile, facts: FileFacts): Promise<void> {
    await this.#session.query(
      `UPDATE ${alias}.facts SET applied_seq = $1::BIGINT, least_ms = $2::DOUBLE, greatest_ms = $3::DOUBLE`,
      [facts.appliedSeq, facts.leastMs, facts.greatestMs],
    )
  }

  /** After a failure nothing in memory about the file is believed any more. */
  async #guarded(file: FileName, work: (attached: AttachedFile) => Promise<void>): Promise<void> {
    try {
      await this.#files.use(file, work)
    } catch (error) {
      await this.#files.forget(file)
      throw error
    }
  }
}

function groupRowsByFile(rows: readonly WrittenRow[]): ReadonlyMap<FileName, WrittenRow[]> {
  const files = new Map<string, { file: FileName; rows: WrittenRow[] }>()
  for (const row of rows) {
    const { file } = row
    const stem = fileStem(file)
    const entry = files.get(stem) ?? { file, rows: [] }
    entry.rows.push(row)
    files.set(stem, entry)
  }
  return new Map([...files.values()].map((entry) => [entry.file, entry.rows]))
}

function factsAfter(before: FileFacts, rows: readonly WrittenRow[], appliedSeq: number): FileFacts {
  let { leastMs, greatestMs } = before
  for (const { timestampMs } of rows) {
    leastMs = Math.min(timestampMs, leastMs ?? timestampMs)
    greatestMs = Math.max(timestampMs, greatestMs ?? timestampMs)
  }
  return { appliedSeq, leastMs, greatestMs }
}

/** Returns where to halve rows so that no seq is on both sides; `null` if that is impossible. */
function middle(rows: readonly WrittenRow[]): number | null {
  const half = Math.floor(rows.length / 2)
  const after = rows.findIndex((row, index) => index >= half && index > 0 && row.seq !== rows[index - 1]?.seq)
  if (after > 0) return after
  const first = rows.findIndex((row) => row.seq === rows.at(-1)?.seq)
  return first > 0 ? first : null
}
