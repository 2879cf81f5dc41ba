/** A stretch of a column file read through: DuckDB compares each block that it takes from the disk with its checksum. */
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { VerifyPlace, VerifyStep } from '#store/embedded/care/stores/verify-files.ts'
import type { ReadContext } from './read-context.ts'
import { allColumns } from './table-columns.ts'
import { ROWS } from './table-sql.ts'

const NOTHING: VerifyStep = { next: null, bytes: 0, damagedAt: [], isAnew: false }

/** Reads every value of `verifySliceRows` rows; none of a file that is not there. */
export async function verifyRows(
  { files, query }: Pick<ReadContext, 'files' | 'query'>,
  file: FileName,
  place: VerifyPlace | null,
): Promise<VerifyStep> {
  return files.read(file, NOTHING, async ({ alias, table }) => {
    const rows = `${alias}.${ROWS}`
    const [[last = -1] = []] = await query(`SELECT coalesce(max(rowid), -1)::DOUBLE FROM ${rows}`, [])
    const end = Number(last) + 1
    const from = place?.at ?? 0
    const upTo = Math.min(end, from + max('verifySliceRows'))
    const values = allColumns(table).map(({ name }) => `"${name}"`)
    // Of every value, so that none is left on the disk: a count alone would read none.
    await query(
      `SELECT bit_xor(hash(${values.join(', ')})) FROM ${rows} WHERE rowid >= $1::BIGINT AND rowid < $2::BIGINT`,
      [from, upTo],
    )
    const bytes = end === 0 ? 0 : Math.ceil((files.sizeOf(file) * Math.max(0, upTo - from)) / end)
    // Rows move when a file is written anew, but each that is there then was written by that: nothing is void.
    return { next: upTo < end ? { at: upTo, version: 0 } : null, bytes, damagedAt: [], isAnew: false }
  })
}
