/** A column file that is attached, and who uses it. */
import type { RowTable } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { PreparedText } from './driver.ts'
import type { InsertForm } from './table-sql.ts'

/** A file while it is attached. */
export interface AttachedFile {
  readonly file: FileName
  /** Name of its catalog in SQL: letters, digits and underscores. */
  readonly alias: string
  /** Table of the file's kind. */
  readonly table: RowTable
}

export interface AttachedEntry extends AttachedFile {
  users: number
  /** Called when the last user is done. */
  onUnused: (() => void) | null
  inserts: Map<InsertForm, PreparedText>
}

export function release(entry: AttachedEntry): void {
  entry.users--
  if (entry.users === 0) entry.onUnused?.()
}

/** Waits until nobody uses the entry; since no further user comes, it ends with the longest query. */
export async function untilUnused(entry: AttachedEntry): Promise<void> {
  if (entry.users === 0) return
  await new Promise<void>((resolve) => {
    entry.onUnused = resolve
  })
}

export function aliasOf(file: FileName): string {
  return fileStem(file).replaceAll(/[^a-z0-9]/g, '_')
}
