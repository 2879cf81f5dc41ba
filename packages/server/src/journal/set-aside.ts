/** Files that a person may want to look at: under another name, which no start reads or removes. */
import type { Disk } from '#base/disk.ts'

/** One that is not there any more needs nothing. */
export async function setAside(disk: Disk, path: string): Promise<void> {
  try {
    await disk.rename(path, `${path}.damaged`)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
  }
}
