/** A journal looked at from outside, while nobody writes it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeDisk } from '#base/disk.ts'
import { readFileName } from './format.ts'
import { scanFile } from './scan.ts'

export interface JournalInspection {
  readonly files: number
  /** Whole records; those that are applied already are among them until their file is unlinked. */
  readonly records: number
  /** Stretches of bytes that hold no record. */
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
      const end = await scanFile(handle, { record: () => records++, gap: () => gaps++ })
      if (end === null) foreign.push(name)
    } finally {
      await handle.close()
    }
  }
  return { files: files.length, records, gaps, foreign }
}
