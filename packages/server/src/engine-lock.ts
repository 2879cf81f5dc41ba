/**
 * One process per data directory. The lock is an SQLite file held exclusively: the system releases it with the
 * process, however that ends.
 */
import { DatabaseSync } from 'node:sqlite'

export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(`another Errata process uses ${directory}; stop it, or choose another directory with --data`)
    this.name = 'DirectoryInUse'
  }
}

/** Takes the lock or throws `DirectoryInUse`. The answer releases it. */
export function lockDirectory(directory: string, path: string): () => void {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (at TEXT)',
    )
    return () => database.close()
  } catch (cause) {
    database.close()
    throw Object.assign(new DirectoryInUse(directory), { cause })
  }
}
