/** Housekeeping of quarantined envelopes: kept for a while, within a bound, for the operator to download. */
import type { Clock } from '#base/clock.ts'
import { max } from '#base/limits.ts'
import type { Log } from '#base/log.ts'
import type { BlobStore } from '#ports/blobs.ts'
import { QUARANTINE_AREA } from '#ports/quarantine-name.ts'

const DAY_MS = 86_400_000

/** Deletes what is older than `quarantineDaysMax`, then the oldest beyond `quarantineBytesMax`; answers how many. */
export async function removeOldQuarantine(options: {
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
}): Promise<number> {
  const { blobs, clock, log } = options
  const oldestMs = clock.now() - max('quarantineDaysMax') * DAY_MS
  const newestFirst = [...(await blobs.list(QUARANTINE_AREA))].sort((a, b) => b.writtenMs - a.writtenMs)
  let bytes = 0
  let removed = 0
  for (const blob of newestFirst) {
    bytes += blob.bytes
    if (blob.writtenMs >= oldestMs && bytes <= max('quarantineBytesMax')) continue
    await blobs.delete(blob.name)
    removed++
  }
  if (removed > 0) log.info('deleted quarantined envelopes', { removed })
  return removed
}
