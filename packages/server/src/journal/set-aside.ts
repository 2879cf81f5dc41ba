/** Files that a person may want to look at: under another name, which no start reads or removes. */
import type { Disk } from '#base/disk.ts'

export async function setAside(disk: Disk, path: string): Promise<void> {
  await disk.rename(path, `${path}.damaged`)
}
