/** Measures how much disk a directory takes. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Adds up the sizes of all regular files, in directories below too: some hundreds, however many events. */
export async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    // One that is gone by now takes nothing.
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0)
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}
