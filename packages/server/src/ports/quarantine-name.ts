import type { Seq } from '#base/ids.ts'
import type { BlobName } from './blobs.ts'

/** All quarantined envelopes lie below it. */
export const QUARANTINE_AREA = 'quarantine/'

/** Returns the blob name of a quarantined envelope, for the commit and for the operator's download. */
export function quarantineName(seq: Seq): BlobName {
  return `${QUARANTINE_AREA}${seq}`
}

/** The seq of a name that `quarantineName` gave; NaN for another. */
export function quarantinedSeq(name: BlobName): number {
  return Number(name.slice(QUARANTINE_AREA.length))
}
