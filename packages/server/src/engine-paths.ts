/** Where things lie in the data directory, and what a thread is started with. */
import { join } from 'node:path'
import type { LogLevel } from '#base/log.ts'

export interface ThreadStart {
  /** Absolute path of the data directory. */
  readonly data: string
  readonly logLevel: LogLevel
}

export const controlPath = (data: string): string => join(data, 'control.sqlite')
export const lockPath = (data: string): string => join(data, 'lock.sqlite')
export const journalPath = (data: string): string => join(data, 'journal')
export const columnsPath = (data: string): string => join(data, 'columns')
export const payloadsPath = (data: string): string => join(data, 'payloads')
export const eventIdsPath = (data: string): string => join(data, 'event-ids')
export const blobsPath = (data: string): string => join(data, 'blobs')
