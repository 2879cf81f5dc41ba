/** What a directory takes on the disk. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of every regular file, those of directories below included: some hundreds, however many events. */
export async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    // One that is gone by now takes nothing.
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0)
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}
