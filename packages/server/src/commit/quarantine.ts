/** Housekeeping of quarantined envelopes: kept for a while, within a bound, for the operator to download. */

import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { BlobName, BlobStore } from '#ports/blobs.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import { QUARANTINE_AREA, quarantinedSeq, quarantineName } from '#ports/quarantine-name.ts'

/**
 * Deletes what is older than `quarantineDaysMax`, what the control store has forgotten with its project, then the oldest
 * beyond `quarantineBytesMax`; answers how many.
 */
export async function removeOldQuarantine(options: {
  readonly control: Pick<ControlCommit, 'appliedSeq' | 'quarantinedSeqs'>
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
}): Promise<number> {
  const { control, blobs, clock, log } = options
  const oldestMs = clock.now() - max('quarantineDaysMax') * DAY_MS
  const newestFirst = [...(await blobs.list(QUARANTINE_AREA))].sort((a, b) => b.writtenMs - a.writtenMs)
  // A body is written before its batch counts: beyond what is applied nothing is known of it.
  const appliedSeq = await control.appliedSeq()
  const known = new Set((await control.quarantinedSeqs()).map(quarantineName))
  const isForgotten = (name: BlobName) => !known.has(name) && quarantinedSeq(name) <= appliedSeq
  let bytes = 0
  let removed = 0
  for (const blob of newestFirst) {
    const isKept = blob.writtenMs >= oldestMs && !isForgotten(blob.name)
    if (isKept) bytes += blob.bytes
    if (isKept && bytes <= max('quarantineBytesMax')) continue
    await blobs.delete(blob.name)
    removed++
  }
  if (removed > 0) log.info('deleted quarantined envelopes', { removed })
  return removed
}
