/** A journal looked at from outside, while nobody writes it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskFile, nodeDisk } from '#base/disk.ts'
import { judgeFile } from './file-end.ts'
import { readFileName } from './format.ts'
import { type FoundRecord, scanFile } from './scan.ts'

export interface JournalInspection {
  readonly files: number
  /** Whole records; those that are applied already are among them until their file is unlinked. */
  readonly records: number
  /** Stretches of bytes that hold no record, but for writes that were cut short. */
  readonly gaps: number
  /** Names of files that cannot be read as journal files. */
  readonly foreign: readonly string[]
}

/** Reads every file from end to end; an absent directory holds none. */
export async function inspectJournal(directory: string): Promise<JournalInspection> {
  const names = await readdir(directory).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    throw cause
  })
  let records = 0
  let gaps = 0
  const foreign: string[] = []
  const files = names.filter((name) => readFileName(name) !== null)
  for (const name of files) {
    const handle = await nodeDisk.open(join(directory, name), 'read')
    try {
      let lastSeq = (readFileName(name) ?? 0) - 1
      const record = ({ seq }: FoundRecord) => {
        lastSeq = seq
        records++
      }
      const end = await scanFile(handle, { record, gap: () => gaps++ })
      if (end === null) foreign.push(name)
      else if (await isEndDamaged(handle, end, lastSeq)) gaps++
    } finally {
      await handle.close()
    }
  }
  return { files: files.length, records, gaps, foreign }
}

async function isEndDamaged(handle: DiskFile, end: number, lastSeq: number): Promise<boolean> {
  const size = await handle.size()
  return end < size && (await judgeFile(handle, { end, size, lastSeq })).isDamaged
}
