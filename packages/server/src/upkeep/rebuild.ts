/**
 * Columns made anew from the payload segments: for a column file that is damaged or gone. What the control store says
 * stays as it is, and so do rows of the columns whose payloads are damaged or gone. Nothing else may have the stores
 * open.
 */
import { ErrataError } from '#base/errors.ts'
import { type Seq, seq as seqOf } from '#base/ids.ts'
import { rowOfStored } from '#kinds/error/stored-row.ts'
import { max } from '#limits/limits.ts'
import type { EventRow } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import { decodeRow } from '#model/row-record.ts'
import type { BlockEvent, PayloadSegments, TelemetryStore, UnpackedBlock } from '#ports/telemetry.ts'

export interface RebuildOptions {
  readonly segments: Pick<PayloadSegments, 'files' | 'blocks'>
  readonly telemetry: Pick<TelemetryStore, 'replace' | 'rows'>
  /** What the control store has applied: payloads beyond it are of a batch that comes again. */
  readonly appliedSeq: Seq
  /** Called when a file is done. */
  readonly onFile?: (done: RebuiltFile) => void
}

export interface RebuiltFile {
  readonly file: FileName
  readonly events: number
  /** Blocks that could not be read. */
  readonly damagedBlocks: number
  /** Events without a payload that can be read whose rows the column file had and keeps. */
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
  { segments, telemetry, appliedSeq }: RebuildOptions,
  file: FileName,
): Promise<RebuiltFile> {
  let events = 0
  let damagedBlocks = 0
  let keptRows = 0
  const rows = async function* (): AsyncGenerator<readonly EventRow[]> {
    const read = new Set<number>()
    const blocks = segments.blocks(file, () => damagedBlocks++)
    for await (const block of blocks) {
      for (const event of block.events) read.add(eventKey(event))
      const kept = rowsOfBlock(block, file).filter(({ seq }) => seq <= appliedSeq)
      events += kept.length
      yield kept
    }
    // Also where nothing looks damaged: a payload file may have been cut, or have begun anew.
    for await (const kept of unreadRows({ telemetry, appliedSeq }, file, read)) {
      keptRows += kept.length
      yield kept
    }
  }
  await telemetry.replace(file, rows(), appliedSeq)
  return { file, events: events + keptRows, damagedBlocks, keptRows }
}

/** Rows of the present column file that were not `read` from payloads; none where it is unreadable itself. */
async function* unreadRows(
  { telemetry, appliedSeq }: Pick<RebuildOptions, 'telemetry' | 'appliedSeq'>,
  file: FileName,
  read: ReadonlySet<number>,
): AsyncGenerator<readonly EventRow[]> {
  for (let after = seqOf(0); after < appliedSeq; ) {
    const rows = await telemetry.rows(file, after, max('telemetryPageRowsMax')).catch(noneIfUnreadable)
    const whole = withoutCutSeq(rows)
    const last = whole.at(-1)
    if (last === undefined) return
    after = last.seq
    yield whole.filter((row) => row.seq <= appliedSeq && !read.has(eventKey(row)))
  }
}

/** What the store refuses for a reason of its own, such as its time limit, must not be taken for a file without rows. */
function noneIfUnreadable(cause: unknown): readonly EventRow[] {
  if (cause instanceof ErrataError) throw cause
  return []
}

/** Without the last seq of a full page: more of its events may follow. */
function withoutCutSeq(rows: readonly EventRow[]): readonly EventRow[] {
  const last = rows.at(-1)
  if (last === undefined || rows.length < max('telemetryPageRowsMax')) return rows
  const whole = rows.filter(({ seq }) => seq < last.seq)
  return whole.length > 0 ? whole : rows
}

/** 32 bits of the id and 21 of the seq: 8 bytes an event, where the id itself would be ten times that. */
function eventKey({ eventId, seq }: Pick<EventRow, 'eventId' | 'seq'>): number {
  return Number.parseInt(eventId.slice(0, 8), 16) * SEQS + (seq % SEQS)
}

const SEQS = 2 ** 21

/** The rows of a block's events, in its order. */
export function rowsOfBlock({ events, body }: UnpackedBlock, file: FileName): readonly EventRow[] {
  return events.map((event) => rowOfEntry(event, body, file))
}

function rowOfEntry(entry: BlockEvent, body: Uint8Array, { day, retentionDays }: FileName): EventRow {
  const { seq, projectId, eventId, offset, bytes, rowBytes } = entry
  const place = { seq, projectId, eventId, day, retentionDays }
  const rowStart = offset + bytes
  if (rowBytes === 0) return rowOfStored(body.subarray(offset, rowStart), place)
  return decodeRow(Buffer.from(body.subarray(rowStart, rowStart + rowBytes)).toString('utf8'), place)
}
