/** The machine's disk with something before what is done to new files: for tests in which it refuses or waits. */
import { type Disk, nodeDisk } from '#base/disk.ts'

export type NewFileOperation = 'write' | 'sync'

/** `before` comes before each write and sync of a file that was made on it; when it throws, nothing follows. */
export function watchedDisk(before: (operation: NewFileOperation) => void | Promise<void>): Disk {
  return {
    ...nodeDisk,
    async create(path) {
      const file = await nodeDisk.create(path)
      return {
        writesAreDurable: false,
        read: (...asked) => file.read(...asked),
        size: () => file.size(),
        truncate: (bytes) => file.truncate(bytes),
        close: () => file.close(),
        async write(buffers, position) {
          await before('write')
          await file.write(buffers, position)
        },
        async sync() {
          await before('sync')
          await file.sync()
        },
      }
    },
  }
}
