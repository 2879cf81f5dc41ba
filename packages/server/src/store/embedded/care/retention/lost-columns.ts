/**
 * Files of which one side holds less than the other. Columns that are gone or behind are made anew from the payloads by
 * a person: until then nothing may conclude from them that an event is not there.
 */
import { dayOf, seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem, ofNewestDays } from '#model/file-name.ts'
import type { MissingFiles } from '#ports/care.ts'
import type { StoredBatch } from '../stores/payloads.ts'
import type { RetentionParts } from './types.ts'

type Parts = Pick<RetentionParts, 'telemetry' | 'payloads' | 'control' | 'clock'>

/**
 * Files that have one side alone; those whose columns were set aside among them, until they are made anew. A file that a
 * batch under way begins is none of them, nor one that is being removed: its sides come and go one after the other.
 */
export async function missingFiles(parts: Parts): Promise<MissingFiles> {
  const { telemetry, payloads, control } = parts
  // Before the names: what is applied by now has both sides by the time they are read.
  const appliedSeq = await control.appliedSeq()
  const [columns, segments] = await Promise.all([telemetry.files(), payloads.files()])
  const damaged = await telemetry.damaged()
  const leaving = await control.openRemovals()
  // Read again: what is gone from here was removed meanwhile, and what is new here came meanwhile.
  const segmentsNow = await payloads.files()
  const columnsNow = await telemetry.files()
  const goes = leaving.map(({ file }) => file)
  const noColumns = filesBeside(filesOfBoth(segments, segmentsNow), [
    ...filesBeside(columns, damaged),
    ...goes,
  ])
  const missingColumns: FileName[] = []
  for (const file of noColumns) if (await isStored(payloads, file, appliedSeq)) missingColumns.push(file)
  const missingPayloads = filesBeside(filesOfBoth(columns, columnsNow), [
    ...segments,
    ...segmentsNow,
    ...goes,
  ])
  return { missingColumns, missingPayloads }
}

/** Ends of both sides of a file of the newest days. */
export interface FileEnd {
  readonly file: FileName
  /** Last seq applied before the sides were looked at. */
  readonly appliedSeq: number
  /** The newest of its payloads, newest first; empty where there are none. */
  readonly batches: readonly StoredBatch[]
  readonly columnSeq: number
}

export async function fileEnds({ telemetry, payloads, control, clock }: Parts): Promise<readonly FileEnd[]> {
  const ends: FileEnd[] = []
  for (const file of ofNewestDays(await telemetry.files(), dayOf(clock.now()))) {
    const appliedSeq = await control.appliedSeq()
    const batches = await payloads.newestBatches(file, BATCHES_UNDER_WAY_MAX + 1)
    ends.push({ file, appliedSeq, batches, columnSeq: await telemetry.fileSeq(file) })
  }
  return ends
}

/**
 * Column files without rows that their payloads have: a log was deleted before it was folded in. Every batch writes
 * to both, so that the columns never end before the payloads do, but while a batch is under way.
 */
export function behindFiles(ends: readonly FileEnd[]): readonly FileName[] {
  const isBehind = ({ appliedSeq, batches, columnSeq }: FileEnd) =>
    (batches.find(({ lastSeq }) => lastSeq <= appliedSeq)?.lastSeq ?? 0) > columnSeq
  return ends.filter(isBehind).map(({ file }) => file)
}

/**
 * Payload files that end before the rows of their columns do: they were cut. Rows are compared, and not the numbers up
 * to which the two sides are applied: a batch may end with records of which nothing is stored. A file that compaction
 * has written may end early rightly, because its last events were deleted; one that is gone altogether is among the
 * missing.
 */
export async function cutFiles(
  { control, payloads, telemetry }: Pick<Parts, 'control' | 'payloads' | 'telemetry'>,
  ends: readonly FileEnd[],
): Promise<readonly FileName[]> {
  const short = ends.filter((end) => payloadSeq(end) < end.columnSeq)
  if (short.length === 0) return []
  const compacted = new Set((await control.fileStates()).map(({ file }) => fileStem(file)))
  const present = new Set((await payloads.files()).map(fileStem))
  const cut: FileName[] = []
  for (const end of short) {
    const stem = fileStem(end.file)
    if (compacted.has(stem) || !present.has(stem)) continue
    if (await hasRowsBeyond(telemetry, end)) cut.push(end.file)
  }
  return cut
}

function payloadSeq({ batches }: FileEnd): number {
  return batches[0]?.lastSeq ?? 0
}

async function hasRowsBeyond(telemetry: Parts['telemetry'], end: FileEnd): Promise<boolean> {
  try {
    return (await telemetry.rows(end.file, seq(payloadSeq(end)), 1)).length > 0
  } catch {
    return false // columns that cannot be read are told as that, by whoever reads them
  }
}

/** Stems of all files whose columns may lack rows. */
export async function lackingColumns(parts: Parts): Promise<ReadonlySet<string>> {
  const { missingColumns } = await missingFiles(parts)
  const files = [
    ...missingColumns,
    ...(await parts.telemetry.damaged()),
    ...behindFiles(await fileEnds(parts)),
  ]
  return new Set(files.map(fileStem))
}

const BATCHES_UNDER_WAY_MAX = 1

function filesBeside(files: readonly FileName[], others: readonly FileName[]): readonly FileName[] {
  const known = new Set(others.map(fileStem))
  return files.filter((file) => !known.has(fileStem(file)))
}

function filesOfBoth(files: readonly FileName[], others: readonly FileName[]): readonly FileName[] {
  const known = new Set(others.map(fileStem))
  return files.filter((file) => known.has(fileStem(file)))
}

/** True if a payload file holds a batch up to `appliedSeq`; a crash may leave one whose block is stored again. */
async function isStored(payloads: Parts['payloads'], file: FileName, appliedSeq: number): Promise<boolean> {
  const batches = await payloads.newestBatches(file, BATCHES_UNDER_WAY_MAX + 1)
  if (batches.length > 0) return batches.some(({ lastSeq }) => lastSeq <= appliedSeq)
  let isDamaged = false
  for await (const _ of payloads.blocks(file, () => (isDamaged = true))) return true
  return isDamaged
}
