/**
 * Columns made anew from the payload segments: for a column file that is damaged or gone. What the control store says
 * stays as it is. Nothing else may have the stores open.
 */
import type { Seq } from '#base/ids.ts'
import { fileStem } from '#ports/file-name.ts'
import type {
  BlockEvent,
  FileName,
  PayloadSegments,
  TelemetryStore,
  UnpackedBlock,
} from '#ports/telemetry.ts'
import type { EventRow } from '#process/batch.ts'
import { rowOfStored } from '#process/kinds/error/stored-row.ts'
import { decodeRow } from '#process/row-record.ts'

export interface RebuildOptions {
  readonly segments: Pick<PayloadSegments, 'files' | 'blocks'>
  readonly telemetry: Pick<TelemetryStore, 'replace'>
  /** What the control store has applied: payloads beyond it are of a batch that comes again. */
  readonly appliedSeq: Seq
  /** Called when a file is done. */
  readonly onFile?: (done: RebuiltFile) => void
}

export interface RebuiltFile {
  readonly file: FileName
  readonly events: number
  /** Blocks that could not be read: their events are lost to the columns. */
  readonly damagedBlocks: number
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
  const rows = async function* (): AsyncGenerator<readonly EventRow[]> {
    const blocks = segments.blocks(file, () => damagedBlocks++)
    for await (const block of blocks) {
      const kept = rowsOfBlock(block, file).filter(({ seq }) => seq <= appliedSeq)
      events += kept.length
      yield kept
    }
  }
  await telemetry.replace(file, rows(), appliedSeq)
  return { file, events, damagedBlocks }
}

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
