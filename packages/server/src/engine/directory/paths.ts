/** Paths in the data directory, and the data that a thread starts with. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DescribedClock } from '#base/clock.ts'
import type { LogLevel } from '#base/log.ts'
import { RESTORING } from '#store/embedded/care/backup/restoring.ts'

export interface ThreadStart {
  /** Absolute path of the data directory. */
  readonly data: string
  readonly logLevel: LogLevel
  /** `null`: the machine's. */
  readonly clock: DescribedClock | null
  /** Most bytes the data directory may take; `null` if age alone decides. */
  readonly maxDiskBytes: number | null
  /** Bytes of the control store that a read connection keeps, where that is not what all do. */
  readonly cacheBytes?: number | undefined
}

export const controlPath = (data: string): string => join(data, 'control.sqlite')
export const lockPath = (data: string): string => join(data, 'lock.sqlite')
/** Held by a backup while it copies, and by compaction while it exchanges a payload file. */
export const filesLockPath = (data: string): string => join(data, 'files-lock.sqlite')
/** Key of secrets that the control store holds sealed. */
export const sealKeyPath = (data: string): string => join(data, 'seal.key')
export const journalPath = (data: string): string => join(data, 'journal')
/** The main thread's socket, for threads that accept; made at each start. */
export const socketPath = (data: string): string => join(data, 'accept')
export const columnsPath = (data: string): string => join(data, 'columns')
export const payloadsPath = (data: string): string => join(data, 'payloads')
export const eventIdsPath = (data: string): string => join(data, 'event-ids')
export const blobsPath = (data: string): string => join(data, 'blobs')
export const largeBlobsPath = (data: string): string => join(blobsPath(data), 'large')
/** Pieces of uploads, bundles and compiled maps; the database beside them says what they are. */
export const artifactsPath = (data: string): string => join(data, 'artifacts')
export const artifactIndexPath = (data: string): string => join(data, 'artifacts.sqlite')

/**
 * Checks that no restore into the directory was cut short.
 * @throws a sentence if one was
 */
export function refuseUnfinishedRestore(data: string): void {
  if (existsSync(join(data, RESTORING))) {
    throw new Error(`a restore into ${data} did not finish; empty that directory and restore again`)
  }
}

/** Creates the data directory, for its owner alone; throws a sentence when there cannot be one. */
export function makeDataDirectory(data: string): void {
  refuseUnfinishedRestore(data)
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Error(
      `${data} cannot be the data directory: ${pathProblem(cause)}; choose another with --data`,
      {
        cause,
      },
    )
  }
}

function pathProblem(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file is in its place'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write there'
  if (code === 'EROFS') return 'its disk can only be read'
  if (code === 'ENOSPC') return 'its disk is full'
  return cause instanceof Error ? cause.message : String(cause)
}
