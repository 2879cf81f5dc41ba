/** Retention over the stores of the commit thread, or of the command line. */
import { statfs } from 'node:fs/promises'
import { bytesBelow } from '#base/directory-bytes.ts'
import { largeBlobsIn } from '#store/blobs/large-blobs.ts'
import { FilesHeld } from '#store/embedded/care/files-held.ts'
import { createRetention } from '#store/embedded/care/retention/retention.ts'
import type { Retention, RetentionParts } from '#store/embedded/care/retention/types.ts'
import { DirectoryInUse, lockDirectory } from './lock.ts'
import { filesLockPath, largeBlobsPath } from './paths.ts'

/** Retention of a data directory. */
export function retentionOf(
  parts: Omit<RetentionParts, 'usedBytes' | 'freeBytes' | 'guard' | 'largeBlobs'> & { readonly data: string },
): Retention {
  const { data, ...rest } = parts
  return createRetention({
    ...rest,
    largeBlobs: largeBlobsIn({ directory: largeBlobsPath(data) }),
    guard: (exchange) => whileNoBackup(data, exchange),
    usedBytes: () => bytesBelow(data),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(data)
      return bavail * bsize
    },
  })
}

/** A backup holds the lock for as long as it copies; an exchange for milliseconds. */
async function whileNoBackup(data: string, exchange: () => Promise<void>): Promise<void> {
  const unlock = tryLock(data)
  if (unlock === null) throw new FilesHeld('a backup is being made')
  try {
    await exchange()
  } finally {
    unlock()
  }
}

function tryLock(data: string): (() => void) | null {
  try {
    return lockDirectory(data, filesLockPath(data))
  } catch (cause) {
    if (cause instanceof DirectoryInUse) return null
    throw cause
  }
}
