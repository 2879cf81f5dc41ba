/** Column files as care uses them: on the commit thread alone, but for verification. */
import type { Seq } from '#base/ids.ts'
import type { StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type { EventChange, FileBytes } from '#ports/care.ts'
import type { FileContents, TelemetryStore } from '#ports/telemetry.ts'
import type { GroupInFile } from './control.ts'
import type { VerifyFiles } from './verify-files.ts'

export interface RewriteOptions {
  readonly rules: HiddenRules
  /** New values of rows; rows beyond `upToSeq` stay as they are. */
  readonly changes?: readonly EventChange[]
  /** Last seq applied by the control store; rows and blocks beyond it are copied unchanged. */
  readonly upToSeq: Seq
}

/** Column files as retention and compaction see them. */
export interface ColumnCare extends TelemetryStore, VerifyFiles {
  fileBytes(): Promise<readonly FileBytes[]>
  /** Files that could not be understood and were set aside: what they held is missing until they are made anew. */
  damaged(): Promise<readonly FileName[]>
  /** Counts files that somebody deleted since they were opened among them. */
  noteGone(): Promise<void>
  /** Counts files that are gone among them, also when rows that come make one of the same name. */
  noteMissing(files: readonly FileName[]): Promise<void>
  /** `applied_seq` of a file: changes whenever rows come to it. 0 for a file that is not there. */
  fileSeq(file: FileName): Promise<Seq>
  /** Rows of a file, and how many of them the rules hide. */
  countRows(file: FileName, rules: HiddenRules): Promise<{ readonly rows: number; readonly hidden: number }>
  /**
   * Writes the file anew, sorted by project, group and time, without what the rules hide. The old one serves until
   * then; a crash leaves one of the two. Throws for a file that is not there or lacks rows: `damaged`.
   */
  rewrite(file: FileName, options: RewriteOptions): Promise<void>
  /**
   * Counts every row of groups in a file, deleted ones too, and hands over what is in it of each, `null` for nothing,
   * while no row can come. Answers false, and hands over nothing, when rows beyond `upToSeq` have come or the file is
   * not there.
   */
  countGroups(
    file: FileName,
    of: { readonly groups: readonly GroupInFile[]; readonly upToSeq: Seq },
    take: (contents: readonly (FileContents | null)[]) => Promise<void>,
  ): Promise<boolean>
  /** Unlinks a file once nobody reads it. No error when absent. */
  remove(file: FileName): Promise<void>
  /**
   * Rows of a file with a seq above `afterSeq`, in seq order, at most `limit`. For the upkeep of the stores, never
   * for people: without scope and tombstones.
   */
  rows(file: FileName, afterSeq: Seq, limit: number): Promise<readonly StoredRow[]>
  /**
   * Writes a file anew from `rows`, in any order, and puts it in the old one's place, which may be absent or
   * unreadable. Its `applied_seq` is `endSeq`, or that of a row that goes further. A crash leaves the old one, the new
   * one, or none: never a part.
   */
  replace(file: FileName, rows: AsyncIterable<readonly StoredRow[]>, endSeq: Seq): Promise<void>
  bytes(): Promise<number>
}
