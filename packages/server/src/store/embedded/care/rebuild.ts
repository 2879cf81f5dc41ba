/**
 * Columns made anew from the payload segments: for a column file that is damaged or gone. What the control store says
 * stays as it is, and so do rows of the columns whose payloads are damaged or gone. Nothing else may have the stores
 * open.
 */

import { hash } from 'node:crypto'
import { ErrataError } from '#base/errors.ts'
import { type Seq, seq as seqOf } from '#base/ids.ts'
import type { Kinds } from '#kinds/kind.ts'
import { max } from '#limits/limits.ts'
import type { RowTable, RowValues, StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import { decodeRow, encodeRow } from '#model/row-record.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import type { ColumnCare } from './stores/columns.ts'
import type { PayloadCare, UnpackedBlock } from './stores/payloads.ts'

export interface RebuildOptions {
  readonly kinds: Kinds
  readonly segments: Pick<PayloadCare, 'files' | 'blocks' | 'newestBatches'>
  readonly telemetry: Pick<ColumnCare, 'replace' | 'rows'>
  /** Last seq applied by the control store: payloads beyond it belong to a batch that comes again. */
  readonly appliedSeq: Seq
  /** Called when a file is done. */
  readonly onFile?: (done: RebuiltFile) => void
}

export interface RebuiltFile {
  readonly file: FileName
  readonly rows: number
  /** Blocks that could not be read. */
  readonly damagedBlocks: number
  /** Rows without a record that can be read which the column file had and keeps. */
  readonly keptRows: number
}

/** Writes the column file of every payload file in `only`, or of all. Answers what became of each. */
export async function rebuildColumns(
  options: RebuildOptions,
  only: readonly FileName[] | null = null,
): Promise<readonly RebuiltFile[]> {
  const wanted = only === null ? null : new Set(only.map(fileStem))
  const done: RebuiltFile[] = []
  for (const file of await options.segments.files()) {
    if (wanted !== null && !wanted.has(fileStem(file))) continue
    const rebuilt = await rebuildFile(options, file)
    options.onFile?.(rebuilt)
    done.push(rebuilt)
  }
  return done
}

async function rebuildFile(
  { kinds, segments, telemetry, appliedSeq }: RebuildOptions,
  file: FileName,
): Promise<RebuiltFile> {
  const { table } = kinds.stored(file.kind)
  let made = 0
  let damagedBlocks = 0
  let keptRows = 0
  const rows = async function* (): AsyncGenerator<readonly StoredRow[]> {
    const read = new ReadRows(table)
    const blocks = segments.blocks(file, () => damagedBlocks++)
    for await (const block of blocks) {
      const all = rowsOfBlock(table, block, file)
      for (const row of all) read.add(row)
      const kept = all.filter(({ seq }) => seq <= appliedSeq)
      made += kept.length
      yield kept
    }
    // Also where nothing looks damaged: a payload file may have been cut, or have begun anew.
    for await (const kept of unreadRows({ telemetry, appliedSeq }, file, read)) {
      keptRows += kept.length
      yield kept
    }
  }
  await telemetry.replace(file, rows(), await segmentsEnd({ segments, appliedSeq }, file))
  return { file, rows: made + keptRows, damagedBlocks, keptRows }
}

/** The last batch that wrote to the file: columns that end behind it would say that payloads are missing. */
async function segmentsEnd(
  { segments, appliedSeq }: Pick<RebuildOptions, 'segments' | 'appliedSeq'>,
  file: FileName,
): Promise<Seq> {
  const batches = await segments.newestBatches(file, ENDS_LOOKED_AT)
  return batches.find(({ lastSeq }) => lastSeq <= appliedSeq)?.lastSeq ?? seqOf(0)
}

/** A batch that was under way may lie behind the last one that was applied. */
const ENDS_LOOKED_AT = 2

/** Rows of the present column file that were not `read` from payloads; none where it is unreadable itself. */
async function* unreadRows(
  { telemetry, appliedSeq }: Pick<RebuildOptions, 'telemetry' | 'appliedSeq'>,
  file: FileName,
  read: ReadRows,
): AsyncGenerator<readonly StoredRow[]> {
  for (let after = seqOf(0); after < appliedSeq; ) {
    const rows = await telemetry.rows(file, after, max('telemetryPageRowsMax')).catch(noneIfUnreadable)
    const whole = withoutCutSeq(rows)
    const last = whole.at(-1)
    if (last === undefined) return
    after = last.seq
    yield whole.filter((row) => row.seq <= appliedSeq && !read.takes(row))
  }
}

/**
 * Returns no rows for an unreadable file. A refusal for another reason, such as the time limit, is rethrown:
 * it must not be taken for a file without rows.
 */
function noneIfUnreadable(cause: unknown): readonly StoredRow[] {
  if (cause instanceof ErrataError) throw cause
  return []
}

/** Leaves the last seq of a full page out: more of its rows may follow. */
export function withoutCutSeq(rows: readonly StoredRow[]): readonly StoredRow[] {
  const last = rows.at(-1)
  if (last === undefined || rows.length < max('telemetryPageRowsMax')) return rows
  const whole = rows.filter(({ seq }) => seq < last.seq)
  return whole.length > 0 ? whole : rows
}

/** The rows that were read, each by a number of 53 bits, and how many are alike: some kinds have nothing that tells them. */
class ReadRows {
  readonly #table: RowTable
  readonly #times = new Map<number, number>()

  constructor(table: RowTable) {
    this.#table = table
  }

  add(row: StoredRow): void {
    const key = this.#keyOf(row)
    this.#times.set(key, (this.#times.get(key) ?? 0) + 1)
  }

  /** True for a row that was read, once for each time. */
  takes(row: StoredRow): boolean {
    const key = this.#keyOf(row)
    const times = this.#times.get(key) ?? 0
    if (times > 0) this.#times.set(key, times - 1)
    return times > 0
  }

  /** 32 bits of what names it and 21 of the seq. */
  #keyOf(row: StoredRow): number {
    const { eventId }: RowValues = row
    const name =
      typeof eventId === 'string' ? eventId : hash('md5', `${row.projectId} ${encodeRow(this.#table, row)}`)
    return Number.parseInt(name.slice(0, 8), 16) * SEQS + (row.seq % SEQS)
  }
}

const SEQS = 2 ** 21

/** The rows of a block, in its order. */
export function rowsOfBlock<R extends StoredRow>(
  table: RowTable<R>,
  { entries, body }: UnpackedBlock,
  file: FileName,
): readonly R[] {
  return entries.map((entry) => rowOfEntry(table, entry, { body, file }))
}

/** The row of one entry of a block. */
export function rowOfEntry<R extends StoredRow>(
  table: RowTable<R>,
  entry: BlockEntry,
  { body, file }: { readonly body: Uint8Array; readonly file: FileName },
): R {
  const { seq, projectId, eventId, offset, bytes, rowBytes } = entry
  const start = offset + bytes
  const record = Buffer.from(body.subarray(start, start + rowBytes)).toString('utf8')
  return decodeRow(table, record, {
    seq,
    projectId,
    eventId,
    day: file.day,
    retentionDays: file.retentionDays,
  })
}
