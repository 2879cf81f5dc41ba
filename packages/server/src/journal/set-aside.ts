/**
 * Files that a person may want to look at: under another name, which no start reads. They hold envelopes before
 * scrubbing, so they do not stay for ever.
 */

import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import type { Disk } from '#base/disk.ts'
import { DAY_MS } from '#base/durations.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'

const ENDING = '.damaged'

/** Sets a file aside; does nothing if it is gone. */
export async function setAside(disk: Disk, path: string): Promise<void> {
  try {
    await disk.rename(path, `${path}${ENDING}`)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
  }
}

/** Deletes what was set aside more than `journalSetAsideDaysMax` ago; answers how many files. */
export async function removeSetAside({
  directory,
  clock,
  log,
}: {
  readonly directory: string
  readonly clock: Clock
  readonly log: Log
}): Promise<number> {
  const oldestMs = clock.now() - max('journalSetAsideDaysMax') * DAY_MS
  let removed = 0
  for (const name of await readdir(directory, { recursive: true })) {
    if (!name.endsWith(ENDING)) continue
    const path = join(directory, name)
    // The time of its renaming: what is in it may have waited for long before.
    const { ctimeMs } = await stat(path)
    if (ctimeMs >= oldestMs) continue
    await unlink(path)
    removed++
    log.info('deleted a damaged journal file', { file: name })
  }
  return removed
}
