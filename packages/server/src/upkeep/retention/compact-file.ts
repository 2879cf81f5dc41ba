/**
 * Compaction of one day and class: payloads first, then columns, both by the same rules; what was done is written down
 * last. A crash between leaves columns that still hold what is deleted, so that the next run finds it again.
 */

import { neighbourKey } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { isSameFile } from '#model/file-name.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type { DeletionMarks, FileState } from '#ports/retention.ts'
import type { BlockEntry, UnpackedBlock } from '#ports/telemetry.ts'
import { rowsOfBlock } from '../rebuild.ts'
import { forgetContents } from './count-contents.ts'
import { isClean, isUnchanged } from './plan.ts'
import { removeFile } from './remove-files.ts'
import type { RetentionParts } from './types.ts'

export interface CompactionRun {
  readonly rules: HiddenRules
  /** What a file that was rewritten by these rules is clean of. */
  readonly marks: DeletionMarks
  readonly states: ReadonlyMap<string, FileState>
  readonly pause: () => Promise<void>
}

/** What became of the files of a day and class. */
export interface CompactedFile {
  readonly isRewritten: boolean
  readonly freedBytes: number
}

/** Nothing was to be done, or could be. */
export const UNTOUCHED: CompactedFile = { isRewritten: false, freedBytes: 0 }

/** Rewrites the file when it grew since the last time or holds what is hidden. */
export async function compactFile(
  parts: RetentionParts,
  run: CompactionRun,
  { file, state }: { readonly file: FileName; readonly state: FileState | undefined },
): Promise<CompactedFile> {
  const { control, telemetry, clock } = parts
  const before = await sizeOf(parts, file)
  const now = { payloadBytes: before.payloadBytes, columnSeq: await telemetry.fileSeq(file) }
  if (isUnchanged(state, now)) {
    const mayHide = !isClean(state, run.marks) || run.rules.pastPeriod(file).length > 0
    if (!mayHide) return UNTOUCHED
    const { hidden } = await telemetry.countRows(file, run.rules)
    if (hidden === 0) {
      await control.setFileState({ ...state, marks: run.marks })
      return UNTOUCHED
    }
  }
  return rewriteFile(parts, run, { file, before: before.bytes, nowMs: clock.now() })
}

async function rewriteFile(
  parts: RetentionParts,
  { rules, marks, pause }: CompactionRun,
  { file, before, nowMs }: { readonly file: FileName; readonly before: number; readonly nowMs: number },
): Promise<CompactedFile> {
  const { kinds, control, telemetry, payloads, guard, onStep } = parts
  const { table } = kinds.stored(file.kind)
  // Read after the deletions that the rules are of: none of them reaches beyond it.
  const upToSeq = await control.appliedSeq()
  const hasPayloads = (await payloads.files()).some((each) => isSameFile(each, file))
  const hasColumns = (await telemetry.files()).some((each) => isSameFile(each, file))
  const keysOf = (block: UnpackedBlock) =>
    rowsOfBlock(table, block, file).map((row) => (rules.hides(row, file) ? null : neighbourKey(table, row)))
  const { hidden } = await telemetry.countRows(file, rules)
  if (hidden > 0) await forgetContents(parts, file, pause)
  const allGo = (entries: readonly BlockEntry[]) => entries.every((entry) => rules.hidesProject(entry, file))
  const { bytes: payloadBytes, isEmpty } = hasPayloads
    ? await payloads.rewrite(file, { upToSeq, keysOf, allGo, pause, guard })
    : { bytes: 0, isEmpty: true }
  await onStep?.('compact:payloads', file)
  if (hasColumns) await telemetry.rewrite(file, { rules, upToSeq })
  await onStep?.('compact:columns', file)
  const after = await sizeOf(parts, file)
  const { rows } = await telemetry.countRows(file, rules)
  // Both say so: columns that lost their rows must not take the payloads with them.
  if (rows === 0 && isEmpty) {
    await removeFile(parts, { file, bytes: before, reason: 'empty' })
    return { isRewritten: true, freedBytes: before }
  }
  const columnSeq = await telemetry.fileSeq(file)
  await control.setFileState({ file, payloadBytes, columnSeq, marks, compactedMs: nowMs })
  return { isRewritten: true, freedBytes: before - after.bytes }
}

async function sizeOf(
  { telemetry, payloads }: RetentionParts,
  file: FileName,
): Promise<{ readonly bytes: number; readonly payloadBytes: number }> {
  const [columns, segments] = await Promise.all([telemetry.fileBytes(), payloads.fileBytes()])
  const payloadBytes = segments.find((each) => isSameFile(each.file, file))?.bytes ?? 0
  const columnBytes = columns.find((each) => isSameFile(each.file, file))?.bytes ?? 0
  return { bytes: payloadBytes + columnBytes, payloadBytes }
}
