/** A column file written anew from rows of any order: what rebuilding does. */
import { max } from '#limits/limits.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { ColumnFiles } from './column-files.ts'
import type { DuckSession } from './driver.ts'
import { runFileTransaction } from './file-tables.ts'
import { writtenRow } from './row-lines.ts'
import { insertRows, joinLines } from './table-sql.ts'

/** Same as `TelemetryStore.replace`. */
export async function replaceFile(
  {
    files,
    session,
    file,
    table,
  }: {
    readonly files: ColumnFiles
    readonly session: DuckSession
    readonly file: FileName
    readonly table: RowTable
  },
  rows: AsyncIterable<readonly StoredRow[]>,
  endSeq: number,
): Promise<void> {
  await files.replace(file, async (alias) => {
    let appliedSeq = endSeq
    let leastMs: number | null = null
    let greatestMs: number | null = null
    for await (const part of rows) {
      for (let at = 0; at < part.length; at += max('telemetryPageRowsMax')) {
        const slice = part.slice(at, at + max('telemetryPageRowsMax'))
        const encoded = joinLines(slice.map((row) => writtenRow(table, row)))
        await runFileTransaction(session, async () => {
          for (const { form, text } of encoded) await session.query(insertRows(table, alias, form), [text])
        })
      }
      for (const { timestampMs, seq } of part) {
        appliedSeq = Math.max(appliedSeq, seq)
        leastMs = Math.min(timestampMs, leastMs ?? timestampMs)
        greatestMs = Math.max(timestampMs, greatestMs ?? timestampMs)
      }
    }
    const facts = { appliedSeq, leastMs, greatestMs }
    await session.query(
      `UPDATE ${alias}.facts SET applied_seq = $1::BIGINT, least_ms = $2::DOUBLE, greatest_ms = $3::DOUBLE`,
      [appliedSeq, leastMs, greatestMs],
    )
    return facts
  })
}
