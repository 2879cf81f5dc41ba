/** Housekeeping of quarantined envelopes: kept for a while, within a bound, for the operator to download. */

import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { BlobName, BlobStore } from '#ports/blobs.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import { QUARANTINE_AREA, quarantinedSeq, quarantineName } from '#ports/quarantine-name.ts'

/**
 * Deletes what is older than `quarantineDaysMax`, what the control store has forgotten with its project, then what is
 * beyond `quarantineBytesMax`: the oldest of whichever project has most, so that one whose envelopes all fail leaves
 * those of others. Answers how many.
 */
export async function removeOldQuarantine(options: {
  readonly control: Pick<ControlCommit, 'appliedSeq' | 'quarantinedSeqs' | 'forgetSetAside'>
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
}): Promise<number> {
  const { control, blobs, clock, log } = options
  const oldestMs = clock.now() - max('quarantineDaysMax') * DAY_MS
  const newestFirst = [...(await blobs.list(QUARANTINE_AREA))].sort((a, b) => b.writtenMs - a.writtenMs)
  // A body is written before its batch counts: beyond what is applied nothing is known of it.
  const appliedSeq = await control.appliedSeq()
  const known = new Map(
    (await control.quarantinedSeqs()).map((one) => [quarantineName(one.seq), one] as const),
  )
  const isForgotten = (name: BlobName) => !known.has(name) && quarantinedSeq(name) <= appliedSeq
  const isKept = ({ name, writtenMs }: StoredBlob) => writtenMs >= oldestMs && !isForgotten(name)
  const kept = new Set(
    withinBytes(
      newestFirst.filter(isKept).map(({ name, bytes }) => {
        const { projectId = 0, setAsideBytes = 0 } = known.get(name) ?? {}
        return { name, bytes: bytes + setAsideBytes, of: projectId }
      }),
      max('quarantineBytesMax'),
    ),
  )
  const gone = newestFirst.filter(({ name }) => !kept.has(name))
  for (const { name } of gone) await blobs.delete(name)
  await control.forgetSetAside(gone.flatMap(({ name }) => known.get(name)?.seq ?? []))
  const removed = gone.length
  if (removed > 0) log.info('deleted quarantined envelopes', { removed })
  return removed
}

type StoredBlob = Awaited<ReturnType<BlobStore['list']>>[number]

/** Names those that fit: in the order of how much its own project has that is newer, least first. */
function withinBytes(
  newestFirst: readonly (Pick<StoredBlob, 'name' | 'bytes'> & { readonly of: number })[],
  bytesMax: number,
): readonly BlobName[] {
  const newer = new Map<number, number>()
  const placed = newestFirst.map(({ name, bytes, of }) => {
    const upTo = (newer.get(of) ?? 0) + bytes
    newer.set(of, upTo)
    return { name, bytes, upTo }
  })
  // Stable: of those that are even, the newest first.
  placed.sort((a, b) => a.upTo - b.upTo)
  let bytes = 0
  return placed.flatMap((one) => {
    bytes += one.bytes
    return bytes <= bytesMax ? [one.name] : []
  })
}
