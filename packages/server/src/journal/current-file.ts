/** The file that is being written. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Disk, DiskFile } from '#base/disk.ts'
import { encodeJournalHeader, fileName, JOURNAL_HEADER_BYTES, type JournalSeal } from './format.ts'
import { JournalFile } from './journal-file.ts'

export interface CurrentFile {
  readonly handle: DiskFile
  readonly file: JournalFile
  readonly seal: JournalSeal
  /** Offset of the next record: the end of what is synced. */
  end: number
}

/**
 * Makes the next file with its header; its name survives a power loss when this resolves, its header with the first
 * sync. Writes are durable by themselves where they can be: a sync of its own is another way to the thread pool and back
 * for every answer.
 */
export async function createFile(
  disk: Disk,
  at: {
    readonly directory: string
    readonly firstSeq: number
    readonly skipped: number
    readonly createdAtMs: number
  },
): Promise<CurrentFile> {
  const path = join(at.directory, fileName(at.firstSeq))
  // Not from an injected source: the seal protects files on the disk, and no test may ever repeat one.
  const random = randomBytes(8)
  const seal: JournalSeal = {
    marker: random.readUInt32LE(0),
    seed: random.readUInt32LE(4),
    firstSeq: at.firstSeq,
    skipped: at.skipped,
  }
  const handle = await disk.create(path, 'durable')
  try {
    await handle.write([encodeJournalHeader(seal)], 0)
    await disk.syncDirectory(at.directory)
  } catch (cause) {
    await handle.close()
    await disk.unlink(path)
    throw cause
  }
  const file = new JournalFile(path, at.firstSeq, { createdAtMs: at.createdAtMs })
  return { handle, file, seal, end: JOURNAL_HEADER_BYTES }
}
