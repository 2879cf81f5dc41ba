/**
 * Compaction of one day and class: payloads first, then columns, both by the same rules; what was done is written down
 * last. A crash between leaves columns that still hold what is deleted, so that the next run finds it again.
 */

import { neighbourKey, type RowTable } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { isSameFile } from '#model/file-name.ts'
import type { HiddenRules } from '#model/hidden.ts'
import { encodeRow } from '#model/row-record.ts'
import type { EventChange } from '#ports/care.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import { rowOfEntry, rowsOfBlock } from '../rebuild.ts'
import type { DeletionMarks, FileState } from '../stores/control.ts'
import type { ChangedItem, UnpackedBlock } from '../stores/payloads.ts'
import { forgetContents } from './count-contents.ts'
import { isFileClean, isUnchanged } from './plan.ts'
import { removeFile } from './remove-files.ts'
import type { RetentionParts } from './types.ts'

export interface CompactionRun {
  readonly rules: HiddenRules
  /** Deletions that a file rewritten by these rules is clean of. */
  readonly marks: DeletionMarks
  readonly states: ReadonlyMap<string, FileState>
  readonly pause: () => Promise<void>
}

/** Result for the files of a day and class. */
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
  const before = await bytesOfFile(parts, file)
  const now = { payloadBytes: before.payloadBytes, columnSeq: await telemetry.fileSeq(file) }
  if (isUnchanged(state, now)) {
    const mayHide = !isFileClean(state, run.marks) || run.rules.pastPeriod(file).length > 0
    if (!mayHide) return UNTOUCHED
    const { hidden } = await telemetry.countRows(file, run.rules)
    if (hidden === 0) {
      await control.setFileState({ ...state, marks: run.marks })
      return UNTOUCHED
    }
  }
  return rewriteBothStores(parts, run, { file, before: before.bytes, nowMs: clock.now(), changes: [] })
}

/** Rewrites the file whatever it is like, with these events as they are from now on. */
export async function changeFile(
  parts: RetentionParts,
  run: CompactionRun,
  { file, changes }: { readonly file: FileName; readonly changes: readonly EventChange[] },
): Promise<CompactedFile> {
  const { bytes } = await bytesOfFile(parts, file)
  return rewriteBothStores(parts, run, { file, before: bytes, nowMs: parts.clock.now(), changes })
}

interface FileRewrite {
  readonly file: FileName
  /** Bytes of both sides. */
  readonly before: number
  readonly nowMs: number
  readonly changes: readonly EventChange[]
}

async function rewriteBothStores(
  parts: RetentionParts,
  { rules, marks, pause }: CompactionRun,
  { file, before, nowMs, changes }: FileRewrite,
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
  const changesOf = changedItems(table, file, changes)
  const { bytes: payloadBytes, isEmpty } = hasPayloads
    ? await payloads.rewrite(file, { upToSeq, keysOf, allGo, changesOf, pause, guard })
    : { bytes: 0, isEmpty: true }
  await onStep?.('compact:payloads', file)
  if (hasColumns) await telemetry.rewrite(file, { rules, upToSeq, changes })
  await onStep?.('compact:columns', file)
  const after = await bytesOfFile(parts, file)
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

/** The rest of a row is what its record says. */
function changedItems(
  table: RowTable,
  file: FileName,
  changes: readonly EventChange[],
): (block: UnpackedBlock) => readonly (ChangedItem | null)[] {
  const named = new Map(changes.map((change) => [`${change.projectId}:${change.eventId}`, change]))
  return ({ entries, body }) =>
    named.size === 0
      ? []
      : entries.map((entry) => {
          const change = named.get(`${entry.projectId}:${entry.eventId}`)
          if (change === undefined) return null
          const row = { ...rowOfEntry(table, entry, { body, file }), ...change.values }
          return { payload: change.payload, rowRecord: Buffer.from(encodeRow(table, row)) }
        })
}

async function bytesOfFile(
  { telemetry, payloads }: RetentionParts,
  file: FileName,
): Promise<{ readonly bytes: number; readonly payloadBytes: number }> {
  const [columns, segments] = await Promise.all([telemetry.fileBytes(), payloads.fileBytes()])
  const payloadBytes = segments.find((each) => isSameFile(each.file, file))?.bytes ?? 0
  const columnBytes = columns.find((each) => isSameFile(each.file, file))?.bytes ?? 0
  return { bytes: payloadBytes + columnBytes, payloadBytes }
}
