/** A column file written anew from rows of any order: what rebuilding does. */
import { max } from '#limits/limits.ts'
import type { EventRow } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'
import type { ColumnFiles } from './column-files.ts'
import { type EncodedRows, encodeRows, INSERT_JSON, INSERT_SPLIT } from './columns.ts'
import type { Session } from './driver.ts'
import { inTransaction } from './file-tables.ts'

/** As `TelemetryStore.replace`. */
export async function replaceFile(
  {
    files,
    session,
    file,
  }: { readonly files: ColumnFiles; readonly session: Session; readonly file: FileName },
  rows: AsyncIterable<readonly EventRow[]>,
  appliedSeq: number,
): Promise<void> {
  await files.replace(file, async (alias) => {
    let leastMs: number | null = null
    let greatestMs: number | null = null
    for await (const part of rows) {
      for (let at = 0; at < part.length; at += max('telemetryPageRowsMax')) {
        const encoded = encodeRows(part.slice(at, at + max('telemetryPageRowsMax')))
        await inTransaction(session, async () => {
          for (const texts of encoded) await insert(session, alias, texts)
        })
      }
      for (const { timestampMs } of part) {
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

async function insert(session: Session, alias: string, { form, text }: EncodedRows): Promise<void> {
  await session.query(form === 'split' ? INSERT_SPLIT(alias) : INSERT_JSON(alias), [text])
}
